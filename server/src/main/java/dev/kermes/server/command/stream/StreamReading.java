package dev.kermes.server.command.stream;

import dev.kermes.resp.ByteText;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * XREAD and XREADGROUP. All keys, groups and IDs are checked before anything is delivered. Then
 * streams with entries are served; if there are none, the client waits.
 */
final class StreamReading {

  /** The meaning of the ID {@code >}: entries that the group has not delivered yet. */
  private static final StreamId NEW = StreamId.MAX;

  private static final long NOT_CLAIMING = -1;

  private final Call call;
  private final boolean isOfGroup;

  private long count = Long.MAX_VALUE;
  private long countOfAllMax = Long.MAX_VALUE;
  private long replyBytesMax = Long.MAX_VALUE;
  private boolean blocks;
  private long timeoutMillis;
  private boolean isAcknowledged;
  private long minIdleMillis = NOT_CLAIMING;
  private byte @Nullable [] groupName;
  private int consumerArg;
  private int firstKey;
  private int streams;
  private StreamId[] after = {};
  private @Nullable ConsumerGroup[] groups = {};
  private long claimableAtMillis = Long.MAX_VALUE;

  /** The part of the reply for the streams so far, and its number of entries. */
  private final DeferredArray served;

  private long servedEntries;

  private StreamReading(Call call, boolean isOfGroup) {
    this.call = call;
    this.isOfGroup = isOfGroup;
    served = new DeferredArray(call.reply());
  }

  static void execute(Call call, boolean isOfGroup) {
    call.log().nothing();
    StreamReading reading = new StreamReading(call, isOfGroup);
    reading.parse();
    if (!call.failed()) reading.resolve();
    if (call.failed() || reading.serve()) return;
    if (reading.blocks) reading.block();
    else call.reply().nilArray();
  }

  // Arguments

  private void parse() {
    int at = 1;
    while (at < call.argc() && firstKey == 0 && !call.failed()) at = option(at);
    if (call.failed()) return;
    if (firstKey == 0) call.syntaxError();
    else if (isOfGroup && groupName == null) {
      call.error("ERR Missing GROUP option for XREADGROUP");
    } else if (count != Long.MAX_VALUE && countOfAllMax < count) {
      call.error("ERR MAXCOUNT must be greater than or equal to COUNT");
    }
  }

  /** Reads one option; returns where the next one begins. */
  private int option(int at) {
    int more = call.argc() - at - 1;
    if (call.is(at, "BLOCK") && more > 0) {
      blocks = true;
      timeoutMillis = Arguments.timeoutMillis(call, at + 1);
      return at + 2;
    }
    if (call.is(at, "COUNT") && more > 0) {
      long wanted = call.integer(at + 1);
      count = wanted <= 0 ? Long.MAX_VALUE : wanted;
      return at + 2;
    }
    if (call.is(at, "MAXCOUNT") && more > 0) {
      countOfAllMax = positive(at + 1, "MAXCOUNT");
      return at + 2;
    }
    if (call.is(at, "MAXSIZE") && more > 0) {
      replyBytesMax = positive(at + 1, "MAXSIZE");
      return at + 2;
    }
    if (call.is(at, "STREAMS") && more > 0) {
      streams(at + 1);
      return at;
    }
    return groupOption(at, more);
  }

  private int groupOption(int at, int more) {
    if (call.is(at, "CLAIM") && more > 0) {
      if (requireGroup("CLAIM")) minIdleMillis = minIdle(at + 1);
      return at + 2;
    }
    if (call.is(at, "GROUP") && more > 1) {
      if (requireGroup("GROUP")) groupName = call.arg(at + 1);
      consumerArg = at + 2;
      return at + 3;
    }
    if (call.is(at, "NOACK")) {
      isAcknowledged = requireGroup("NOACK");
      return at + 1;
    }
    call.syntaxError();
    return at;
  }

  /** Replies an error for an option of XREADGROUP if the command is XREAD. */
  private boolean requireGroup(String option) {
    if (isOfGroup) return true;
    call.error(
        "ERR The " + option + " option is only supported by XREADGROUP. You called XREAD instead.");
    return false;
  }

  private long positive(int i, String option) {
    long number = call.integer(i);
    if (!call.failed() && number <= 0) {
      call.error("ERR " + option + " must be a positive integer");
    }
    return number;
  }

  private long minIdle(int i) {
    long millis = call.integer(i, "ERR min-idle-time is not an integer or out of range");
    if (!call.failed() && millis < 0) call.error("ERR min-idle-time must be a positive integer");
    return millis;
  }

  private void streams(int first) {
    int words = call.argc() - first;
    if (words % 2 != 0) {
      call.error(
          "ERR Unbalanced '"
              + call.spec().fullName()
              + "' list of streams: for each stream key an "
              + (isOfGroup ? "ID or '>'" : "ID, '+', or '$'")
              + " must be specified.");
    }
    firstKey = first;
    streams = words / 2;
  }

  // Streams, groups and IDs

  private void resolve() {
    after = new StreamId[streams];
    groups = new ConsumerGroup[streams];
    for (int i = 0; i < streams && !call.failed(); i++) {
      RedisStream stream = call.read(firstKey + i, RedisStream.class);
      if (call.failed()) return;
      if (groupName != null) {
        groups[i] = StreamGroupCommands.group(stream, groupName);
        if (groups[i] == null) noGroup(firstKey + i, groupName);
      }
      if (!call.failed()) after[i] = after(stream, firstKey + streams + i);
    }
  }

  private void noGroup(int keyArg, byte[] group) {
    call.error(
        "NOGROUP No such key '"
            + call.shown(keyArg)
            + "' or consumer group '"
            + ByteText.of(group, 0, group.length)
            + "' in XREADGROUP with GROUP option");
  }

  /** The ID after which to read. */
  private StreamId after(@Nullable RedisStream stream, int idArg) {
    if (call.is(idArg, "$")) {
      if (isOfGroup) meaningless('$');
      return stream == null ? StreamId.MIN : stream.lastId();
    }
    if (call.is(idArg, "+")) {
      if (isOfGroup) meaningless('+');
      return stream == null || stream.size() == 0 ? StreamId.MIN : stream.lastEntryId().previous();
    }
    if (call.is(idArg, ">")) {
      if (!isOfGroup) {
        call.error(
            "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group>"
                + " <consumer> option.");
      }
      return NEW;
    }
    EntryId id = EntryId.parse(call, idArg, false);
    return id == null ? StreamId.MIN : id.id();
  }

  private void meaningless(char id) {
    call.error(
        "ERR The "
            + id
            + " ID is meaningless in the context of XREADGROUP: you want to read the history of"
            + " this consumer by specifying a proper ID, or use the > ID to get new messages. The "
            + id
            + " ID would just return an empty result set.");
  }

  // Serving

  /** Serves the streams; returns whether any had entries, or was asked for its history. */
  private boolean serve() {
    for (int i = 0; i < streams && !isFull(0, 0); i++) {
      Object slot = call.database().lookup(call.arg(firstKey + i));
      if (!(slot instanceof RedisStream stream)) continue;
      ConsumerGroup group = groups[i];
      if (group == null) serveEntries(i, stream);
      else serveGroup(i, stream, group);
    }
    if (served.count() > 0) served.finishPairs();
    return served.count() > 0;
  }

  /**
   * Whether the reply has reached a limit, when the current stream contributes {@code entries} in
   * {@code bytes}. The first entry may be of any size.
   */
  private boolean isFull(int entries, long bytes) {
    long all = servedEntries + entries;
    return all >= countOfAllMax || all > 0 && served.length() + bytes >= replyBytesMax;
  }

  private boolean hasRoom(DeferredArray found) {
    return found.count() < count && !isFull(found.count(), found.length());
  }

  private void finish(DeferredArray found) {
    found.finishArray();
    servedEntries += found.count();
  }

  private void serveEntries(int i, RedisStream stream) {
    if (!after[i].isBefore(stream.lastEntryId())) return;
    DeferredArray found = new DeferredArray(begin(i));
    RedisStream.Entries entries = stream.entries(after[i].next(), StreamId.MAX, false);
    while (hasRoom(found) && entries.next()) {
      StreamCommands.writeEntry(entries, found.next());
    }
    finish(found);
  }

  /** Begins the part of the reply for one stream with its key. */
  private RespWriter begin(int i) {
    RespWriter out = served.next();
    if (out.protocol() == 2) out.array(2);
    call.slice(firstKey + i).write(out);
    return out;
  }

  private void serveGroup(int i, RedisStream stream, ConsumerGroup group) {
    Consumer known = group.consumer(call.arg(consumerArg));
    Consumer consumer =
        known != null
            ? known
            : StreamGroupCommands.addConsumer(call, firstKey + i, group, consumerArg);
    serveConsumer(i, stream, group, consumer);
    if (known == null && consumer.pending().size() == 0) { // otherwise XCLAIM creates it
      PropagatedStreamCommands.consumerCreated(call, firstKey + i, group, consumer.name());
    }
  }

  private void serveConsumer(int i, RedisStream stream, ConsumerGroup group, Consumer consumer) {
    consumer.seenAtMillis(call.nowMillis());
    if (!after[i].equals(NEW)) {
      serveHistory(new DeferredArray(begin(i)), i, stream, group, consumer);
      return;
    }
    boolean hasClaimable = minIdleMillis != NOT_CLAIMING && findClaimable(stream, group);
    boolean hasNew = group.lastId().isBefore(stream.lastEntryId());
    if (!hasClaimable && !hasNew) return;
    DeferredArray found = new DeferredArray(begin(i));
    if (hasClaimable) claim(found, i, stream, group, consumer);
    deliver(found, i, stream, group, consumer);
    finish(found);
    call.groupChanged(1);
  }

  private void serveHistory(
      DeferredArray found, int i, RedisStream stream, ConsumerGroup group, Consumer consumer) {
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, false);
    PendingEntry entry = consumer.pending().from(after[i].next());
    while (entry != null && hasRoom(found)) {
      RespWriter out = found.next();
      if (entries.moveTo(entry.id())) {
        StreamCommands.writeEntry(entries, out);
        group.deliveredAt(entry, call.nowMillis());
        entry.countDelivery();
      } else {
        out.array(2);
        out.bulk(entry.id().toString());
        out.nilArray();
      }
      entry = consumer.pending().after(entry);
    }
    finish(found);
  }

  /** Notes when the first pending entry will have been idle long enough; returns whether it is. */
  private boolean findClaimable(RedisStream stream, ConsumerGroup group) {
    PendingEntry entry = group.oldest();
    while (entry != null && !stream.contains(entry.id())) entry = group.later(entry);
    long since = entry == null ? call.nowMillis() : entry.deliveredAtMillis();
    long at = since > Long.MAX_VALUE - 1 - minIdleMillis ? Long.MAX_VALUE : since + minIdleMillis;
    claimableAtMillis = Math.min(claimableAtMillis, at);
    return entry != null && at <= call.nowMillis();
  }

  private void claim(
      DeferredArray found, int i, RedisStream stream, ConsumerGroup group, Consumer consumer) {
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, false);
    PendingEntry last = group.newest();
    PendingEntry entry = group.oldest();
    while (entry != null && hasRoom(found)) {
      PendingEntry next = entry == last ? null : group.later(entry);
      long idle = call.nowMillis() - entry.deliveredAtMillis();
      if (idle < minIdleMillis) return;
      if (entries.moveTo(entry.id())) {
        writeClaimed(found.next(), entries, idle, entry.deliveries());
        group.assign(entry, consumer, call.nowMillis());
        entry.countDelivery();
        PropagatedStreamCommands.claimed(call, firstKey + i, group, consumer, entry);
        consumer.activeAtMillis(call.nowMillis());
      }
      entry = next;
    }
  }

  private static void writeClaimed(
      RespWriter out, RedisStream.Entries entries, long idle, long deliveries) {
    out.array(4);
    out.bulk(entries.id().toString());
    entries.writeFields(out);
    out.integer(idle);
    out.integer(deliveries);
  }

  /** Delivers entries that the group has not delivered yet. */
  private void deliver(
      DeferredArray found, int i, RedisStream stream, ConsumerGroup group, Consumer consumer) {
    StreamId before = group.lastId();
    if (!hasRoom(found) || before.equals(StreamId.MAX)) return;
    RedisStream.Entries entries = stream.entries(before.next(), StreamId.MAX, false);
    while (hasRoom(found) && entries.next()) {
      StreamId id = entries.id();
      group.advance(stream, id);
      if (minIdleMillis != NOT_CLAIMING) writeClaimed(found.next(), entries, 0, 0);
      else StreamCommands.writeEntry(entries, found.next());
      if (isAcknowledged) continue;
      PendingEntry entry = group.deliver(id, consumer, call.nowMillis());
      PropagatedStreamCommands.claimed(call, firstKey + i, group, consumer, entry);
      consumer.activeAtMillis(call.nowMillis());
    }
    if (!group.lastId().equals(before))
      PropagatedStreamCommands.groupRead(call, firstKey + i, group);
  }

  // Waiting

  private void block() {
    StoredCommand command = call.storedCommand();
    for (int i = 0; i < streams; i++) {
      int idArg = firstKey + streams + i;
      if (!call.is(idArg, "$")) continue;
      command = command.with(idArg, after[i].toString().getBytes(StandardCharsets.US_ASCII));
    }
    call.waiting()
        .forStreams(
            firstKey,
            firstKey + streams - 1,
            timeoutMillis / 1000.0,
            command,
            isOfGroup,
            claimableAtMillis);
  }
}
