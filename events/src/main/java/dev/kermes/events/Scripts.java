package dev.kermes.events;

import dev.kermes.client.Decoder;
import dev.kermes.client.Replies;
import dev.kermes.client.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scripts that change a topic. Redis runs a script as a whole, so each moves an event from one
 * state to the next without a state in between:
 *
 * <pre>
 *   delayed  →  appended  →  pending  →  acknowledged
 *                               ↓    ↘
 *                               ↓      parked  →  acknowledged, or dead
 *   appended (again)       ←  dead  →  dropped
 * </pre>
 *
 * <p>{@link ParkingScripts} has those of parked keys. A script of an owner begins with {@link
 * #FENCE}: it changes nothing unless the caller's epoch is that of the partition, and it renews the
 * lease. All of them can be repeated, because an answer may get lost: {@code DEAD} does its other
 * half only if its XACK removed the event.
 *
 * <p>Time is the server's. Numbers are written by {@code string.format}, since Lua's own conversion
 * keeps 14 digits, and an epoch has 16. Epochs are compared as strings.
 *
 * <p>The group has one consumer for ever, {@code owner}: whoever has the lease is this consumer.
 */
final class Scripts {

  private Scripts() {}

  static final String NOW =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      local function text(number) return string.format('%.0f', number) end
      """;

  /**
   * KEYS: stream, owner hash. ARGV: epoch, lease in milliseconds, number of the call, number of the
   * last call that was answered. A call is stale if a later one has been executed: it comes from a
   * connection that its sender has given up. If the server does not know a call that it answered, a
   * failover has lost writes, and the owner has to begin again.
   */
  static final String FENCE =
      NOW
          + """
          local fence = redis.call('HMGET', KEYS[2], 'epoch', 'calls')
          if fence[1] ~= ARGV[1] then
            return redis.error_reply('FENCED this epoch is not the current one')
          end
          local calls = tonumber(fence[2])
          if calls < tonumber(ARGV[4]) then return redis.error_reply('FENCED writes were lost') end
          if calls >= tonumber(ARGV[3]) then return redis.error_reply('STALE call') end
          redis.call('HSET', KEYS[2], 'until', text(now + ARGV[2]), 'calls', ARGV[3])
          """;

  /**
   * Half a lease: how long others have to wait after a release with a successor. It looks every
   * third of a lease, and may have died.
   */
  private static final String RESERVED =
      """
      local function reservedUntil(expiry, lease) return expiry + math.ceil(lease / 2) end
      """;

  /**
   * Takes a partition if its lease has passed. The epoch is greater than each before, and at least
   * the time in microseconds, so that it also grows if a failover has lost the last one. A group
   * that is gone begins again behind the events that were acknowledged in order.
   *
   * <p>KEYS: stream, owner hash. ARGV: member, lease, group, where a new group begins. Result:
   * epoch and the id that was delivered last; if another member owns the partition or has it
   * reserved, an empty text and the milliseconds until that ends.
   */
  static final Script<List<@Nullable Object>> ACQUIRE =
      script(
          NOW
              + RESERVED
              + """
              local old = redis.call('HMGET', KEYS[2], 'epoch', 'owner', 'until', 'floor', 'next')
              local expiry = tonumber(old[3] or '0')
              if expiry > now and old[2] ~= ARGV[1] then return {'', text(expiry - now)} end
              if old[5] and old[5] ~= '' and old[5] ~= ARGV[1] then
                local wait = reservedUntil(expiry, ARGV[2]) - now
                if wait > 0 then return {'', text(wait)} end
              end
              local start = old[4] or ARGV[4]
              if redis.call('EXISTS', KEYS[1]) == 0 then start = '0' end
              local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[3], start, 'MKSTREAM')
              if made.err and not string.find(made.err, 'BUSYGROUP') then return made end
              local micros = time[1] * 1000000 + time[2]
              local epoch = text(math.max(tonumber(old[1] or '0') + 1, micros))
              redis.call('HSET', KEYS[2], 'epoch', epoch, 'calls', '0', 'owner', ARGV[1],
                'until', text(now + ARGV[2]))
              redis.call('HDEL', KEYS[2], 'next')
              for _, facts in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
                local group = {}
                for i = 1, #facts, 2 do group[facts[i]] = facts[i + 1] end
                if group['name'] == ARGV[3] then return {epoch, group['last-delivered-id']} end
              end
              """,
          Replies.list(Replies.anyBytes()));

  /** KEYS: stream, owner hash. ARGV: those of the fence. */
  static final Script<Long> RENEW = script(FENCE + "return 1", Replies.integer());

  /**
   * Acknowledges the ids in ARGV from an index on; ARGV[5] is the group. The floor is the id up to
   * which all are acknowledged, or empty if it has not changed.
   */
  private static final String ACKNOWLEDGE =
      """
      local function acknowledge(starts, floor, from)
        if floor ~= '' then redis.call('HSET', KEYS[2], 'floor', floor) end
        if #ARGV < from then return 0 end
        if redis.call('EXISTS', starts) == 1 then redis.call('HDEL', starts, unpack(ARGV, from)) end
        return redis.call('XACK', KEYS[1], ARGV[5], unpack(ARGV, from))
      end
      """;

  /**
   * Acknowledges events, appends delayed events that are due, and takes new events. It never waits.
   *
   * <p>KEYS: stream, owner hash, parked keys, dead letters, starts, delayed events. ARGV: those of
   * the fence, group, count, how many events of a parked key may wait, floor, ids to acknowledge.
   * Result: the time now, the last id that was read or empty, how many were read, entries, the time
   * when the next delayed event is due or empty.
   */
  static final Script<List<@Nullable Object>> FETCH =
      script(
          FENCE
              + ACKNOWLEDGE
              + ParkingScripts.LANES
              + """
              acknowledge(KEYS[5], ARGV[8], 9)
              local due = redis.call('ZRANGEBYSCORE', KEYS[6], '-inf', text(now), 'LIMIT', '0', '100')
              for _, event in ipairs(due) do
                redis.call('ZREM', KEYS[6], event)
                redis.call('XADD', KEYS[1], '*', unpack(cmsgpack.unpack(event), 2))
              end
              local head = redis.call('ZRANGE', KEYS[6], '0', '0', 'WITHSCORES')
              local reply = redis.pcall('XREADGROUP', 'GROUP', ARGV[5], 'owner', 'COUNT', ARGV[6],
                'STREAMS', KEYS[1], '>')
              if reply and reply.err then return redis.error_reply('GONE ' .. reply.err) end
              local entries = reply and reply[1] and reply[1][2] or {}
              local last = #entries > 0 and entries[#entries][1] or ''
              return {text(now), last, #entries, withoutParked(entries), head[2] or ''}
              """,
          Replies.list(Replies.anyBytes()));

  /**
   * Reads events again that were taken and not acknowledged: those of an earlier owner, or those of
   * a FETCH whose answer got lost. It may count a start of those of which none has been counted.
   *
   * <p>KEYS: stream, owner hash, parked keys, dead letters, starts. ARGV: those of the fence,
   * group, count, how many events of a parked key may wait, the id to read behind, 1 to count
   * starts. Result: the time now, the last id that was read or empty, how many were read, entries,
   * and for each how often it was delivered, how often its start was counted or empty, and 1 if
   * this owner has counted one.
   */
  static final Script<List<@Nullable Object>> PENDING =
      script(
          FENCE
              + ParkingScripts.LANES
              + """
              local reply = redis.pcall('XREADGROUP', 'GROUP', ARGV[5], 'owner', 'COUNT', ARGV[6],
                'STREAMS', KEYS[1], ARGV[8])
              if reply and reply.err then return redis.error_reply('GONE ' .. reply.err) end
              local read = reply and reply[1] and reply[1][2] or {}
              local entries = withoutParked(read)
              local counts, starts, counted, ids = {}, {}, {}, {}
              if #entries > 0 then
                local first, last = entries[1][1], entries[#entries][1]
                local pending = redis.call('XPENDING', KEYS[1], ARGV[5], first, last, ARGV[6], 'owner')
                for i, entry in ipairs(pending) do counts[i] = entry[4] end
                for i, entry in ipairs(entries) do ids[i] = entry[1] end
                local known = redis.call('HMGET', KEYS[5], unpack(ids))
                for i, id in ipairs(ids) do
                  local count, epoch = string.match(known[i] or '', '(%d+) (%d+)')
                  if not count and ARGV[9] == '1' then
                    count, epoch = '1', ARGV[1]
                    redis.call('HSET', KEYS[5], id, '1 ' .. epoch)
                  end
                  starts[i] = count or ''
                  counted[i] = epoch == ARGV[1] and 1 or 0
                end
              end
              return {text(now), #read > 0 and read[#read][1] or '', #read, entries, counts, starts,
                counted}
              """,
          Replies.list(Replies.anyBytes()));

  /**
   * Counts the starts of events that an earlier owner has left; once for each owner. Result: how
   * often each was counted.
   *
   * <p>KEYS: stream, owner hash, starts. ARGV: those of the fence, ids.
   */
  static final Script<List<Long>> START =
      script(
          FENCE
              + """
              local counts = {}
              for i = 5, #ARGV do
                local known = redis.call('HGET', KEYS[3], ARGV[i]) or '0 0'
                local count, epoch = string.match(known, '(%d+) (%d+)')
                count = tonumber(count)
                if epoch ~= ARGV[1] then
                  count = count + 1
                  redis.call('HSET', KEYS[3], ARGV[i], text(count) .. ' ' .. ARGV[1])
                end
                counts[#counts + 1] = count
              end
              return counts
              """,
          Replies.list(Replies.integer()));

  /**
   * Acknowledges events.
   *
   * <p>KEYS: stream, owner hash, starts. ARGV: those of the fence, group, floor, ids.
   */
  static final Script<Long> ACK =
      script(FENCE + ACKNOWLEDGE + "return acknowledge(KEYS[3], ARGV[6], 7)", Replies.integer());

  /**
   * Moves an event to the dead letters. The original fields stay as they are; eight follow.
   *
   * <p>KEYS: stream, owner hash, parked keys, dead letters, starts. ARGV: those of the fence,
   * group, floor, cause, names of the handlers, attempts, id.
   */
  static final Script<Long> DEAD =
      script(
          FENCE
              + ACKNOWLEDGE
              + ParkingScripts.LANES
              + """
              if acknowledge(KEYS[5], ARGV[6], 10) == 0 then return 0 end
              local found = redis.call('XRANGE', KEYS[1], ARGV[10], ARGV[10])
              bury(ARGV[10], found[1] and found[1][2] or {}, ARGV[7], ARGV[8], ARGV[9])
              return 1
              """,
          Replies.integer());

  /** Ends the lease. KEYS: stream, owner hash. ARGV: those of the fence, successor or empty. */
  static final Script<Long> RELEASE =
      script(
          FENCE
              + """
              redis.call('HSET', KEYS[2], 'owner', '', 'until', text(now), 'next', ARGV[5])
              return 1
              """,
          Replies.integer());

  /**
   * Removes events that are older than a time and that every group has acknowledged.
   *
   * <p>KEYS: stream, owner hash. ARGV: those of the fence, age in milliseconds.
   */
  static final Script<Long> TRIM =
      script(
          FENCE
              + """
              local function before(a, b)
                local am, an = string.match(a, '(%d+)-(%d+)')
                local bm, bn = string.match(b, '(%d+)-(%d+)')
                if am ~= bm then return tonumber(am) < tonumber(bm) end
                return tonumber(an) < tonumber(bn)
              end
              local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
              if groups.err then return redis.error_reply('GONE ' .. groups.err) end
              local min = text(now - ARGV[5]) .. '-0'
              for _, facts in ipairs(groups) do
                local group = {}
                for i = 1, #facts, 2 do group[facts[i]] = facts[i + 1] end
                local id = group['last-delivered-id']
                if group['pending'] > 0 then
                  id = redis.call('XPENDING', KEYS[1], group['name'])[2]
                end
                if before(id, min) then min = id end
              end
              return redis.call('XTRIM', KEYS[1], 'MINID', min)
              """,
          Replies.integer());

  // ---- without an epoch: each is atomic, whichever member calls it

  /**
   * Emits an event with an id or a delay.
   *
   * <p>KEYS: stream, delayed events, and if the event has an id of its own the key that remembers
   * it. ARGV: delay in milliseconds, how long to remember the id in milliseconds, a unique text,
   * fields. Result: the entry's id, or the unique text for a delayed event; those of the first call
   * if the id is known.
   */
  static final Script<String> EMIT =
      script(
          NOW
              + """
              if KEYS[3] then
                local known = redis.call('GET', KEYS[3])
                if known then return known end
              end
              local id = ARGV[3]
              if ARGV[1] == '0' then
                id = redis.call('XADD', KEYS[1], '*', unpack(ARGV, 4))
              else
                redis.call('ZADD', KEYS[2], text(now + ARGV[1]), cmsgpack.pack({unpack(ARGV, 3)}))
              end
              if KEYS[3] then redis.call('SET', KEYS[3], id, 'PX', ARGV[2]) end
              return id
              """,
          Replies.text());

  /**
   * Stores the next time of a recurring event, and appends the event of the one before, if that is
   * the one which is expected.
   *
   * <p>KEYS: stream, schedules. ARGV: name, the next time that is expected or empty, the following
   * one, fields or none. Result: the time now, the next time that is stored then or empty.
   */
  static final Script<List<String>> SCHEDULE =
      script(
          NOW
              + """
              local stored = redis.call('HGET', KEYS[2], ARGV[1]) or ''
              if stored == ARGV[2] then
                if #ARGV > 3 then redis.call('XADD', KEYS[1], '*', unpack(ARGV, 4)) end
                redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
                stored = ARGV[3]
              end
              return {text(now), stored}
              """,
          Replies.list(Replies.text()));

  /** Forgets the next time of a recurring event. KEYS: stream, schedules. ARGV: name. */
  static final Script<Long> UNSCHEDULE =
      script("return redis.call('HDEL', KEYS[2], ARGV[1])", Replies.integer());

  /**
   * Moves a dead letter to the end of its partition, for the same group and handlers.
   *
   * <p>KEYS: stream, dead letters. ARGV: id of the dead letter, group. Result: the new id, or empty
   * if there is no such dead letter.
   */
  static final Script<String> REPLAY =
      script(
          """
          local found = redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1])
          if #found == 0 then return '' end
          local fields = found[1][2]
          local handlers = fields[#fields - 2]
          for _ = 1, 8 do table.remove(fields) end
          for _, each in ipairs({'g', ARGV[2], 'n', handlers}) do fields[#fields + 1] = each end
          redis.call('XDEL', KEYS[2], ARGV[1])
          return redis.call('XADD', KEYS[1], '*', unpack(fields))
          """,
          Replies.text());

  /** Stores the number of partitions unless there is one. KEYS: settings. ARGV: number. */
  static final Script<String> OPEN =
      script(
          """
          redis.call('HSETNX', KEYS[1], 'partitions', ARGV[1])
          return redis.call('HGET', KEYS[1], 'partitions')
          """,
          Replies.text());

  /**
   * Tells that a member lives, and who else does: a member that has not told so for two thirds of a
   * lease has missed a beat, and nothing is handed to it any more.
   *
   * <p>KEYS: members, settings. ARGV: member, lease, number of partitions. Result: the number of
   * partitions that is stored, then the members.
   */
  static final Script<List<String>> BEAT =
      script(
          NOW
              + """
              redis.call('ZADD', KEYS[1], text(now), ARGV[1])
              redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. text(now - ARGV[2] * 2 / 3))
              redis.call('HSETNX', KEYS[2], 'partitions', ARGV[3])
              local reply = redis.call('ZRANGE', KEYS[1], '0', '-1')
              table.insert(reply, 1, redis.call('HGET', KEYS[2], 'partitions'))
              return reply
              """,
          Replies.list(Replies.text()));

  /**
   * Tells that a member answers calls. KEYS: the members that do. ARGV: member, how long they are
   * believed to, in milliseconds.
   */
  static final Script<Long> LISTEN =
      script(
          NOW
              + """
              redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. text(now - ARGV[2]))
              return redis.call('ZADD', KEYS[1], text(now), ARGV[1])
              """,
          Replies.integer());

  /**
   * The members that live. KEYS: a set of {@link #LISTEN} or {@link #BEAT}. ARGV: as ARGV[2] there.
   */
  static final Script<List<String>> ALIVE =
      script(
          NOW + "return redis.call('ZRANGEBYSCORE', KEYS[1], text(now - ARGV[1]), '+inf')",
          Replies.list(Replies.text()));

  /** The owner of a partition, or empty. KEYS: owner hash. */
  static final Script<String> OWNER =
      script(
          NOW
              + """
              local facts = redis.call('HMGET', KEYS[1], 'owner', 'until')
              if tonumber(facts[2] or '0') <= now then return '' end
              return facts[1]
              """,
          Replies.text());

  /**
   * The member that receives calls for the owner of a partition, or empty: while the partition is
   * handed over, the successor, who refuses them until it is the owner. KEYS: owner hash. ARGV:
   * lease.
   */
  static final Script<String> OWNER_OR_NEXT =
      script(
          NOW
              + RESERVED
              + """
              local facts = redis.call('HMGET', KEYS[1], 'owner', 'until', 'next')
              local expiry = tonumber(facts[2] or '0')
              if expiry > now then return facts[1] end
              if now < reservedUntil(expiry, ARGV[1]) then return facts[3] or '' end
              return ''
              """,
          Replies.text());

  static <T extends @Nullable Object> Script<T> script(String text, Decoder<T> decoder) {
    return Script.of(text, decoder);
  }
}
