package dev.kermes.server.command.sentinel;

import dev.kermes.server.command.Call;
import dev.kermes.server.sentinel.MonitoredMaster;
import dev.kermes.server.sentinel.SentinelGroup;
import java.util.Locale;

/**
 * SENTINEL SET, one option after the other: an error leaves those before it changed, as in Redis.
 */
final class MasterOptions {

  private static final String NO_SCRIPTS =
      "ERR Reconfiguration of scripts path is denied for security reasons. Check the"
          + " deny-scripts-reconfig configuration directive in your Sentinel configuration";

  private final Call call;
  private final SentinelGroup group;
  private final MonitoredMaster master;

  private MasterOptions(Call call, SentinelGroup group, MonitoredMaster master) {
    this.call = call;
    this.group = group;
    this.master = master;
  }

  static void set(Call call, SentinelGroup group, MonitoredMaster master) {
    MasterOptions options = new MasterOptions(call, group, master);
    int i = 3;
    while (i < call.argc() && !call.failed()) i = options.set(i);
    if (!call.failed()) call.reply().ok();
  }

  /** Sets the option of that argument; returns the index of the next one. */
  private int set(int i) {
    String option = call.text(i).toLowerCase(Locale.ROOT);
    int values = option.equals("rename-command") ? 2 : 1;
    if (i + values >= call.argc()) {
      unknown(i);
      return i;
    }
    switch (option) {
      case "quorum", "parallel-syncs", "failover-timeout", "down-after-milliseconds" ->
          setNumber(option, i, 1);
      case "master-reboot-down-after-period" -> setNumber(option, i, 0);
      case "notification-script", "client-reconfig-script" -> call.error(NO_SCRIPTS);
      case "auth-pass", "auth-user" -> {} // the servers are reached without a connection
      case "rename-command" -> checkRename(i);
      default -> unknown(i);
    }
    if (!call.failed()) announce(i, values);
    return i + values + 1;
  }

  private void unknown(int i) {
    call.error(
        "ERR Unknown option or number of arguments for SENTINEL SET '" + call.shown(i) + "'");
  }

  private void invalid(int i, int value) {
    call.error(
        "ERR Invalid argument '"
            + call.shown(value)
            + "' for SENTINEL SET '"
            + call.shown(i)
            + "'");
  }

  private void setNumber(String option, int i, long min) {
    String text = call.text(i + 1);
    boolean isNumber = text.matches("-?(0|[1-9]\\d{0,17})");
    long value = isNumber ? Long.parseLong(text) : -1;
    if (!isNumber || value < min) {
      invalid(i, i + 1);
      return;
    }
    group.locked(() -> {
      apply(option, value);
      return value;
    });
  }

  private void apply(String option, long value) {
    switch (option) {
      case "quorum" -> master.quorum((int) value);
      case "parallel-syncs" -> master.parallelSyncs((int) value);
      case "failover-timeout" -> master.failoverTimeoutMillis(value);
      case "down-after-milliseconds" -> master.downAfterMillis(value);
      default -> {} // a reboot is no failure here
    }
  }

  private void checkRename(int i) {
    if (call.text(i + 2).isEmpty()) invalid(i, i + 1);
    else if (call.text(i + 1).isEmpty()) invalid(i, i + 2);
  }

  private void announce(int i, int values) {
    StringBuilder text = new StringBuilder(group.locked(master::asEvent));
    for (int j = i; j <= i + values; j++) {
      boolean isSecret = j > i && call.is(i, "AUTH-PASS");
      text.append(' ').append(isSecret ? "******" : call.text(j));
    }
    group.announce("+set", text.toString());
  }
}
