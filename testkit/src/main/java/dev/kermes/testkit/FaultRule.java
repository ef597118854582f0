package dev.kermes.testkit;

import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.testkit.Fault.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule of {@link Faults}: conditions, then the fault, which completes the rule.
 *
 * <pre>{@code
 * faults.on("SET").key("user:*").nth(2).error("READONLY You can't write against a read only replica.");
 * }</pre>
 *
 * Any thread.
 */
public final class FaultRule {

  private final Faults faults;
  private final Matches matches;
  private final @Nullable String command;
  private @Nullable Pattern keys;
  private @Nullable String client;
  private int port;

  FaultRule(Faults faults, Matches matches, @Nullable String command) {
    this.faults = faults;
    this.matches = matches;
    this.command = command;
  }

  /** The name of a command in capitals. Throws if the table does not have it. */
  static String requireCommand(String name) {
    CommandSpec spec = Request.find(name);
    if (spec != null && !spec.isCallable()) {
      String example = spec.subcommands().get(0).name();
      throw new IllegalArgumentException(
          spec.name() + " has subcommands: name one of them, such as " + example);
    }
    if (spec != null) return spec.name();
    if (name.strip().equalsIgnoreCase(Faults.MAINTENANCE)) return Faults.MAINTENANCE;
    throw new IllegalArgumentException("unknown command: name=" + name);
  }

  // Conditions

  /**
   * Only commands with a key that matches the pattern, in which {@code *} is any text and {@code ?}
   * any character.
   *
   * @throws IllegalArgumentException if the rule's command has no keys
   */
  public FaultRule key(String pattern) {
    CommandSpec spec = command == null ? null : Request.find(command);
    if (spec != null && spec.keySpecs().isEmpty()) {
      throw new IllegalArgumentException(command + " has no keys: pattern=" + pattern);
    }
    return condition(() -> keys = glob(pattern));
  }

  private static Pattern glob(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /** Only commands of connections with this name, which CLIENT SETNAME or HELLO has set. */
  public FaultRule client(String name) {
    return condition(() -> client = name);
  }

  /** Only commands that arrive at this port: that of one node of a cluster, for instance. */
  public FaultRule port(int number) {
    return condition(() -> port = number);
  }

  /** Only the {@code number}-th of the commands that meet the other conditions, from 1. */
  public FaultRule nth(int number) {
    return condition(() -> matches.only(number));
  }

  /** Only the first {@code number} of the commands that meet the other conditions. */
  public FaultRule times(int number) {
    return condition(() -> matches.atMost(number));
  }

  /** Only this share of the commands, chosen at random; see {@link TestServer.Builder#seed}. */
  public FaultRule probability(double share) {
    return condition(() -> matches.probability(share));
  }

  private FaultRule condition(Runnable set) {
    faults.withLock(() -> matches.change(set));
    return this;
  }

  // Faults

  /** Delays the reply, and with it all later output of the connection, by the machine's clock. */
  public FaultRule delay(Duration time) {
    return delay(time, Duration.ZERO);
  }

  /** Delays the reply by {@code time} plus a random time of at most {@code jitter}. */
  public FaultRule delay(Duration time, Duration jitter) {
    Matches.requirePositive("delay", time);
    Matches.requirePositive("jitter", jitter);
    return complete(() -> matches.delay(time, jitter));
  }

  /**
   * Refuses the command with an error: the server does not execute it, and a transaction that it
   * belongs to fails.
   *
   * @param message the code and the text, such as {@code LOADING Redis is loading the dataset in
   *     memory} or {@code MOVED 3999 127.0.0.1:6381}
   */
  public FaultRule error(String message) {
    RespWriter reply = new RespWriter(64);
    reply.error(requireLine("error", message));
    return complete(Fault.replace(reply.toByteArray()));
  }

  /** Replies a simple string such as {@code OK}; the server does not execute the command. */
  public FaultRule reply(String text) {
    RespWriter reply = new RespWriter(64);
    reply.simple(requireLine("reply", text));
    return complete(Fault.replace(reply.toByteArray()));
  }

  private static String requireLine(String what, String text) {
    if (text.isBlank() || text.contains("\r") || text.contains("\n")) {
      throw new IllegalArgumentException(
          "an " + what + " is one line of text: " + what + "=" + text);
    }
    return text;
  }

  /**
   * The server executes the command, but its reply and everything after it are lost; the connection
   * stays open.
   */
  public FaultRule loseReply() {
    return complete(Fault.of(Kind.SILENCE));
  }

  /** The server executes the command, but the connection ends before the reply. */
  public FaultRule disconnectBeforeReply() {
    return complete(Fault.of(Kind.CLOSE_BEFORE));
  }

  /** The connection ends after the reply. */
  public FaultRule disconnectAfterReply() {
    return complete(Fault.of(Kind.CLOSE_AFTER));
  }

  /** The connection ends after the first half of the reply's bytes. */
  public FaultRule halfReply() {
    return complete(Fault.of(Kind.CLOSE_HALFWAY));
  }

  private FaultRule complete(Fault always) {
    return complete(() -> always);
  }

  private FaultRule complete(Supplier<Fault> chosen) {
    return condition(() -> matches.fault(chosen));
  }

  /** The number of commands that the fault has befallen. */
  public int hits() {
    return faults.withLock(matches::hits);
  }

  /** The fault for a command; null if the rule does not apply. */
  @Nullable Fault faultFor(Request request, String clientName, int arrivedAt) {
    return applies(request, clientName, arrivedAt) ? matches.next() : null;
  }

  private boolean applies(Request request, String clientName, int arrivedAt) {
    if (command != null && !command.equals(request.name()) && !isMaintenance(request)) return false;
    if (client != null && !client.equals(clientName)) return false;
    if (port != 0 && port != arrivedAt) return false;
    Pattern pattern = keys;
    if (pattern == null) return true;
    List<String> found = request.keys();
    return found.stream().anyMatch(key -> pattern.matcher(key).matches());
  }

  private boolean isMaintenance(Request request) {
    return Faults.MAINTENANCE.equals(command) && request.twoWords().equals(command);
  }

  @Override
  public String toString() {
    String name = command == null ? "any command" : command.toLowerCase(Locale.ROOT);
    return "rule for " + name + ": hits=" + hits();
  }
}
