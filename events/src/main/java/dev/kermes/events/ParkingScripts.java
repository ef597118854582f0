package dev.kermes.events;

import dev.kermes.client.Replies;
import dev.kermes.client.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of parked keys. A parked key is a member of a sorted set, whose score is the time of
 * the next attempt, and has a lane: a list with copies of its events, in their order. The key stays
 * parked until its lane is empty.
 *
 * <pre>
 *   PARK   the failing event, and those of its key that were taken behind it    pending  →  lane
 *   FETCH, PENDING   later events of a parked key                               pending  →  lane
 *   TRY    reads the first events of the lanes that are due
 *   END    the first event of a lane                        lane  →  acknowledged, dead, or again
 * </pre>
 *
 * <p>An element of a lane is packed: id, attempts, when it failed first, cause, names of the
 * handlers that failed, fields, attempts from the lane, starts without an end, and the epoch of the
 * owner that has begun it, or empty. The names of lanes are computed from that of the owner hash,
 * which has the same tag.
 */
final class ParkingScripts {

  private ParkingScripts() {}

  /**
   * For scripts whose KEYS[3] are the parked keys and KEYS[4] the dead letters; withoutParked needs
   * the starts in KEYS[5], the group in ARGV[5], and in ARGV[7] how many events of a key may wait.
   */
  static final String LANES =
      """
      local function laneOf(key) return KEYS[2] .. ':lane:' .. key end
      local function bury(id, fields, cause, handlers, attempts)
        local facts =
          {'origin', id, 'cause', cause, 'handlers', handlers, 'attempts', attempts}
        for _, each in ipairs(facts) do fields[#fields + 1] = each end
        redis.call('XADD', KEYS[4], '*', unpack(fields))
      end
      local function element(id, attempts, since, cause, handlers, fields)
        return cmsgpack.pack({id, attempts, since, cause, handlers, fields, '0', '0', ''})
      end
      local function keyOf(fields)
        for i = 1, #fields, 2 do if fields[i] == 'k' then return fields[i + 1] end end
        return ''
      end
      local function move(id, fields, lane)
        if redis.call('XACK', KEYS[1], ARGV[5], id) == 0 then return end
        redis.call('HDEL', KEYS[5], id)
        if redis.call('LLEN', lane) < tonumber(ARGV[7]) then
          redis.call('RPUSH', lane, element(id, '0', '', '', '', fields))
        else
          bury(id, fields, 'too many events wait behind a parked one', '', '0')
        end
      end
      local function withoutParked(entries)
        if redis.call('EXISTS', KEYS[3]) == 0 then return entries end
        local kept = {}
        for _, entry in ipairs(entries) do
          local key = entry[2] and keyOf(entry[2])
          if key and redis.call('ZSCORE', KEYS[3], key) then
            move(entry[1], entry[2], laneOf(key))
          else
            kept[#kept + 1] = entry
          end
        end
        return kept
      end
      """;

  /** The wait before the next attempt from a lane; ARGV[6] is the first, ARGV[7] the longest. */
  private static final String WAIT =
      """
      local function due(tries)
        local wait = tonumber(ARGV[6]) * 2 ^ math.min(tonumber(tries), 40)
        return text(now + math.min(wait, tonumber(ARGV[7])))
      end
      local function nextDue()
        return redis.call('ZRANGE', KEYS[3], '0', '0', 'WITHSCORES')[2] or ''
      end
      """;

  /**
   * Parks a key.
   *
   * <p>KEYS: stream, owner hash, parked keys, dead letters, starts. ARGV: those of the fence,
   * group, milliseconds until the first attempt, floor, key, cause, names of the handlers, attempts
   * of the failing event, ids: the failing event, then those of its key that were taken behind it.
   */
  static final Script<Long> PARK =
      Scripts.script(
          Scripts.FENCE
              + LANES
              + """
              if ARGV[7] ~= '' then redis.call('HSET', KEYS[2], 'floor', ARGV[7]) end
              local lane = laneOf(ARGV[8])
              for i = 12, #ARGV do
                local id = ARGV[i]
                local isNew = redis.call('XACK', KEYS[1], ARGV[5], id) == 1
                local found = isNew and redis.call('XRANGE', KEYS[1], id, id)[1]
                if found and i == 12 then
                  redis.call('RPUSH', lane,
                    element(id, ARGV[11], text(now), ARGV[9], ARGV[10], found[2]))
                elseif found then
                  redis.call('RPUSH', lane, element(id, '0', '', '', '', found[2]))
                end
              end
              redis.call('HDEL', KEYS[5], unpack(ARGV, 12))
              redis.call('ZADD', KEYS[3], text(now + ARGV[6]), ARGV[8])
              return 1
              """,
          Replies.integer());

  /**
   * Reads the first events of the lanes that are due, and sets when they are due next. An event
   * that owners have begun and not ended this many times is a dead letter.
   *
   * <p>KEYS: stream, owner hash, parked keys, dead letters. ARGV: those of the fence, count, first
   * and longest wait in milliseconds, how many starts without an end are too many. Result: the time
   * now, the time when the next lane is due or empty, and for each event its id, attempts, names of
   * the handlers, fields.
   */
  static final Script<List<@Nullable Object>> TRY =
      Scripts.script(
          Scripts.FENCE
              + LANES
              + WAIT
              + """
              local function begin(key, lane, event)
                if event[9] ~= ARGV[1] then
                  if event[9] ~= '' then event[8] = text(event[8] + 1) end
                  event[2], event[7], event[9] = text(event[2] + 1), text(event[7] + 1), ARGV[1]
                  if event[3] == '' then event[3] = text(now) end
                  redis.call('LSET', lane, '0', cmsgpack.pack(event))
                end
                redis.call('ZADD', KEYS[3], due(event[7]), key)
                return {event[1], event[2], event[5], event[6]}
              end
              local begun = {}
              local keys = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', text(now),
                'LIMIT', '0', ARGV[5])
              for _, key in ipairs(keys) do
                local lane = laneOf(key)
                local head = redis.call('LINDEX', lane, '0')
                local event = head and cmsgpack.unpack(head)
                if not event then
                  redis.call('ZREM', KEYS[3], key)
                elseif event[9] ~= '' and event[9] ~= ARGV[1] and event[8] + 1 >= tonumber(ARGV[8]) then
                  bury(event[1], event[6], 'begun ' .. text(event[8] + 1) .. ' times, and never ended',
                    event[5], event[2])
                  redis.call('LPOP', lane)
                else
                  begun[#begun + 1] = begin(key, lane, event)
                end
              end
              return {text(now), nextDue(), begun}
              """,
          Replies.list(Replies.anyBytes()));

  /**
   * Ends an attempt of a lane's first event. After a failure it stays, unless it failed first too
   * long ago; otherwise it leaves the lane, and the next one is due at once.
   *
   * <p>KEYS: stream, owner hash, parked keys, dead letters. ARGV: those of the fence, the longest
   * time since the first failure, first and longest wait, in milliseconds, key, id, state (done,
   * dead or failed), cause, names of the handlers, calls of the handler. Result: the time now, the
   * time when the next lane is due or empty.
   */
  static final Script<List<String>> END =
      Scripts.script(
          Scripts.FENCE
              + LANES
              + WAIT
              + """
              local lane = laneOf(ARGV[8])
              local head = redis.call('LINDEX', lane, '0')
              local event = head and cmsgpack.unpack(head)
              if event and event[1] == ARGV[9] then
                local attempts = text(event[2] + math.max(0, ARGV[13] - 1))
                if ARGV[10] == 'failed' and now - event[3] < tonumber(ARGV[5]) then
                  event[2], event[4], event[5] = attempts, ARGV[11], ARGV[12]
                  event[8], event[9] = '0', ''
                  redis.call('LSET', lane, '0', cmsgpack.pack(event))
                  redis.call('ZADD', KEYS[3], due(event[7]), ARGV[8])
                else
                  if ARGV[10] ~= 'done' then bury(event[1], event[6], ARGV[11], ARGV[12], attempts) end
                  redis.call('LPOP', lane)
                  if redis.call('EXISTS', lane) == 1 then
                    redis.call('ZADD', KEYS[3], text(now), ARGV[8])
                  else
                    redis.call('ZREM', KEYS[3], ARGV[8])
                  end
                end
              end
              return {text(now), nextDue()}
              """,
          Replies.list(Replies.text()));

  /**
   * The parked keys, without an epoch: those that are due first. KEYS: unused, owner hash, parked
   * keys. ARGV: count. Result: for each its key, when it is due, how many events wait, and of the
   * first one the id, attempts, when it failed first or empty, cause, names of the handlers.
   */
  static final Script<List<@Nullable Object>> PARKED =
      Scripts.script(
          """
          local found = {}
          local keys = redis.call('ZRANGE', KEYS[3], '0', ARGV[1] - 1, 'WITHSCORES')
          for i = 1, #keys, 2 do
            local lane = KEYS[2] .. ':lane:' .. keys[i]
            local head = redis.call('LINDEX', lane, '0')
            if head then
              local event = cmsgpack.unpack(head)
              found[#found + 1] = {keys[i], keys[i + 1], redis.call('LLEN', lane),
                event[1], event[2], event[3], event[4], event[5]}
            end
          end
          return found
          """,
          Replies.list(Replies.anyBytes()));
}
