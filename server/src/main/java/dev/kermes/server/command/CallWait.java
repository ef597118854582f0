package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a call that cannot be answered yet. Its client blocks, and the handler runs again
 * from the start when the reason may be gone. Guarded by the keyspace lock.
 */
public final class CallWait {

  private final Call call;
  private final Engine engine;
  private @Nullable BlockedClient retry;
  private boolean isStillBlocked;

  CallWait(Call call, Engine engine) {
    this.call = call;
    this.engine = engine;
  }

  // For handlers

  /**
   * Waits until one of the keys gets a value; the handler returns, and runs again then. Inside a
   * transaction a client does not wait, and gets the reply for a timeout.
   */
  public void forKeys(
      int firstKeyArg, int lastKeyArg, double timeoutSeconds, boolean nilArrayOnTimeout) {
    if (call.isInTransaction()) {
      replyTimeout(call.reply(), nilArrayOnTimeout);
    } else if (retry != null) {
      isStillBlocked = true;
    } else {
      StoredCommand command = call.storedCommand();
      begin(keys(firstKeyArg, lastKeyArg), command, timeoutSeconds, nilArrayOnTimeout, false);
    }
  }

  /**
   * Waits like {@link #forKeys} for streams, and then runs another command than this one.
   *
   * @param needsKeys whether to run it also when a key is deleted or changes its type
   * @param wakeAtMillis the latest time to run it; {@link Long#MAX_VALUE} for none
   */
  public void forStreams(
      int firstKeyArg,
      int lastKeyArg,
      double timeoutSeconds,
      StoredCommand command,
      boolean needsKeys,
      long wakeAtMillis) {
    if (call.isInTransaction()) {
      call.reply().nilArray();
      return;
    }
    BlockedClient blocked = retry;
    isStillBlocked = blocked != null;
    if (blocked == null) {
      List<ByteKey> keys = keys(firstKeyArg, lastKeyArg);
      blocked = begin(keys, command, timeoutSeconds, true, needsKeys);
    }
    if (wakeAtMillis == Long.MAX_VALUE) return;
    long millis = wakeAtMillis - call.nowMillis();
    long wakeAtNanos = engine.keyspace().clock().nanos() + millis * 1_000_000;
    engine.blockedClients().wakeAt(blocked, wakeAtNanos);
    call.execution().deadlineAdded(wakeAtNanos);
  }

  /**
   * Waits for acknowledgements of replicas, or for the end of the server, but not for keys. After
   * the timeout the handler runs once more.
   */
  public void withoutKeys(double timeoutSeconds) {
    if (retry != null) isStillBlocked = true;
    else begin(List.of(), call.storedCommand(), timeoutSeconds, false, false);
  }

  /** Whether the handler runs again after a wait. */
  public boolean isRetry() {
    return retry != null;
  }

  /** Whether the wait has timed out. */
  public boolean isOverdue() {
    return retry != null && retry.deadlineNanos() - engine.keyspace().clock().nanos() <= 0;
  }

  private List<ByteKey> keys(int firstKeyArg, int lastKeyArg) {
    List<ByteKey> keys = new ArrayList<>();
    for (int i = firstKeyArg; i <= lastKeyArg; i++) {
      ByteKey key = new ByteKey(call.arg(i));
      if (!keys.contains(key)) keys.add(key);
    }
    return keys;
  }

  private BlockedClient begin(
      List<ByteKey> keys,
      StoredCommand command,
      double timeoutSeconds,
      boolean nilArray,
      boolean needsKeys) {
    long deadline = timeoutSeconds == 0 ? Long.MAX_VALUE : deadline(timeoutSeconds);
    BlockedClient blocked =
        new BlockedClient(
            call.session(), call.database(), keys, command, deadline, nilArray, needsKeys);
    engine.blockedClients().add(blocked);
    call.execution().deadlineAdded(deadline);
    return blocked;
  }

  private long deadline(double timeoutSeconds) {
    double nanos = timeoutSeconds * 1e9;
    return nanos > Long.MAX_VALUE / 4.0
        ? Long.MAX_VALUE
        : engine.keyspace().clock().nanos() + (long) Math.ceil(nanos);
  }

  public static void replyTimeout(RespWriter reply, boolean nilArray) {
    if (nilArray) reply.nilArray();
    else reply.nil();
  }

  // For the executor

  /** Marks the call as the retry of a blocked client. */
  public void retry(BlockedClient waiting) {
    retry = waiting;
    isStillBlocked = false;
  }

  public boolean isStillBlocked() {
    return isStillBlocked;
  }
}
