package dev.kermes.server.command.replication;

import dev.kermes.server.command.Call;
import dev.kermes.server.replication.Replica;
import dev.kermes.server.replication.Replication;
import org.jspecify.annotations.Nullable;

/**
 * The options of FAILOVER.
 *
 * @param target the next master; null for any replica
 * @param timeoutMillis the time limit; 0 for none
 */
record FailoverOptions(
    Replication.@Nullable Address target, boolean isForced, boolean aborts, long timeoutMillis) {

  /** Reads the options; null after replying an error. */
  static @Nullable FailoverOptions parse(Call call) {
    Replication.Address target = null;
    boolean isForced = false;
    boolean aborts = false;
    long timeoutMillis = 0;
    for (int i = 1; i < call.argc(); i++) {
      int more = call.argc() - i - 1;
      if (call.is(i, "TIMEOUT") && more >= 1 && timeoutMillis == 0) {
        timeoutMillis = call.integer(++i);
        boolean isWrong = !call.failed() && timeoutMillis <= 0;
        if (isWrong) call.error("ERR FAILOVER timeout must be greater than 0");
      } else if (call.is(i, "TO") && more >= 2 && target == null) {
        long port = call.integer(i + 2);
        target = new Replication.Address(call.utf8(i + 1), (int) port);
        i += 2;
      } else if (call.is(i, "FORCE") && !isForced) {
        isForced = true;
      } else if (call.is(i, "ABORT") && call.argc() == 2) {
        aborts = true;
      } else {
        call.syntaxError();
      }
      if (call.failed()) return null;
    }
    return new FailoverOptions(target, isForced, aborts, timeoutMillis);
  }

  /** The reason why a failover is refused now, null if it is not. */
  @Nullable String whyRefused(Replication replication) {
    boolean isOn = replication.failover().isOn();
    if (aborts) return isOn ? null : "ERR No failover in progress.";
    if (isOn) return "ERR FAILOVER already in progress.";
    if (replication.isReplica()) return "ERR FAILOVER is not valid when server is a replica.";
    if (replication.replicas().all().isEmpty()) return "ERR FAILOVER requires connected replicas.";
    if (isForced && (timeoutMillis == 0 || target == null)) {
      return "ERR FAILOVER with force option requires both a timeout and target HOST and IP.";
    }
    return target == null ? null : whyNotTo(target, replication);
  }

  private static @Nullable String whyNotTo(Replication.Address target, Replication replication) {
    for (Replica replica : replication.replicas().all()) {
      if (!replica.address().equals(target)) continue;
      boolean isOnline = replica.state() == Replica.State.ONLINE;
      return isOnline ? null : "ERR FAILOVER target replica is not online.";
    }
    return "ERR FAILOVER target HOST and PORT is not a replica.";
  }
}
