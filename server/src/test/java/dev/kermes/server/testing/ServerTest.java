package dev.kermes.server.testing;

import dev.kermes.server.RedisServer;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Tests of one server through any number of connections; all of it is closed at the end. */
public abstract class ServerTest {

  protected final ManualClock clock = Clock.manual(1_700_000_000_000L);
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final int loops;
  private int port;
  private @Nullable RespSocket first;

  protected ServerTest(int loops) {
    this.loops = loops;
  }

  @AfterEach
  protected final void close() throws Exception {
    for (AutoCloseable each : opened) each.close();
  }

  /** Starts the server with options, a name and a value in turn, and opens a connection. */
  protected final RespSocket start(String... options) throws IOException {
    return start(TestServers.with(options).loops(loops).clock(clock));
  }

  protected final RespSocket start(RedisServer.Builder builder) throws IOException {
    RedisServer server = builder.start();
    opened.add(server);
    port = server.port();
    first = open();
    return first;
  }

  /** Opens one more connection and sends a command; its client is blocked when this returns. */
  protected final RespSocket waiting(String... command) throws IOException {
    RespSocket socket = open();
    long before = blockedClients();
    socket.send(command);
    awaitBlockedClients(before + 1);
    return socket;
  }

  protected final long blockedClients() throws IOException {
    return Long.parseLong(Fact.of(first(), "blocked_clients"));
  }

  protected final void awaitBlockedClients(long count) throws IOException {
    first().awaitInfo("blocked_clients:" + count + "\r\n");
  }

  private RespSocket first() {
    return Objects.requireNonNull(first);
  }

  /** One more connection. */
  protected final RespSocket open() throws IOException {
    RespSocket socket = new RespSocket(port);
    opened.add(0, socket);
    return socket;
  }
}
