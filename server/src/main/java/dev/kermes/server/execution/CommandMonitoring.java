package dev.kermes.server.execution;

import dev.kermes.commands.KeyFinder;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.TrackingMode;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallArguments;
import dev.kermes.server.command.ClientLine;
import dev.kermes.server.config.MonitoringOptions;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.Quoted;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.flight.SlowCommand;
import dev.kermes.server.stats.HotKeys;
import dev.kermes.server.stats.SlowLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reports executed commands: to MONITOR, the logs, latency, client-side caches. */
final class CommandMonitoring {

  private static final byte[] REDACTED = "(redacted)".getBytes(StandardCharsets.US_ASCII);

  /** Options whose values are secrets. */
  private static final Set<String> SECRETS =
      Set.of(
          "REQUIREPASS",
          "MASTERAUTH",
          "MASTERUSER",
          "PRIMARYAUTH",
          "PRIMARYUSER",
          "TLS-KEY-FILE-PASS",
          "TLS-CLIENT-KEY-FILE-PASS");

  private CommandMonitoring() {}

  /** Called before a command that must be reported. */
  static void begin(Call call) {
    call.engine().clients().current(call.client());
    if (call.spec().skipsMonitor() && isScript(call)) monitor(call);
  }

  /** Called after it. */
  static void end(Call call, long elapsedNanos, long replyBytes) {
    Engine engine = call.engine();
    boolean isShown = !call.spec().isAdmin() && !isScript(call);
    if (isShown && !engine.clients().monitors().isEmpty()) monitor(call);
    engine.keyspace().noteLatency(call.spec().isFast() ? "fast-command" : "command", elapsedNanos);
    logLarge(call, replyBytes);
    long bytes = ClientLine.requestLength(call) + replyBytes;
    if (!call.isFromScript()) countKeys(call, elapsedNanos, bytes); // counted with the script
    TrackingMode tracking = call.client().tracking();
    boolean reads = call.spec().isReadOnly() && !isScript(call);
    if (reads && tracking != null && tracking.remembersReads()) {
      KeyFinder.find(
          call.spec(),
          new CallArguments(call, 0),
          (index, keyFlags) -> engine.tracking().read(call.client(), call.arg(index)));
    }
  }

  /** Counts the cost of a command for its keys during a recording of HOTKEYS. */
  static void countKeys(Call call, long elapsedNanos, long bytes) {
    HotKeys hotKeys = call.engine().hotKeys().poll();
    if (hotKeys == null || !hotKeys.isActive()) return;
    List<ByteKey> keys = new ArrayList<>();
    KeyFinder.find(
        call.spec(),
        new CallArguments(call, 0),
        (index, keyFlags) -> keys.add(new ByteKey(call.arg(index))));
    if (keys.isEmpty()) return;
    boolean isSampled = call.random().nextInt(hotKeys.options().sampleRatio()) == 0;
    if (isSampled) hotKeys.count(keys, elapsedNanos, bytes);
    else hotKeys.count(elapsedNanos, bytes);
  }

  /** Whether a command is a script, which is shown before the commands that it calls. */
  private static boolean isScript(Call call) {
    return call.spec().group().equals("scripting");
  }

  // MONITOR

  private static void monitor(Call call) {
    Session session = call.session();
    long millis = call.engine().keyspace().clock().millis();
    StringBuilder line = new StringBuilder("+");
    line.append(
        "%d.%06d [%d ".formatted(millis / 1000, millis % 1000 * 1000, call.database().index()));
    line.append(session.connection().peerAddress()).append(']');
    for (int i = 0; i < call.argc(); i++) {
      line.append(' ');
      if (isSecret(call, i)) Quoted.append(line, Slice.of(REDACTED));
      else Quoted.append(line, call.slice(i));
    }
    byte[] encoded = line.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    for (Session monitor : call.engine().clients().monitors()) monitor.output().send(encoded);
  }

  /** Whether an argument is a password, or is in the position of one. */
  private static boolean isSecret(Call call, int i) {
    return switch (call.spec().name()) {
      case "AUTH" -> i > 0;
      case "HELLO" -> i > 2 && call.is(i - 1, "AUTH") || i > 3 && call.is(i - 2, "AUTH");
      case "ACL SETUSER", "ACL DELUSER", "ACL GETUSER" -> i > 1;
      case "MIGRATE" ->
          i > 6 && call.is(i - 1, "AUTH")
              || i > 6 && call.is(i - 1, "AUTH2")
              || i > 7 && call.is(i - 2, "AUTH2");
      case "CONFIG SET" ->
          i > 2 && i % 2 == 1 && SECRETS.contains(call.text(i - 1).toUpperCase(Locale.ROOT));
      default -> false;
    };
  }

  // Logs

  static void logSlow(Call call, long elapsedNanos) {
    MonitoringOptions limits = call.engine().settings().monitoringOptions();
    log(call, call.engine().slowLogs().slow(), elapsedNanos / 1000, limits.slowMax.intValue());
    SlowCommand.record(call.spec().name(), call.client().connection().peerAddress(), elapsedNanos);
  }

  private static void logLarge(Call call, long replyBytes) {
    MonitoringOptions limits = call.engine().settings().monitoringOptions();
    if (limits.requestLargerThan.value() >= 0 && limits.largeRequestMax.intValue() > 0) {
      long bytes = 0;
      for (int i = 0; i < call.argc(); i++) bytes += call.length(i);
      if (bytes >= limits.requestLargerThan.value()) {
        log(
            call,
            call.engine().slowLogs().largeRequests(),
            bytes,
            limits.largeRequestMax.intValue());
      }
    }
    boolean isLarge =
        limits.replyLargerThan.value() >= 0 && replyBytes >= limits.replyLargerThan.value();
    if (isLarge && limits.largeReplyMax.intValue() > 0) {
      log(
          call,
          call.engine().slowLogs().largeReplies(),
          replyBytes,
          limits.largeReplyMax.intValue());
    }
  }

  private static void log(Call call, SlowLog log, long amount, int entriesMax) {
    if (call.spec().skipsSlowLog()) return;
    long unixSeconds = call.engine().keyspace().clock().millis() / 1000;
    Session client = call.client();
    String peer = client.connection().peerAddress();
    log.add(unixSeconds, amount, shortened(call), peer, client.info().name(), entriesMax);
  }

  private static List<byte[]> shortened(Call call) {
    int shown = Math.min(call.argc(), SlowLog.ARGUMENTS_MAX);
    List<byte[]> arguments = new ArrayList<>(shown);
    for (int i = 0; i < shown; i++) {
      boolean isLast = i == SlowLog.ARGUMENTS_MAX - 1 && call.argc() > SlowLog.ARGUMENTS_MAX;
      if (isLast) arguments.add(ascii("... (" + (call.argc() - shown + 1) + " more arguments)"));
      else arguments.add(isSecret(call, i) ? REDACTED : shortened(call, i));
    }
    return arguments;
  }

  private static byte[] shortened(Call call, int i) {
    int more = call.length(i) - SlowLog.ARGUMENT_LENGTH_MAX;
    if (more <= 0) return call.arg(i);
    byte[] tail = ascii("... (" + more + " more bytes)");
    byte[] text = new byte[SlowLog.ARGUMENT_LENGTH_MAX + tail.length];
    Slice whole = call.slice(i);
    System.arraycopy(whole.array(), whole.offset(), text, 0, SlowLog.ARGUMENT_LENGTH_MAX);
    System.arraycopy(tail, 0, text, SlowLog.ARGUMENT_LENGTH_MAX, tail.length);
    return text;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
