package dev.kermes.server.command.info;

import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.stats.Durations;
import dev.kermes.server.stats.LatencyMonitor.History;
import dev.kermes.server.stats.LatencyMonitor.Sample;
import dev.kermes.server.stats.SlowLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server's records of its work: slow commands, latency, and all commands. */
public final class LogCommands {

  private static final int SLOWLOG_DEFAULT = 10;
  private static final String BAD_COUNT = "ERR count should be greater than or equal to -1";

  private LogCommands() {}

  // SLOWLOG and COMMANDLOG

  /** SLOWLOG GET [count]: replies entries, newest first; 10 by default, -1 for all. */
  public static void slowlogGet(Call call) {
    if (call.argc() > 3) {
      Arguments.subcommandMistake(call);
      return;
    }
    replyEntries(call, call.engine().slowLogs().slow(), call.argc() == 3);
  }

  /** SLOWLOG LEN: replies the number of entries. O(1). */
  public static void slowlogLen(Call call) {
    call.reply().integer(call.engine().slowLogs().slow().entries().size());
  }

  /** SLOWLOG RESET: deletes all entries. */
  public static void slowlogReset(Call call) {
    call.engine().slowLogs().slow().clear();
    call.reply().ok();
  }

  /** SLOWLOG HELP: the subcommands. */
  public static void slowlogHelp(Call call) {
    Help.reply(call);
  }

  /** COMMANDLOG GET count type: the same for a log of slow or large commands. */
  public static void commandlogGet(Call call) {
    SlowLog log = log(call, 3);
    if (log != null) replyEntries(call, log, true);
  }

  /** COMMANDLOG LEN type: replies the number of entries. O(1). */
  public static void commandlogLen(Call call) {
    SlowLog log = log(call, 2);
    if (log != null) call.reply().integer(log.entries().size());
  }

  /** COMMANDLOG RESET type: deletes all entries. */
  public static void commandlogReset(Call call) {
    SlowLog log = log(call, 2);
    if (log == null) return;
    log.clear();
    call.reply().ok();
  }

  /** COMMANDLOG HELP: the subcommands. */
  public static void commandlogHelp(Call call) {
    Help.reply(call);
  }

  private static @Nullable SlowLog log(Call call, int i) {
    if (call.is(i, "SLOW")) return call.engine().slowLogs().slow();
    if (call.is(i, "LARGE-REQUEST")) return call.engine().slowLogs().largeRequests();
    if (call.is(i, "LARGE-REPLY")) return call.engine().slowLogs().largeReplies();
    call.error("ERR type should be one of the following: slow, large-request, large-reply");
    return null;
  }

  private static void replyEntries(Call call, SlowLog log, boolean hasCount) {
    long count =
        hasCount
            ? Arguments.integerOrError(call, 2, -1, Long.MAX_VALUE, BAD_COUNT)
            : SLOWLOG_DEFAULT;
    if (call.failed()) return;
    int shown = (int) Math.min(count == -1 ? Integer.MAX_VALUE : count, log.entries().size());
    RespWriter reply = call.reply();
    reply.array(shown);
    for (SlowLog.Entry entry : log.entries()) {
      if (shown-- == 0) break;
      reply.array(6);
      reply.integer(entry.id());
      reply.integer(entry.unixSeconds());
      reply.integer(entry.amount());
      reply.array(entry.arguments().size());
      for (byte[] argument : entry.arguments()) reply.bulk(argument);
      reply.bulk(entry.peer());
      reply.bulk(entry.clientName());
    }
  }

  // LATENCY

  /** LATENCY HISTORY event: replies the time and milliseconds of its spikes. */
  public static void latencyHistory(Call call) {
    History history = history(call, 2);
    List<Sample> samples = history == null ? List.of() : history.samples();
    call.reply().array(samples.size());
    for (Sample sample : samples) {
      call.reply().array(2);
      call.reply().integer(sample.unixSeconds());
      call.reply().integer(sample.millis());
    }
  }

  private static @Nullable History history(Call call, int i) {
    return call.engine().keyspace().latency().histories().get(call.text(i));
  }

  /** LATENCY LATEST: replies each event's last spike and the longest one. */
  public static void latencyLatest(Call call) {
    Map<String, History> histories = call.engine().keyspace().latency().histories();
    call.reply().array(histories.size());
    histories.forEach((event, history) -> {
      call.reply().array(4);
      call.reply().bulk(event);
      call.reply().integer(history.last().unixSeconds());
      call.reply().integer(history.last().millis());
      call.reply().integer(history.maxMillis());
    });
  }

  /**
   * LATENCY RESET [event ...]: deletes the history of those events, or of all; replies how many.
   */
  public static void latencyReset(Call call) {
    Map<String, History> histories = call.engine().keyspace().latency().histories();
    int before = histories.size();
    if (call.argc() == 2) histories.clear();
    for (int i = 2; i < call.argc(); i++) histories.remove(call.text(i));
    call.reply().integer(before - histories.size());
  }

  /** LATENCY GRAPH event: replies its history as a drawing in characters. */
  public static void latencyGraph(Call call) {
    History history = history(call, 2);
    if (history == null) {
      call.error("ERR No samples available for event '" + call.shown(2) + "'");
      return;
    }
    call.reply().verbatim("txt", LatencyReport.graph(call.text(2), history, call.nowMillis()));
  }

  /** LATENCY DOCTOR: replies an analysis of the spikes in words. */
  public static void latencyDoctor(Call call) {
    call.reply().verbatim("txt", LatencyReport.advice(call.engine()));
  }

  /**
   * LATENCY HISTOGRAM [command ...]: replies how many calls took at most 1, 2, 4 … microseconds.
   */
  public static void latencyHistogram(Call call) {
    call.execution().settleTimes();
    List<CommandSpec> specs = new ArrayList<>();
    for (CommandSpec spec : asked(call)) {
      if (call.engine().statistics().durations(spec.id()) != null) specs.add(spec);
    }
    call.reply().map(specs.size());
    for (CommandSpec spec : specs) {
      Durations durations = call.engine().statistics().durations(spec.id());
      call.reply().bulk(spec.fullName());
      if (durations != null) replyHistogram(call.reply(), durations);
    }
  }

  /** The named commands with their subcommands; unknown names are ignored. */
  private static Iterable<CommandSpec> asked(Call call) {
    if (call.argc() == 2) return call.execution().table().all();
    List<CommandSpec> specs = new ArrayList<>();
    for (int i = 2; i < call.argc(); i++) {
      String name = call.text(i).toUpperCase(Locale.ROOT).replace('|', ' ');
      CommandSpec spec = call.execution().table().find(name);
      if (spec == null) continue;
      specs.add(spec);
      specs.addAll(spec.subcommands());
    }
    return specs;
  }

  private static void replyHistogram(RespWriter reply, Durations durations) {
    List<Long> pairs = new ArrayList<>();
    long before = 0;
    for (long micros = 1; before < durations.total(); micros *= 2) {
      long count = durations.countUpTo(micros * 1000);
      if (micros > 1 << 20) count = durations.total();
      if (count > before) {
        pairs.add(micros);
        pairs.add(count);
      }
      before = count;
    }
    reply.map(2);
    reply.bulk("calls");
    reply.integer(durations.total());
    reply.bulk("histogram_usec");
    reply.map(pairs.size() / 2);
    for (long number : pairs) reply.integer(number);
  }

  /** LATENCY HELP: the subcommands. */
  public static void latencyHelp(Call call) {
    Help.reply(call);
  }

  // MONITOR

  /** MONITOR: shows this connection every command from now on. O(1). */
  public static void monitor(Call call) {
    call.engine().clients().monitor(call.session(), true);
    call.reply().ok();
  }
}
