package dev.kermes.testkit;

import dev.kermes.resp.RespWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The faults that clients of a {@link TestDeployment} meet.
 *
 * <pre>{@code
 * server.faults().on("GET").key("user:*").times(2).error("LOADING Redis is loading the dataset in memory");
 * server.faults().on("EXEC").nth(3).disconnectBeforeReply();
 * server.faults().onAny().delay(Duration.ofMillis(5), Duration.ofMillis(2));
 * }</pre>
 *
 * The first rule that applies to a command decides. {@link TestDeployment#reset} removes all rules.
 *
 * <p>Faults need to know which reply belongs to which command. After MONITOR, SYNC, PSYNC or CLIENT
 * REPLY a connection meets only {@link #freeze} and the faults of the network. Any thread.
 */
public final class Faults {

  /** The command by which clients ask for pushes about maintenance. */
  static final String MAINTENANCE = "CLIENT MAINT_NOTIFICATIONS";

  private final ReentrantLock lock = new ReentrantLock();
  private final List<FaultRule> rules = new ArrayList<>();
  private final List<PushRule> pushRules = new ArrayList<>();
  private final Gate gate = new Gate();
  private final Random random;
  private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile Pace pace = Pace.FULL;

  Faults(long seed) {
    random = new Random(seed);
  }

  // Rules

  /**
   * Begins a rule for a command, or a subcommand such as {@code CLIENT LIST}.
   *
   * @throws IllegalArgumentException if there is no such command
   */
  public FaultRule on(String command) {
    return add(new FaultRule(this, new Matches(random), FaultRule.requireCommand(command)));
  }

  /** Begins a rule for every command. */
  public FaultRule onAny() {
    return add(new FaultRule(this, new Matches(random), null));
  }

  private FaultRule add(FaultRule rule) {
    withLock(() -> rules.add(rule));
    return rule;
  }

  /**
   * Begins a rule for messages that the server sends without a request.
   *
   * @param kind {@code message}, {@code pmessage}, {@code smessage}, {@code invalidate} or another
   *     kind of push
   */
  public PushRule onPush(String kind) {
    PushRule rule = new PushRule(this, new Matches(random), kind);
    withLock(() -> pushRules.add(rule));
    return rule;
  }

  /** Removes all rules, and ends {@link #freeze}, {@link #slice} and {@link #bandwidth}. */
  public void clear() {
    withLock(() -> {
      rules.clear();
      pushRules.clear();
    });
    pace = Pace.FULL;
    thaw();
  }

  // The whole server

  /**
   * Freezes the server for its clients, as a suspended process does: connections stay open and new
   * ones are taken by the operating system, but no byte comes back until {@link #thaw}.
   */
  public void freeze() {
    gate.shut(true);
  }

  /** Ends {@link #freeze}; commands that have arrived until then are executed. */
  public void thaw() {
    gate.shut(false);
  }

  /** Closes all connections of clients, as a server that is killed; new ones are accepted. */
  public void disconnectAll() {
    for (ProxyConnection each : connections) each.close();
  }

  /** Resets all connections of clients, as a firewall or a host that has restarted does. */
  public void resetAll() {
    for (ProxyConnection each : connections) each.reset();
  }

  // The network

  /**
   * Cuts requests and replies into pieces of at most {@code bytes}, each sent by itself, with a
   * pause after each by the machine's clock. It takes the place of {@link #bandwidth}.
   *
   * @throws IllegalArgumentException for less than one byte, or a negative pause
   */
  public void slice(int bytes, Duration pause) {
    pace = Pace.pieces(bytes, pause);
  }

  /**
   * Limits the bytes a second of each connection, in each direction, by the machine's clock. It
   * takes the place of {@link #slice}.
   *
   * @throws IllegalArgumentException for less than one byte
   */
  public void bandwidth(long bytesPerSecond) {
    pace = Pace.bytesPerSecond(bytesPerSecond);
  }

  // Pushes

  /**
   * Sends a push to all connections that speak RESP3, such as {@code MOVING}, {@code MIGRATING},
   * {@code MIGRATED}, {@code FAILING_OVER} or {@code FAILED_OVER}. Clients that first ask for them
   * by CLIENT MAINT_NOTIFICATIONS get their reply by {@code on("CLIENT
   * MAINT_NOTIFICATIONS").reply("OK")}.
   *
   * @param values the elements after the kind: text, integers, or null
   * @return the number of connections
   * @throws IllegalStateException if no connection speaks RESP3
   * @throws IllegalArgumentException for a value of another type
   */
  public int push(String kind, @Nullable Object... values) {
    RespWriter out = new RespWriter(64);
    out.protocol(3);
    out.push(values.length + 1);
    out.bulk(kind);
    for (Object each : values) write(out, each);
    int sent = 0;
    for (ProxyConnection each : connections) if (each.push(out.toByteArray())) sent++;
    if (sent == 0) {
      throw new IllegalStateException(
          "no connection speaks RESP3, which pushes need: connections=" + connections.size());
    }
    return sent;
  }

  private static void write(RespWriter out, @Nullable Object value) {
    switch (value) {
      case null -> out.nil();
      case String text -> out.bulk(text);
      case Integer number -> out.integer(number);
      case Long number -> out.integer(number);
      default ->
          throw new IllegalArgumentException(
              "an element of a push is text, an integer or null: " + value.getClass().getName());
    }
  }

  // For connections

  Set<ProxyConnection> connections() {
    return connections;
  }

  /** The pace of the network at present. */
  Pace pace() {
    return pace;
  }

  /** Waits while the server is frozen. */
  void passGate() throws InterruptedException {
    gate.pass();
  }

  /** The fault for a command that has arrived; null without. */
  @Nullable Fault faultFor(Request request, String clientName, int port) {
    return withLock(() -> {
      for (FaultRule each : rules) {
        Fault fault = each.faultFor(request, clientName, port);
        if (fault != null) return fault;
      }
      return null;
    });
  }

  /** The fault for a push that is about to be sent; null without. */
  @Nullable Fault faultForPush(String kind) {
    return withLock(() -> {
      for (PushRule each : pushRules) {
        Fault fault = each.faultFor(kind);
        if (fault != null) return fault;
      }
      return null;
    });
  }

  void withLock(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  <T extends @Nullable Object> T withLock(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
