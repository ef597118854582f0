package dev.kermes.testkit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.ManualClock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The server of one test class, for the extensions of test frameworks: a server that the classes of
 * this JVM share, or one of its own.
 *
 * <pre>{@code
 * ServerLease lease = ServerLease.shared(); // before the class
 * lease.server().reset();                   // before each test
 * lease.report(failure);                    // after a test that has failed
 * lease.close();                            // after the class
 * }</pre>
 *
 * Classes one after another get the same shared server, classes at the same time one each. Any
 * thread.
 */
public final class ServerLease implements AutoCloseable {

  private static final Map<Class<?>, Function<TestServer, Object>> PARTS =
      Map.of(
          TestServer.class,
          server -> server,
          RedisClient.class,
          TestServer::client,
          ManualClock.class,
          TestServer::clock,
          Faults.class,
          TestServer::faults);

  private final TestServer server;
  private final Runnable end;

  private ServerLease(TestServer server, Runnable end) {
    this.server = server;
    this.end = end;
  }

  /**
   * Lends a shared server, which has been reset.
   *
   * @throws IllegalStateException if the server is a real one, and another class has it or it
   *     cannot be reset
   */
  public static ServerLease shared() {
    TestServer server = DeploymentPool.SERVERS.take();
    return new ServerLease(server, () -> DeploymentPool.SERVERS.giveBack(server));
  }

  /** Starts a server for this class only; {@link #close} ends it. */
  public static ServerLease own(TestServer.Builder builder) {
    TestServer server = builder.start();
    return new ServerLease(server, server::close);
  }

  /**
   * Lends a shared server if there are neither options nor real time, and otherwise starts one.
   *
   * @param options lines of redis.conf, such as {@code maxmemory 10mb}
   * @throws IllegalArgumentException for a line without a value, an unknown option or a wrong value
   */
  public static ServerLease of(List<String> options, boolean isRealTime) {
    if (options.isEmpty() && !isRealTime) return shared();
    TestServer.Builder builder = TestServer.builder();
    for (String option : options) {
      String[] parts = option.strip().split("\\s+", 2);
      if (parts.length < 2) {
        throw new IllegalArgumentException("an option is a name and a value: option=" + option);
      }
      builder.option(parts[0], parts[1]);
    }
    return own(isRealTime ? builder.realTime() : builder);
  }

  /**
   * Ends the shared servers, clusters and sentinels that no class has; the end of the JVM does the
   * same.
   */
  public static void closeUnused() {
    DeploymentPool.closeUnused();
  }

  /** The server. */
  public TestServer server() {
    return server;
  }

  /** Whether {@link #part} has a value of this type. */
  public static boolean hasPart(Class<?> type) {
    return PARTS.containsKey(type);
  }

  /**
   * The value for a parameter of this type: the server, its client, clock or faults.
   *
   * @throws IllegalArgumentException for another type
   * @throws IllegalStateException for the clock of a server that has none
   */
  public Object part(Class<?> type) {
    Function<TestServer, Object> part = PARTS.get(type);
    if (part != null) return part.apply(server);
    throw new IllegalArgumentException("no part of a server: type=" + type.getName());
  }

  /** Adds the server's report to the failure of a test, below which tools show it; returns it. */
  public String report(Throwable failure) {
    return server.reportTo(failure);
  }

  /** Gives the shared server back, or ends the class's own. */
  @Override
  public void close() {
    end.run();
  }
}
