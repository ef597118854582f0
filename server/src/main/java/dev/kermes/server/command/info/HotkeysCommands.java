package dev.kermes.server.command.info;

import static dev.kermes.server.command.MapEntries.number;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.stats.HotKeys;
import java.util.List;
import java.util.Map;

/** HOTKEYS: finds the keys that take most time and traffic. */
public final class HotkeysCommands {

  private static final int SLOT_MAX = 16_383;

  private HotkeysCommands() {}

  /**
   * HOTKEYS START METRICS count [CPU] [NET] [COUNT k] [DURATION seconds] [SAMPLE ratio]: begins to
   * record the cost of commands, and drops earlier results. O(1).
   */
  public static void hotkeysStart(Call call) {
    HotKeys current = call.engine().hotKeys().poll();
    if (current != null && current.isActive()) {
      call.error("ERR hotkey tracking session already in progress");
      return;
    }
    HotKeys.Options options = HotkeysOptions.parse(call);
    if (options == null) return;
    call.engine().hotKeys().begin(new HotKeys(options, call.nowMillis(), Info.processNanos()));
    call.reply().ok();
  }

  /** HOTKEYS STOP: stops the recording and replies OK, or nil if there is none. O(1). */
  public static void hotkeysStop(Call call) {
    if (call.engine().hotKeys().stop()) call.reply().ok();
    else call.reply().nil();
  }

  /** HOTKEYS RESET: drops the results. O(1). */
  public static void hotkeysReset(Call call) {
    HotKeys current = call.engine().hotKeys().poll();
    if (current != null && current.isActive()) {
      call.error("ERR hotkey tracking session in progress, stop tracking first");
      return;
    }
    call.engine().hotKeys().reset();
    call.reply().ok();
  }

  /** HOTKEYS HELP: the subcommands. */
  public static void hotkeysHelp(Call call) {
    Help.reply(call);
  }

  /**
   * HOTKEYS GET: replies an array of one map, for this server, with the most expensive keys; nil
   * without HOTKEYS START before. O(N log N), N: keys known.
   */
  public static void hotkeysGet(Call call) {
    HotKeys found = call.engine().hotKeys().poll();
    if (found == null) {
      call.reply().nil();
      return;
    }
    HotKeys.Options options = found.options();
    RespWriter reply = call.reply();
    reply.array(1);
    reply.map(7 + (options.byTime() ? 3 : 0) + (options.byBytes() ? 2 : 0));
    number(reply, "tracking-active", found.isActive() ? 1 : 0);
    number(reply, "sample-ratio", options.sampleRatio());
    replyAllSlots(reply);
    number(reply, "all-commands-all-slots-us", found.nanos() / 1000);
    number(reply, "net-bytes-all-commands-all-slots", found.bytes());
    number(reply, "collection-start-time-unix-ms", found.startMillis());
    number(reply, "collection-duration-ms", found.durationMillis(call.nowMillis()));
    if (options.byTime()) {
      long cpuNanos = Info.processNanos() - found.startCpuNanos();
      number(reply, "total-cpu-time-user-ms", cpuNanos / 1_000_000);
      number(reply, "total-cpu-time-sys-ms", 0); // Java does not report the kernel's share
    }
    if (options.byBytes()) number(reply, "total-net-bytes", found.trafficBytes());
    if (options.byTime()) replyKeys(reply, "by-cpu-time-us", found.byTime(), 1000);
    if (options.byBytes()) replyKeys(reply, "by-net-bytes", found.byBytes(), 1);
  }

  /** Replies the ranges of slots; a server without a cluster has a single one. */
  private static void replyAllSlots(RespWriter reply) {
    reply.bulk("selected-slots");
    reply.array(1);
    reply.array(2);
    reply.integer(0);
    reply.integer(SLOT_MAX);
  }

  /** Replies sums, rounded up: a key with any cost costs at least one unit. */
  private static void replyKeys(
      RespWriter reply, String name, List<Map.Entry<ByteKey, Long>> keys, long unit) {
    reply.bulk(name);
    reply.array(2 * keys.size());
    for (Map.Entry<ByteKey, Long> entry : keys) {
      reply.bulk(entry.getKey().bytes());
      reply.integer((entry.getValue() + unit - 1) / unit);
    }
  }
}
