package dev.kermes.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import dev.kermes.server.disk.ForgetfulDisk;
import dev.kermes.server.testing.KeyTimes;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The append only file across restarts, disk faults, and exchange with a redis-server. */
final class AppendOnlyTest {

  @TempDir private Path folder;

  private RedisServer.Builder builder() {
    return TestServers.storingIn(folder, "save", "", "appendonly", "yes");
  }

  private Path part(String ending) {
    return folder.resolve("appendonlydir/appendonly.aof." + ending);
  }

  private static void change(RedisServer server, long seed) throws IOException {
    try (RespSocket client = new RespSocket(server.port())) {
      for (String family : List.of("list", "hash", "set", "zset", "streamgroup", "string", "key")) {
        CommandTemplates commands =
            new CommandTemplates(new Random(seed), family, FamilyTemplates.of(family));
        for (int i = 0; i < 200; i++) {
          for (List<String> command : commands.next()) client.call(command);
        }
      }
    }
  }

  private static Map<String, String> dataOf(int port) throws IOException {
    try (RespSocket client = new RespSocket(port)) {
      return new TreeMap<>(KeyspaceState.of(client));
    }
  }

  private static Map<String, String> dataAndTimesOf(RedisServer server) throws IOException {
    Map<String, String> data = dataOf(server.port());
    try (RespSocket client = new RespSocket(server.port())) {
      KeyTimes.of(client).forEach((key, time) -> data.put(key + " ends", time));
    }
    return data;
  }

  private static void rewrite(RespSocket client) throws IOException {
    client.call("BGREWRITEAOF");
    client.awaitInfo("aof_rewrite_in_progress:0");
    client.awaitInfo("aof_last_bgrewrite_status:ok");
  }

  @ParameterizedTest(name = "appendfsync {0}, base as RDB: {1}")
  @CsvSource({"always, yes", "everysec, no", "no, yes"})
  void restart_keepsTheData(String policy, String isRdb) throws IOException {
    Map<String, String> expected;
    RedisServer.Builder first =
        builder().option("appendfsync", policy).option("aof-use-rdb-preamble", isRdb);
    try (RedisServer server = first.start();
        RespSocket client = new RespSocket(server.port())) {
      change(server, 1);
      rewrite(client);
      change(server, 2);
      expected = dataAndTimesOf(server);
    }
    assertThat(part("2.base." + (isRdb.equals("yes") ? "rdb" : "aof"))).exists();
    assertThat(part("2.incr.aof")).exists();
    assertThat(part("1.incr.aof")).doesNotExist();
    try (RedisServer server = builder().start()) {
      assertThat(dataAndTimesOf(server)).isEqualTo(expected);
    }
  }

  @Test
  void rewrite_underLoad_losesNothing() throws IOException, InterruptedException {
    Map<String, String> expected;
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("DEBUG", "POPULATE", "20000");
      for (int i = 0; i < 5; i++) {
        client.call("BGREWRITEAOF");
        change(server, i);
      }
      client.awaitInfo("aof_rewrite_in_progress:0");
      client.awaitInfo("aof_rewrite_scheduled:0");
      assertThat(client.call("DEBUG", "LOADAOF").text()).isEqualTo("OK");
      client.call("SET", "after", "1");
      expected = dataOf(server.port());
      assertThat(expected).hasSizeGreaterThan(10);
    }
    try (RedisServer server = builder().start()) {
      assertThat(dataOf(server.port())).isEqualTo(expected);
    }
  }

  /** The log that continues a base file may have commands that read keys of the base. */
  @Test
  void rewrite_keepsKeysThatWereReadBeforeTheyExpired() throws IOException {
    int keys = 100;
    ManualClock clock = Clock.manual(1_700_000_000_000L);
    try (RedisServer server = builder().clock(clock).start();
        RespSocket client = new RespSocket(server.port())) {
      for (int i = 0; i < keys; i++) {
        client.call("SADD", "source" + i, "member");
        client.call("PEXPIRE", "source" + i, "1000");
      }
      client.call("CONFIG", "SET", "rdb-key-save-delay", "100000");
      client.call("BGREWRITEAOF");
      for (int i = 0; i < keys; i++) client.call("SUNIONSTORE", "copy" + i, "source" + i);
      clock.advance(Duration.ofSeconds(2));
      for (int i = 0; i < keys; i++) client.call("SCARD", "source" + i);
      client.call("CONFIG", "SET", "rdb-key-save-delay", "0");
      client.awaitInfo("aof_rewrite_in_progress:0");
    }
    assertThat(part("2.base.rdb")).exists();
    try (RedisServer server = builder().clock(clock).start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("DBSIZE").toString()).isEqualTo(":" + keys);
      for (int i = 0; i < keys; i++) {
        assertThat(client.call("SMEMBERS", "copy" + i).toString()).isEqualTo("*1[$6:member]");
      }
    }
  }

  @Test
  void appendonly_canBeTurnedOnAndOff() throws IOException {
    try (RedisServer server = builder().option("appendonly", "no").start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "a", "1");
      assertThat(client.call("CONFIG", "SET", "appendonly", "yes").text()).isEqualTo("OK");
      client.call("SET", "b", "2");
      client.awaitInfo("aof_rewrite_in_progress:0");
      client.call("SET", "c", "3");
      assertThat(client.call("CONFIG", "SET", "appendonly", "no").text()).isEqualTo("OK");
      client.call("SET", "d", "4");
    }
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("KEYS", "*").sorted(1).toString())
          .contains("a", "b", "c")
          .doesNotContain("d");
    }
  }

  @Test
  void loadaof_readsTheFilesAlsoWhileTheyAreNotWritten() throws IOException {
    try (RedisServer server = builder().option("appendonly", "no").start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "a", "1");
      assertThat(client.call("DEBUG", "LOADAOF").text()).startsWith("ERR Error trying to load");
      assertThat(client.call("GET", "a").text()).isEqualTo("1:1");
      rewrite(client);
      client.call("SET", "a", "2");
      assertThat(client.call("DEBUG", "LOADAOF").text()).isEqualTo("OK");
      assertThat(client.call("GET", "a").text()).isEqualTo("1:1");
    }
  }

  @Test
  void appendonly_withoutFolder_cannotBeTurnedOn() throws IOException {
    try (RedisServer server = RedisServer.start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("CONFIG", "SET", "appendonly", "yes").text())
          .isEqualTo(
              "ERR CONFIG SET failed (possibly related to argument 'appendonly') - Unable to turn"
                  + " on AOF. Check server logs.");
      assertThat(client.call("CONFIG", "GET", "appendonly").toString()).contains("no");
    }
  }

  @Test
  void rdbFile_withoutAppendOnlyFile_isItsBeginning() throws IOException {
    try (RedisServer server = builder().option("appendonly", "no").start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "a", "1");
      client.call("SAVE");
    }
    for (int i = 0; i < 2; i++) {
      try (RedisServer server = builder().start();
          RespSocket client = new RespSocket(server.port())) {
        assertThat(client.call("GET", "a").text()).isEqualTo("1:1");
      }
      Files.deleteIfExists(folder.resolve("dump.rdb"));
    }
  }

  @Test
  void fileOfOnePart_isTakenOver() throws IOException {
    Files.write(
        folder.resolve("appendonly.aof"), RespSocket.encode(List.of("SET", "old", "value")));
    for (int i = 0; i < 2; i++) {
      try (RedisServer server = builder().start();
          RespSocket client = new RespSocket(server.port())) {
        assertThat(client.call("GET", "old").text()).isEqualTo("5:value");
        client.call("INCR", "starts");
      }
    }
    assertThat(folder.resolve("appendonly.aof")).doesNotExist();
    assertThat(folder.resolve("appendonlydir/appendonly.aof")).exists();
  }

  @Test
  void truncatedEnd_isCutOff() throws IOException {
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "a", "1");
      client.call("MULTI");
      client.call("SET", "b", "2");
      client.call("SET", "c", "3");
      client.call("EXEC");
    }
    Path file = part("1.incr.aof");
    byte[] whole = Files.readAllBytes(file);
    long sound = new String(whole, StandardCharsets.ISO_8859_1).indexOf("*1\r\n");
    Files.write(file, Arrays.copyOf(whole, whole.length - 3));
    assertThatThrownBy(() -> builder().option("aof-load-truncated", "no").start())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("offset=" + sound)
        .hasMessageContaining("aof-load-truncated");
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("KEYS", "*").toString()).contains("a").doesNotContain("b");
      assertThat(Files.size(file)).isEqualTo(sound);
      client.call("SET", "d", "4");
    }
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("DBSIZE").text()).isEqualTo("2");
    }
  }

  @Test
  void damageInTheMiddle_isRefusedWithItsPlace() throws IOException {
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      for (int i = 0; i < 10; i++) client.call("SET", "key" + i, "value");
    }
    Path file = part("1.incr.aof");
    byte[] content = Files.readAllBytes(file);
    int at = new String(content, StandardCharsets.ISO_8859_1).indexOf("key5") - 4;
    content[at] = 'x';
    Files.write(file, content);
    assertThatThrownBy(() -> builder().start())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("offset=")
        .hasMessageContaining("check --fix");
  }

  @Test
  void always_repliesComeAfterTheWrite() throws IOException {
    try (RedisServer server = builder().option("appendfsync", "always").start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("DEBUG", "AOF-FLUSH-SLEEP").text())
          .startsWith("ERR unknown subcommand or wrong number of arguments");
      assertThat(client.call("DEBUG", "AOF-FLUSH-SLEEP", "x").text())
          .startsWith("ERR value is not an integer");
      client.call("DEBUG", "AOF-FLUSH-SLEEP", "100000");
      long before = Files.size(part("1.incr.aof"));
      long start = System.nanoTime();
      client.send("GET", "a");
      client.send("SET", "a", "1");
      assertThat(client.read().toString()).isEqualTo("$-1");
      assertThat(client.read().text()).isEqualTo("OK");
      assertThat(Files.size(part("1.incr.aof"))).isGreaterThan(before);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(100_000_000);
    }
  }

  // Faults

  @ParameterizedTest
  @ValueSource(strings = {"write", "full", "sync"})
  void always_whatCannotBeKept_isNotAcknowledged(String fault) throws IOException {
    ForgetfulDisk disk = new ForgetfulDisk(1);
    try (RedisServer server = builder().option("appendfsync", "always").disk(disk).start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "a", "1");
      switch (fault) {
        case "write" -> disk.failWrites(1);
        case "full" -> disk.room(10);
        default -> disk.failSyncs(true);
      }
      assertThatThrownBy(() -> client.call("SET", "b", "2"))
          .isInstanceOfAny(EOFException.class, SocketException.class);
      try (RespSocket other = new RespSocket(server.port())) {
        assertThat(other.call("SET", "c", "3").text())
            .startsWith("MISCONF Errors writing to the AOF file: ");
        assertThat(other.call("GET", "a").text()).isEqualTo("1:1");
        disk.heal();
        other.await("aof_last_write_status:ok", "INFO", "persistence");
        assertThat(other.call("SET", "d", "4").text()).isEqualTo("OK");
      }
      disk.cutPower();
    }
    disk.forget();
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("EXISTS", "a", "d").text()).isEqualTo("2");
      assertThat(client.call("EXISTS", "c").text()).isEqualTo("0");
    }
  }

  /** Here the other committer is the task that retries failed writes every second. */
  @Test
  void always_whatSomebodyElseCouldNotCommit_isNotAcknowledged() throws IOException {
    ForgetfulDisk disk = new ForgetfulDisk(1);
    try (RedisServer server = builder().option("appendfsync", "always").disk(disk).start();
        RespSocket client = new RespSocket(server.port())) {
      disk.failWrites(1);
      assertThatThrownBy(
              () -> {
                client.sendRaw("SET a 1\r\nDEBUG SLEEP 2\r\n"); // both in one turn of the loop
                client.read();
              })
          .isInstanceOfAny(EOFException.class, SocketException.class);
      try (RespSocket other = new RespSocket(server.port())) {
        assertThat(other.call("GET", "b").text()).as("a client that wrote nothing").isEqualTo("-1");
      }
    }
  }

  @Test
  void everysec_whileNothingCanBeWritten_writesAreRefused() throws IOException {
    ForgetfulDisk disk = new ForgetfulDisk(1);
    try (RedisServer server = builder().disk(disk).start();
        RespSocket client = new RespSocket(server.port())) {
      disk.room(0);
      client.call("SET", "a", "1");
      client.await("aof_last_write_status:err", "INFO", "persistence");
      assertThat(client.call("SET", "b", "2").text())
          .isEqualTo("MISCONF Errors writing to the AOF file: No space left on device");
      assertThat(client.call("PING").text()).startsWith("MISCONF");
      disk.heal();
      client.await("aof_last_write_status:ok", "INFO", "persistence");
      assertThat(client.call("SET", "b", "2").text()).isEqualTo("OK");
    }
    try (RedisServer server = builder().start();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("EXISTS", "a", "b").text()).isEqualTo("2");
    }
  }

  @Test
  void failedSave_refusesWritesUntilOneSucceeds() throws IOException {
    ForgetfulDisk disk = new ForgetfulDisk(1);
    RedisServer.Builder builder =
        builder().option("appendonly", "no").option("save", "3600 1000").disk(disk);
    try (RedisServer server = builder.start();
        RespSocket client = new RespSocket(server.port())) {
      disk.failWrites(1);
      client.call("BGSAVE");
      client.await("rdb_last_bgsave_status:err", "INFO", "persistence");
      assertThat(client.call("SET", "a", "1").text())
          .startsWith("MISCONF Redis is configured to save RDB snapshots");
      assertThat(client.call("EVAL", "return redis.pcall('SET','a','1').err", "0").text())
          .contains("MISCONF");
      assertThat(client.call("GET", "a").text()).isEqualTo("-1");
      disk.heal();
      client.call("BGSAVE");
      client.await("rdb_last_bgsave_status:ok", "INFO", "persistence");
      assertThat(client.call("SET", "a", "1").text()).isEqualTo("OK");
    }
  }

  // Interchange

  @Test
  void ourFiles_areLoadedByRedisAndSoundForItsChecker() throws Exception {
    Map<String, String> expected;
    try (RedisServer server = builder().option("aof-timestamp-enabled", "yes").start();
        RespSocket client = new RespSocket(server.port())) {
      change(server, 3);
      rewrite(client);
      change(server, 4);
      expected = dataOf(server.port());
    }
    Process checker =
        new ProcessBuilder("redis-check-aof", part("manifest").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(checker.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    assertThat(checker.waitFor()).as(said).isZero();
    List<String> options = List.of("--appendonly", "yes", "--dir", folder.toString());
    try (RealRedis redis = RealRedis.start(options);
        RespSocket client = new RespSocket(redis.port())) {
      client.await("\r\nloading:0", "INFO", "persistence");
      assertThat(dataOf(redis.port())).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "no"})
  void filesOfRedis_areLoaded(String isRdb) throws Exception {
    Map<String, String> expected = new TreeMap<>();
    List<String> options = new ArrayList<>(List.of("--appendonly", "yes", "--dir"));
    options.addAll(List.of(folder.toString(), "--aof-use-rdb-preamble", isRdb));
    options.addAll(List.of("--aof-timestamp-enabled", "yes"));
    try (RealRedis redis = RealRedis.start(options);
        RespSocket client = new RespSocket(redis.port())) {
      for (String family : List.of("list", "hash", "set", "zset", "streamgroup", "key")) {
        CommandTemplates commands =
            new CommandTemplates(new Random(5), family, FamilyTemplates.of(family));
        for (int i = 0; i < 300; i++) {
          for (List<String> command : commands.next()) client.call(command);
          if (i == 150) client.call("BGREWRITEAOF");
        }
      }
      client.awaitInfo("aof_rewrite_in_progress:0");
      expected.putAll(dataOf(redis.port()));
      client.call("CONFIG", "SET", "appendonly", "no"); // writes all that is pending
    }
    try (RedisServer server = builder().start()) {
      assertThat(dataOf(server.port())).isEqualTo(expected);
    }
  }
}
