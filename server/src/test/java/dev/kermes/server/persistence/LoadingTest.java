package dev.kermes.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import dev.kermes.server.disk.ForgetfulDisk;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replies to clients while a server reads its files, which here takes as long as the test wants.
 */
final class LoadingTest {

  private static final String LOADING = "-LOADING Redis is loading the dataset in memory";
  private static final int KEYS = 20_000;

  @TempDir private Path folder;
  private final ForgetfulDisk disk = new ForgetfulDisk(1);

  private RedisServer.Builder builder(String... options) {
    return TestServers.storingIn(folder, options)
        .loops(2)
        .disk(disk)
        .option("rdbcompression", "no")
        .option("loading-process-events-interval-bytes", "1024");
  }

  private static void fill(RedisServer server) throws IOException {
    try (RespSocket client = new RespSocket(server.port())) {
      client.call("DEBUG", "POPULATE", Integer.toString(KEYS), "key", "200");
    }
  }

  private static void save(RespSocket client, String appendOnly) throws IOException {
    assertThat(client.call("SAVE").toString()).isEqualTo("+OK");
    if (appendOnly.equals("no")) return;
    assertThat(client.call("BGREWRITEAOF").type()).isEqualTo('+');
    client.awaitInfo("aof_rewrite_in_progress:0");
  }

  /** A server that is about to load its data, slowly. */
  private static final class Start implements AutoCloseable {

    final CompletableFuture<RedisServer> listening = new CompletableFuture<>();
    final CompletableFuture<RedisServer> started;

    Start(RedisServer.Builder builder) {
      builder.onListening(listening::complete);
      started = CompletableFuture.supplyAsync(builder::start);
    }

    RespSocket open() throws IOException {
      return new RespSocket(listening.join().port());
    }

    @Override
    public void close() {
      listening.join().close();
    }
  }

  private Start startSlowly(RedisServer.Builder builder) {
    disk.slowReads(true);
    return new Start(builder);
  }

  @ParameterizedTest(name = "appendonly {0}, base as RDB: {1}")
  @CsvSource({"no, yes", "yes, yes", "yes, no"})
  void clients_hearLoadingUntilTheDataAreThere(String appendOnly, String isRdb) throws IOException {
    String[] options = {"appendonly", appendOnly, "aof-use-rdb-preamble", isRdb};
    try (RedisServer server = builder(options).start();
        RespSocket client = new RespSocket(server.port())) {
      fill(server);
      client.call("SELECT", "3");
      client.call("SET", "a", "1");
      save(client, appendOnly);
    }
    try (Start start = startSlowly(builder(options));
        RespSocket client = start.open()) {
      hearsLoading(client);
      boolean isKnown = !Fact.of(client, "loading_rdb_used_mem").equals("0");
      assertThat(isKnown).as("an RDB file tells what its data took").isEqualTo(isRdb.equals("yes"));
      assertThat(start.started).isNotDone();
      disk.heal();
      RedisServer server = start.started.join();
      assertThat(server.isClosed()).isFalse();
      assertThat(client.call("INFO", "persistence").text())
          .contains("\r\nloading:0")
          .doesNotContain("loading_");
      assertThat(client.call("DBSIZE").toString()).isEqualTo(":" + KEYS);
      client.call("SELECT", "3");
      assertThat(client.call("GET", "a").toString()).isEqualTo("$1:1");
      assertThat(client.call("PING").toString()).isEqualTo("+PONG");
    }
  }

  @Test
  void clients_whoComeWhileLittleIsLoaded_wait() throws IOException {
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "a", "1");
      client.call("SAVE");
    }
    RedisServer.Builder builder = TestServers.storingIn(folder);
    CompletableFuture<RespSocket> early = new CompletableFuture<>();
    builder.onListening(server -> early.complete(sendingGet(server.port())));
    try (RedisServer server = builder.start();
        RespSocket client = early.join()) {
      assertThat(server.isClosed()).isFalse();
      assertThat(client.read().toString()).isEqualTo("$1:1");
    }
  }

  private static RespSocket sendingGet(int port) {
    try {
      RespSocket client = new RespSocket(port);
      client.send("GET", "a");
      return client;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void hearsLoading(RespSocket client) throws IOException {
    assertThat(client.call("GET", "a").toString()).isEqualTo(LOADING);
    assertThat(client.call("PING").toString()).isEqualTo(LOADING);
    assertThat(client.call("BGSAVE").toString()).isEqualTo(LOADING);
    assertThat(client.call("CONFIG", "SET", "appendonly", "yes").toString()).isEqualTo(LOADING);
    assertThat(client.call("CONFIG", "SET", "timeout", "0").toString()).isEqualTo("+OK");
    assertThat(client.call("SELECT", "0").toString()).isEqualTo("+OK");
    assertThat(client.call("MULTI").toString()).isEqualTo("+OK");
    assertThat(client.call("GET", "a").toString()).isEqualTo(LOADING);
    assertThat(client.call("EXEC").text()).startsWith("EXECABORT");
    assertThat(client.call("INFO", "persistence").text())
        .contains("loading:1", "loading_start_time:", "loading_eta_seconds:")
        .containsPattern("loading_total_bytes:[1-9]\\d{6}")
        .containsPattern("loading_loaded_perc:\\d+\\.\\d\\d\r\n");
    client.await("(?s).*loading_loaded_bytes:[1-9].*", "INFO", "persistence");
  }

  @ParameterizedTest
  @CsvSource({"no", "yes"})
  void shutdown_whileLoading_savesNothing(String appendOnly) throws IOException {
    String[] options = {"appendonly", appendOnly, "save", "3600 1"};
    RedisServer first = builder(options).start();
    try (RespSocket client = new RespSocket(first.port())) {
      fill(first);
      save(client, appendOnly);
      client.call("SET", "a", "1"); // the append only file has this after its base
    }
    first.closeWithoutSaving();
    byte[] saved = Files.readAllBytes(folder.resolve("dump.rdb"));
    try (Start start = startSlowly(builder(options));
        RespSocket client = start.open()) {
      client.send("SHUTDOWN", "SAVE");
      assertThat(client.readToEnd()).isEmpty();
      assertThat(start.started.join().isClosed()).isTrue();
    }
    assertThat(folder.resolve("dump.rdb")).hasBinaryContent(saved);
    disk.heal();
    try (RedisServer server = builder(options).start();
        RespSocket client = new RespSocket(server.port())) {
      String expected = ":" + (KEYS + (appendOnly.equals("yes") ? 1 : 0));
      assertThat(client.call("DBSIZE").toString()).isEqualTo(expected);
    }
  }

  @Test
  void damagedFile_endsTheStart() throws IOException {
    Files.writeString(folder.resolve("dump.rdb"), "REDIS0009nonsense");
    CompletableFuture<Integer> port = new CompletableFuture<>();
    RedisServer.Builder builder = builder().onListening(server -> port.complete(server.port()));
    assertThatThrownBy(builder::start).hasMessageContaining("offset=");
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port.join()).close())
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void replica_hearsLoadingWhileItLoadsItsMastersData() throws IOException {
    try (RedisServer master = RedisServer.start();
        RespSocket client = new RespSocket(master.port())) {
      fill(master);
      client.call("CONFIG", "SET", "repl-diskless-sync-delay", "0");
      client.call("CONFIG", "SET", "rdbcompression", "no");
      disk.slowReads(true);
      try (RedisServer server = builder("replicaof", "127.0.0.1 " + master.port()).start();
          RespSocket replica = new RespSocket(server.port())) {
        replica.awaitInfo("loading:1");
        hearsLoading(replica);
        disk.heal();
        replica.awaitInfo("master_link_status:up");
        assertThat(replica.call("DBSIZE").toString()).isEqualTo(":" + KEYS);
        assertThat(replica.call("INFO", "persistence").text()).contains("\r\nloading:0");
      }
    }
  }
}
