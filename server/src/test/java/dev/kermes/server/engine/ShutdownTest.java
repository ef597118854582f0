package dev.kermes.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shutdown with replicas that lag, with files that cannot be written, and shutdown that is given
 * up.
 */
final class ShutdownTest {

  private static final String FAILED = "-ERR Errors trying to SHUTDOWN. Check logs.";

  @TempDir private Path folder;

  /** A replica that has a copy of the data and sends nothing of its own accord. */
  private static RespSocket silentReplicaOf(RedisServer server, RespSocket client)
      throws IOException {
    RespSocket replica = new RespSocket(server.port());
    replica.send("PSYNC", "?", "-1");
    client.awaitInfo("state=online");
    return replica;
  }

  private static void awaitShutdown(RespSocket client) throws IOException {
    client.await("(?s).*shutdown_in_milliseconds:\\d+.*", "INFO", "server");
  }

  @Test
  void shutdown_waitsForReplicasAndHoldsBackWrites() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket client = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server, client)) {
      client.call("SET", "k", "1");
      other.send("SHUTDOWN");
      awaitShutdown(client);
      writer.send("SET", "k", "2");
      client.awaitInfo("blocked_clients:2");
      assertThat(client.call("GET", "k")).hasToString("$1:1");
      assertThat(client.call("INFO", "clients").text()).contains("shutdown_in_progress");
      replica.send("REPLCONF", "ACK", Fact.of(client, "master_repl_offset"));
      server.awaitClosed();
      assertThat(other.readToEnd()).isEmpty();
      assertThat(writer.readToEnd()).isEmpty();
    }
  }

  @Test
  void shutdown_timeIsUp_leavesReplicasBehind() throws Exception {
    ManualClock clock = Clock.manual(1_700_000_000_000L);
    RedisServer.Builder builder = TestServers.with("shutdown-timeout", "3");
    try (RedisServer server = builder.clock(clock).start();
        RespSocket client = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server, client)) {
      client.call("SET", "k", "1");
      server.signalled(false);
      client.awaitInfo("shutdown_in_milliseconds:3000");
      clock.advance(Duration.ofMillis(2999));
      client.awaitInfo("shutdown_in_milliseconds:1\r");
      clock.advance(Duration.ofMillis(1));
      server.awaitClosed();
      assertThat(replica.readToEnd()).contains("SET");
    }
  }

  @Test
  void shutdownNow_doesNotWait() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket client = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server, client)) {
      client.call("SET", "k", "1");
      client.send("SHUTDOWN", "NOW");
      assertThat(client.readToEnd()).isEmpty();
      server.awaitClosed();
      assertThat(replica.readToEnd()).contains("SET");
    }
  }

  @Test
  void shutdownAbort_letsEverybodyGoOn() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket client = new RespSocket(server.port());
        RespSocket one = new RespSocket(server.port());
        RespSocket two = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port());
        RespSocket replica = silentReplicaOf(server, client)) {
      assertThat(client.call("SHUTDOWN", "ABORT")).hasToString("-ERR No shutdown in progress.");
      client.call("SET", "k", "1");
      one.send("SHUTDOWN");
      two.send("SHUTDOWN");
      client.awaitInfo("blocked_clients:2");
      writer.send("SET", "k", "2");
      client.awaitInfo("blocked_clients:3");
      assertThat(client.call("SHUTDOWN", "ABORT", "NOW")).hasToString("-ERR syntax error");
      assertThat(client.call("SHUTDOWN", "ABORT")).hasToString("+OK");
      assertThat(one.read()).hasToString(FAILED);
      assertThat(two.read()).hasToString(FAILED);
      assertThat(writer.read()).hasToString("+OK");
      assertThat(client.call("INFO", "server").text()).doesNotContain("shutdown_in");
      assertThat(client.call("INFO", "replication").text()).contains("connected_slaves:1");
      replica.send("REPLCONF", "ACK", "0");
    }
  }

  @Test
  void saveFails_serverGoesOn() throws Exception {
    try (RedisServer server = saving("save", "1000 1");
        RespSocket client = new RespSocket(server.port())) {
      Path target = Files.createDirectory(folder.resolve("dump.rdb")); // a file cannot replace it
      client.call("SET", "k", "v");
      assertThat(client.call("SHUTDOWN")).hasToString(FAILED);
      assertThat(client.call("SET", "k", "w")).hasToString("+OK");
      client.send("SHUTDOWN", "FORCE");
      server.awaitClosed();
      assertThat(target).isEmptyDirectory();
    }
  }

  @Test
  void firstAppendOnlyFileIsNotThere_serverGoesOn() throws Exception {
    try (RedisServer server = saving("rdb-key-save-delay", "30000000");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "k", "v");
      assertThat(client.call("CONFIG", "SET", "appendonly", "yes")).hasToString("+OK");
      assertThat(client.call("SHUTDOWN")).hasToString(FAILED);
      client.awaitInfo("aof_rewrite_in_progress:1");
      client.send("SHUTDOWN", "NOSAVE", "FORCE");
      server.awaitClosed();
    }
  }

  private RedisServer saving(String... options) {
    return TestServers.storingIn(folder, options).start();
  }

  @Test
  void signals_followTheirOptions() throws Exception {
    Path file = folder.resolve("dump.rdb");
    try (RedisServer server = saving("save", "1000 1", "shutdown-on-sigint", "nosave");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "k", "v");
      server.signalled(true);
      server.awaitClosed();
      assertThat(file).doesNotExist();
    }
    try (RedisServer server = saving("shutdown-on-sigterm", "SAVE now");
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("CONFIG", "GET", "shutdown-on-sigterm").elements().get(1))
          .hasToString("$8:save now");
      String mistake = "-ERR CONFIG SET failed (possibly related to argument 'shutdown-on-sigint')";
      assertThat(client.call("CONFIG", "SET", "shutdown-on-sigint", "save nosave").toString())
          .startsWith(mistake);
      assertThat(client.call("CONFIG", "SET", "shutdown-on-sigint", "never").toString())
          .startsWith(mistake);
      server.signalled(false);
      server.awaitClosed();
      assertThat(file).exists();
    }
  }
}
