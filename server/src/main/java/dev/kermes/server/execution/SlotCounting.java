package dev.kermes.server.execution;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.SlotUsage;
import dev.kermes.server.command.Call;
import dev.kermes.server.config.FlagOption;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import org.jspecify.annotations.Nullable;

/**
 * Counts what each command costs the hash slot of its keys, for CLUSTER SLOT-STATS; by default it
 * counts nothing.
 *
 * <pre>
 *   a command          time, its bytes, its reply, and the bytes to the replicas
 *   a queued one       its bytes and the reply QUEUED; its time is part of EXEC's
 *   EXEC, a script     the same as a command, for the slot of the commands inside
 *   one that waits     all of it at the end of its wait
 *   one of the master  time and bytes
 * </pre>
 *
 * Guarded by the keyspace lock.
 */
final class SlotCounting {

  /** The size of MULTI as clients send it, which counts with EXEC. */
  private static final int MULTI_BYTES = 15;

  private static final int NANOS_PER_MICRO = 1000;

  /** The first word of a message of a shard channel. */
  private static final String MESSAGE = "smessage";

  private final Engine engine;
  private final CommandGuard guard;
  private final FlagOption isWanted;

  // The command that runs

  private boolean isOn;
  private int slot;
  private long micros;
  private long bytesIn;
  private int outputBefore;

  SlotCounting(Engine engine, CommandGuard guard) {
    this.engine = engine;
    this.guard = guard;
    isWanted = engine.settings().clusterOptions().countsSlotUsage;
  }

  /** Notes that a command, which the guard has checked last, is about to run. */
  void begin(Call call, int outputSize) {
    isOn = isCounting();
    if (isOn) begin(call, guard.slot(), outputSize);
  }

  /** Notes that a command of the master is about to run, which no guard checks. */
  void beginReplayed(Call call) {
    isOn = isCounting();
    if (isOn) begin(call, guard.slotOf(call), 0);
  }

  private boolean isCounting() {
    return engine.cluster() != null && isWanted.isOn();
  }

  private void begin(Call call, int slotOfKeys, int outputSize) {
    slot = slotOfKeys;
    micros = 0;
    bytesIn = bytes(call); // now, since the command may take its array
    if (CommandGuard.isExec(call.spec())) bytesIn += MULTI_BYTES;
    outputBefore = outputSize;
  }

  /** The size of a command as its client has sent it. */
  private static long bytes(Call call) {
    if (isLine(call)) return lineBytes(call);
    long bytes = headBytes(call.argc());
    for (int i = 0; i < call.argc(); i++) bytes += bulkBytes(call.length(i));
    return bytes;
  }

  /** Whether it was sent as a line of words: in an array, each word has a line of its own. */
  private static boolean isLine(Call call) {
    if (call.argc() == 1) return false;
    Slice name = call.slice(0);
    int end = name.offset() + name.length();
    return end < name.array().length && name.array()[end] != '\r';
  }

  private static long lineBytes(Call call) {
    long bytes = call.argc() + 1L; // a space between two words, and the end of the line
    for (int i = 0; i < call.argc(); i++) bytes += call.length(i);
    return bytes;
  }

  /** The size of a string with the line before it. */
  private static long bulkBytes(int length) {
    return headBytes(length) + length + 2L;
  }

  /** The size of the line before an array or a string. */
  private static int headBytes(int length) {
    return 1 + Integer.toString(length).length() + 2;
  }

  /** Notes the time that the command took, as INFO counts it. */
  void took(long nanos) {
    micros = nanos / NANOS_PER_MICRO;
  }

  /** Notes the slot of the keys of a script, which need not declare them. */
  void usedByScript(int slotOfKeys) {
    if (slot < 0) slot = slotOfKeys;
  }

  /** Counts the command that has run, unless it waits. */
  void end(Call call, int outputSize) {
    ClusterNode node = counted();
    if (node == null) return;
    BlockedClient waiting = call.session().blocked();
    if (waiting == null) {
      node.usage().add(slot, micros, bytesIn, outputSize - outputBefore + bytesToReplicas());
    } else {
      node.usage().beginWait(waiting, new SlotUsage.Costs(micros, bytesIn, 0));
    }
  }

  private long bytesToReplicas() {
    return engine.keyspace().log().unitBytes() * engine.replication().replicas().all().size();
  }

  /** Counts the command of the master that has run; nothing is replied. */
  void endReplayed() {
    ClusterNode node = counted();
    if (node != null) node.usage().add(slot, micros, bytesIn, 0);
  }

  /** The node, if the command that has run is to be counted. */
  private @Nullable ClusterNode counted() {
    boolean hasSlot = isOn && slot >= 0;
    isOn = false;
    return hasSlot ? engine.cluster() : null;
  }

  /** Counts the command of a client whose wait has ended. */
  void endWait(BlockedClient client, long replyBytes) {
    ClusterNode node = engine.cluster();
    if (node == null || !isWanted.isOn() || client.keys().isEmpty()) return;
    SlotUsage.Costs costs = node.usage().endWait(client);
    int slotOfKeys = HashSlots.of(client.keys().getFirst().bytes());
    node.usage().add(slotOfKeys, costs.micros(), costs.bytesIn(), replyBytes);
  }

  /** Counts messages of a shard channel to clients of a node. */
  static void countMessages(
      Engine engine, ClusterNode node, byte[] channel, int messageLength, int receivers) {
    if (!engine.settings().clusterOptions().countsSlotUsage.isOn()) return;
    long bytes =
        headBytes(3)
            + bulkBytes(MESSAGE.length())
            + bulkBytes(channel.length)
            + bulkBytes(messageLength);
    node.usage().add(HashSlots.of(channel), 0, 0, bytes * receivers);
  }
}
