package dev.kermes.server.testing;

import dev.kermes.server.RedisServer;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of the tests of commands: a server with a manual clock, and a connection to it. */
public abstract class CommandTest {

  protected static final long START = 1_700_000_000_000L;

  protected final ManualClock clock = Clock.manual(START);
  protected final RedisServer server = TestServers.with().clock(clock).start();
  protected RespSocket socket;

  @BeforeEach
  protected void connect() throws IOException {
    socket = new RespSocket(server.port());
  }

  @AfterEach
  protected void close() throws IOException {
    socket.close();
    server.close();
  }

  /** Sends a command, whose words are separated by blanks, and returns the reply as text. */
  protected String call(String command) throws IOException {
    return socket.call(command.split(" ")).toString();
  }

  protected void advance(long millis) {
    clock.advance(Duration.ofMillis(millis));
  }
}
