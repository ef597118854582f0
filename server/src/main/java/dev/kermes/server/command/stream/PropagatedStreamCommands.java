package dev.kermes.server.command.stream;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import dev.kermes.server.data.stream.StreamReferences;
import dev.kermes.server.data.stream.StreamTrim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands on streams that the write log contains instead of the executed ones; see {@link
 * PropagatedCommands}.
 */
final class PropagatedStreamCommands {

  private PropagatedStreamCommands() {}

  private static byte[] ascii(StreamId id) {
    return PropagatedCommands.ascii(id.toString());
  }

  /** XADD with the new ID and its producer; nothing if the command itself is that precise. */
  static void added(
      Call call, RedisStream stream, XaddOptions options, StreamId id, byte @Nullable [] iid) {
    StreamTrim trim = options.trim();
    boolean isExact = trim == null || !trim.wholeBlocks();
    boolean isGiven = options.id() != null && !options.id().hasAnySequence();
    if (!call.log().isRead() || isExact && isGiven) return;
    List<byte[]> command = new ArrayList<>(List.of(PropagatedCommands.ascii("XADD"), call.arg(1)));
    if (trim != null) addTrim(command, stream, trim);
    command.add(ascii(id));
    for (int i = options.idArg() + 1; i < call.argc(); i++) command.add(call.arg(i));
    call.log().instead(command);
    if (iid != null) {
      call.log().instead("XIDMPRECORD", call.arg(1), call.arg(options.pidArg()), iid, ascii(id));
    }
  }

  /** XTRIM to the stream's present size; nothing if the command itself was exact. */
  static void trimmed(Call call, RedisStream stream, StreamTrim trim) {
    if (!call.log().isRead() || !trim.wholeBlocks()) return;
    call.log().nothing();
    List<byte[]> command = new ArrayList<>(List.of(PropagatedCommands.ascii("XTRIM"), call.arg(1)));
    addTrim(command, stream, trim);
    call.log().instead(command);
  }

  private static void addTrim(List<byte[]> command, RedisStream stream, StreamTrim trim) {
    StreamId minId = trim.minId();
    command.add(PropagatedCommands.ascii(minId == null ? "MAXLEN" : "MINID"));
    command.add(PropagatedCommands.ascii("="));
    if (!trim.wholeBlocks())
      command.add(minId == null ? PropagatedCommands.ascii(trim.length()) : ascii(minId));
    else if (minId == null) command.add(PropagatedCommands.ascii(stream.size()));
    else command.add(ascii(stream.firstId()));
    if (trim.references() != StreamReferences.KEEPREF) {
      command.add(PropagatedCommands.ascii(trim.references().name()));
    }
  }

  /** XGROUP CREATECONSUMER. */
  static void consumerCreated(Call call, int keyArg, ConsumerGroup group, byte[] name) {
    if (!call.log().isRead()) return;
    call.log()
        .instead(
            "XGROUP",
            PropagatedCommands.ascii("CREATECONSUMER"),
            call.arg(keyArg),
            group.name(),
            name);
  }

  /** XGROUP SETID: the position that the group has read to. */
  static void groupRead(Call call, int keyArg, ConsumerGroup group) {
    if (!call.log().isRead()) return;
    call.log()
        .instead(
            "XGROUP",
            PropagatedCommands.ascii("SETID"),
            call.arg(keyArg),
            group.name(),
            ascii(group.lastId()),
            PropagatedCommands.ascii("ENTRIESREAD"),
            PropagatedCommands.ascii(group.entriesRead()));
  }

  /** XCLAIM: the entry is pending for that consumer, with its delivery time and count. */
  static void claimed(
      Call call, int keyArg, ConsumerGroup group, Consumer consumer, PendingEntry entry) {
    if (call.log().isRead()) claim(call, keyArg, group, consumer.name(), entry);
  }

  /** XCLAIM of a deleted entry, which makes the group forget it. */
  static void forgotten(Call call, ConsumerGroup group, PendingEntry entry) {
    if (call.log().isRead()) claim(call, 1, group, call.arg(3), entry);
  }

  private static void claim(
      Call call, int keyArg, ConsumerGroup group, byte[] consumer, PendingEntry entry) {
    call.log()
        .instead(
            "XCLAIM",
            call.arg(keyArg),
            group.name(),
            consumer,
            PropagatedCommands.ascii(0),
            ascii(entry.id()),
            PropagatedCommands.ascii("TIME"),
            PropagatedCommands.ascii(entry.deliveredAtMillis()),
            PropagatedCommands.ascii("RETRYCOUNT"),
            PropagatedCommands.ascii(entry.deliveries()),
            PropagatedCommands.ascii("FORCE"),
            PropagatedCommands.ascii("JUSTID"),
            PropagatedCommands.ascii("LASTID"),
            ascii(group.lastId()));
  }
}
