package dev.kermes.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RdbFile;
import dev.kermes.server.RedisServer;
import dev.kermes.server.disk.ForgetfulDisk;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The RDB file: written, loaded, exchanged with a redis-server, and damaged. */
final class SavingTest {

  @TempDir private Path folder;

  /** A server that saves only when it is told to, unless an option gives it save points. */
  private RedisServer start(String... options) {
    RedisServer.Builder builder = TestServers.storingIn(folder).option("save", "");
    return TestServers.configure(builder, options).start();
  }

  private Path file() {
    return folder.resolve("dump.rdb");
  }

  // Round trips

  @Test
  void everything_isThereAfterARestart() throws IOException {
    Map<String, String> before;
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      RandomData.fill(redis, new Random(1));
      redis.call("SELECT", "7");
      redis.call("SET", "elsewhere", "value");
      redis.call("HSET", "h", "a", "1", "b", "2");
      redis.call("HEXPIREAT", "h", "4102444800", "FIELDS", "1", "a");
      redis.call("ARSET", "array", "7", "x");
      redis.call(
          "FUNCTION",
          "LOAD",
          "#!lua name=l\nredis.register_function('f', function() return 7 end)");
      before = KeyspaceState.of(redis);
      assertThat(redis.call("SAVE").toString()).isEqualTo("+OK");
    }
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(KeyspaceState.of(redis)).isEqualTo(before);
      assertThat(redis.call("FCALL", "f", "0").toString()).isEqualTo(":7");
    }
  }

  @Test
  void files_areExchangedWithRedis() throws IOException, InterruptedException {
    Map<String, String> before;
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      RandomData.fill(redis, new Random(2));
      before = KeyspaceState.of(redis);
      redis.call("SAVE");
    }
    try (RealRedis real = RealRedis.start(List.of("--dir", folder.toString()));
        RespSocket redis = new RespSocket(real.port())) {
      redis.await("\r\nloading:0", "INFO", "persistence");
      assertThat(KeyspaceState.of(redis)).isEqualTo(before);
      RandomData.fill(redis, new Random(3));
      before = KeyspaceState.of(redis);
      assertThat(redis.call("SAVE").toString()).isEqualTo("+OK");
    }
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(KeyspaceState.of(redis)).isEqualTo(before);
    }
  }

  @Test
  void flushall_withSavePoints_emptiesTheFile() throws IOException {
    try (RedisServer server = start("save", "3600 1");
        RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "a", "1");
      redis.call("SAVE");
      redis.call("FLUSHALL");
      assertThat(Fact.of(redis, "rdb_changes_since_last_save")).isEqualTo("0");
    }
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("DBSIZE").toString()).isEqualTo(":0");
    }
  }

  @Test
  void flushall_withoutSavePoints_leavesTheFile() throws IOException {
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "a", "1");
      redis.call("SAVE");
      redis.call("FLUSHALL");
      assertThat(Fact.of(redis, "rdb_changes_since_last_save")).isNotEqualTo("0");
    }
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("DBSIZE").toString()).isEqualTo(":1");
    }
  }

  @Test
  void toolOfRedis_findsNoFault() throws IOException, InterruptedException {
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      RandomData.fill(redis, new Random(5));
      redis.call("SAVE");
    }
    Process check =
        new ProcessBuilder("redis-check-rdb", file().toString()).redirectErrorStream(true).start();
    String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(check.waitFor()).as(output).isZero();
    assertThat(output).contains("RDB looks OK!");
  }

  @Test
  void whatExpiredMeanwhile_isNotLoaded() throws IOException {
    try (RedisServer server = startAt(1_700_000_000_000L);
        RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "short", "1", "PX", "1000");
      redis.call("SET", "long", "1", "PX", "100000");
      redis.call("SAVE");
      assertThat(redis.call("LASTSAVE").toString()).isEqualTo(":1700000000");
    }
    try (RedisServer server = startAt(1_700_000_002_000L);
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("KEYS", "*").toString()).isEqualTo("*1[$4:long]");
      assertThat(redis.call("PTTL", "long").toString()).isEqualTo(":98000");
    }
  }

  private RedisServer startAt(long unixMillis) {
    return startAt(Clock.manual(unixMillis));
  }

  private RedisServer startAt(ManualClock clock) {
    return TestServers.storingIn(folder).clock(clock).start();
  }

  // In the background

  @Test
  void backgroundSave_hasTheDataOfItsBeginning() throws IOException {
    Random random = new Random(4);
    for (int round = 0; round < 5; round++) {
      Map<String, String> before;
      try (RedisServer server = start();
          RespSocket redis = new RespSocket(server.port())) {
        redis.call("FLUSHALL");
        RandomData.fill(redis, random);
        for (int i = 0; i < 20_000; i++) {
          redis.send("SET", "key" + i, "value" + i);
        }
        for (int i = 0; i < 20_000; i++) redis.read();
        before = new TreeMap<>(KeyspaceState.of(redis));
        assertThat(redis.call("BGSAVE").toString()).isEqualTo("+Background saving started");
        change(redis, random, round);
        redis.await("rdb_bgsave_in_progress:0", "INFO", "persistence");
        assertThat(redis.call("INFO", "persistence").text()).contains("rdb_last_bgsave_status:ok");
      }
      try (RedisServer server = start();
          RespSocket redis = new RespSocket(server.port())) {
        assertThat(KeyspaceState.of(redis)).isEqualTo(before);
      }
    }
  }

  /**
   * The clients' event loops walk, a thread writes, and each contributes its part of every file.
   */
  @Test
  void backgroundSaves_besideBusyLoops_areWhole() throws Exception {
    int keys = 10_000;
    AtomicBoolean isOver = new AtomicBoolean();
    try (RedisServer server = start("loops", "2", "rdbcompression", "no");
        RespSocket redis = new RespSocket(server.port())) {
      for (int i = 0; i < keys; i++) redis.send("SET", "key" + i, "v".repeat(500));
      for (int i = 0; i < keys; i++) redis.read();
      CompletableFuture<?>[] busy = new CompletableFuture<?>[4];
      for (int i = 0; i < busy.length; i++) {
        Random random = new Random(i);
        busy[i] = CompletableFuture.runAsync(() -> overwrite(server, random, keys, isOver));
      }
      try {
        for (int round = 0; round < 12; round++) {
          assertThat(redis.call("BGSAVE").toString()).isEqualTo("+Background saving started");
          redis.await("rdb_bgsave_in_progress:0", "INFO", "persistence");
          assertThat(RdbFile.read(file()).keys()).isEqualTo(keys);
        }
      } finally {
        isOver.set(true);
      }
      CompletableFuture.allOf(busy).join();
    }
  }

  private static void overwrite(RedisServer server, Random random, int keys, AtomicBoolean isOver) {
    try (RespSocket redis = new RespSocket(server.port())) {
      while (!isOver.get()) {
        for (int i = 0; i < 16; i++)
          redis.send("SET", "key" + random.nextInt(keys), "w".repeat(500));
        for (int i = 0; i < 16; i++) redis.read();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void keysThatExpireDuringASave_areLeftOut() throws IOException {
    ManualClock clock = Clock.manual(1_700_000_000_000L);
    try (RedisServer server = startAt(clock);
        RespSocket redis = new RespSocket(server.port())) {
      for (int i = 0; i < 200; i++) redis.call("SET", "short" + i, "v", "PX", "1000");
      redis.call("SET", "long", "v", "PX", "100000");
      redis.call("CONFIG", "SET", "rdb-key-save-delay", "100000");
      redis.call("BGSAVE");
      clock.advance(Duration.ofSeconds(2));
      for (int i = 0; i < 200; i++) {
        assertThat(redis.call("GET", "short" + i).toString()).isEqualTo("$-1");
      }
      redis.call("CONFIG", "SET", "rdb-key-save-delay", "0");
      redis.await("rdb_bgsave_in_progress:0", "INFO", "persistence");
      assertThat(RdbFile.read(file()).keys()).isBetween(1L, 100L);
      redis.call("DEBUG", "RELOAD", "NOSAVE");
      assertThat(redis.call("KEYS", "*").toString()).isEqualTo("*1[$4:long]");
    }
  }

  private static void change(RespSocket redis, Random random, int round) throws IOException {
    int sent = 0;
    for (int i = 0; i < 5000; i++, sent++) {
      String key = "key" + random.nextInt(25_000);
      switch (random.nextInt(5)) {
        case 0 -> redis.send("DEL", key);
        case 1 -> redis.send("APPEND", key, "more");
        case 2 -> redis.send("EXPIRE", key, "1000");
        case 3 -> redis.send("RENAME", key, "key" + random.nextInt(25_000));
        default -> redis.send("SET", key, "changed");
      }
    }
    if (round == 3) redis.send("SWAPDB", "0", "1");
    if (round == 4) redis.send("FLUSHDB");
    if (round >= 3) sent++;
    for (int i = 0; i < sent; i++) redis.read();
    RandomData.fill(redis, random);
  }

  /**
   * The walk pauses after each key that it begins, so that values change when they are half
   * visited.
   */
  @Test
  void largeValuesThatChangeMeanwhile_areSavedAsTheyWere() throws IOException {
    for (int round = 0; round < 6; round++) {
      Map<String, String> before;
      try (RedisServer server = start();
          RespSocket redis = new RespSocket(server.port())) {
        redis.call("FLUSHALL");
        List<String> keys = fillWithLarge(redis);
        before = new TreeMap<>(KeyspaceState.of(redis));
        redis.call("CONFIG", "SET", "rdb-key-save-delay", "100000");
        assertThat(redis.call("BGSAVE").toString()).isEqualTo("+Background saving started");
        Collections.shuffle(keys, new Random(round));
        if (round == 5) redis.call("FLUSHDB");
        for (String key : keys) changeLarge(redis, key);
        redis.call("CONFIG", "SET", "rdb-key-save-delay", "0");
        redis.await("rdb_bgsave_in_progress:0", "INFO", "persistence");
      }
      try (RedisServer server = start();
          RespSocket redis = new RespSocket(server.port())) {
        assertThat(KeyspaceState.of(redis)).as("round " + round).isEqualTo(before);
      }
    }
  }

  /**
   * Creates a value of each type with some thousand elements, and more large values, so that groups
   * have several.
   */
  private static List<String> fillWithLarge(RespSocket redis) throws IOException {
    int count = 3000;
    for (int i = 0; i < count; i++) {
      String text = "element:" + i;
      redis.send("RPUSH", "list", text.repeat(5));
      redis.send("SADD", "set", text);
      redis.send("ZADD", "zset", "" + i % 7, text);
      redis.send("HSET", "hash", text, "value");
      redis.send("HSET", "expiring", text, "value");
      redis.send("XADD", "stream", "*", "field", text);
      redis.send("ARSET", "array", "" + i * 3, text);
    }
    for (int i = 0; i < 7 * count; i++) redis.read();
    redis.call("HEXPIREAT", "expiring", "4102444800", "FIELDS", "2", "element:7", "element:2999");
    redis.call("XGROUP", "CREATE", "stream", "group", "0");
    redis.call("XREADGROUP", "GROUP", "group", "me", "COUNT", "9", "STREAMS", "stream", ">");
    List<String> keys =
        new ArrayList<>(List.of("list", "set", "zset", "hash", "expiring", "stream", "array"));
    List<String> members = new ArrayList<>(List.of("SADD", ""));
    for (int i = 0; i < 600; i++) members.add("member" + i);
    for (int i = 0; i < 30; i++) {
      members.set(1, "set" + i);
      redis.call(members);
      keys.add("set" + i);
    }
    return keys;
  }

  private static void changeLarge(RespSocket redis, String key) throws IOException {
    switch (key) {
      case "list" -> redis.call("LTRIM", "list", "5", "-5");
      case "set" -> redis.call("SPOP", "set", "100");
      case "zset" -> redis.call("ZREMRANGEBYSCORE", "zset", "2", "3");
      case "hash" -> redis.call("RENAME", "hash", "moved");
      case "expiring" -> redis.call("HSET", "expiring", "more", "1");
      case "stream" -> redis.call("XACK", "stream", "group", "0-1");
      case "array" -> redis.call("DEL", "array");
      default -> redis.call("SADD", key, "more");
    }
  }

  @Test
  void secondSave_waitsForTheFirst() throws IOException {
    try (RedisServer server = start("rdb-key-save-delay", "500");
        RespSocket redis = new RespSocket(server.port())) {
      for (int i = 0; i < 2000; i++) redis.call("SET", "key" + i, "value" + i);
      redis.sendRaw("BGSAVE\r\nBGSAVE\r\nSAVE\r\nBGSAVE SCHEDULE\r\n");
      assertThat(redis.read().toString()).isEqualTo("+Background saving started");
      assertThat(redis.read().toString()).isEqualTo("-ERR Background save already in progress");
      assertThat(redis.read().toString()).isEqualTo("-ERR Background save already in progress");
      assertThat(redis.read().toString()).isEqualTo("+Background saving scheduled");
      redis.await("rdb_saves:2", "INFO", "persistence");
    }
  }

  @Test
  void bgsaveCancel_givesUpWhatIsUnderWayOrWaits() throws IOException {
    try (RedisServer server = start("rdb-key-save-delay", "1000000");
        RespSocket redis = new RespSocket(server.port())) {
      String nothing = "-ERR Background saving is currently not in progress or scheduled";
      assertThat(redis.call("BGSAVE", "CANCEL").toString()).isEqualTo(nothing);
      for (int i = 0; i < 100; i++) redis.call("SET", "key" + i, "1");
      redis.call("BGSAVE");
      assertThat(redis.call("BGSAVE", "CANCEL").toString())
          .isEqualTo("+Background saving cancelled");
      redis.awaitInfo("rdb_bgsave_in_progress:0");
      redis.call("BGREWRITEAOF");
      assertThat(redis.call("BGSAVE", "SCHEDULE").toString())
          .isEqualTo("+Background saving scheduled");
      assertThat(redis.call("BGSAVE", "CANCEL").toString())
          .isEqualTo("+Scheduled background saving cancelled");
      assertThat(redis.call("BGSAVE", "CANCEL").toString()).isEqualTo(nothing);
      assertThat(redis.call("BGSAVE", "CANCEL", "now").toString()).startsWith("-ERR syntax");
      assertThat(redis.call("BGSAVE", "SCHEDULE", "now").toString()).startsWith("-ERR syntax");
      assertThat(Files.exists(file())).isFalse();
    }
  }

  @Test
  void closing_givesUpTheSaveUnderWay() throws IOException {
    try (RedisServer server = start("rdb-key-save-delay", "500");
        RespSocket redis = new RespSocket(server.port())) {
      for (int i = 0; i < 2000; i++) redis.call("SET", "key" + i, "value" + i);
      redis.call("BGSAVE");
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(file -> !file.equals(file()))).isEmpty();
    }
  }

  @Test
  void savePoint_savesByItself() throws IOException {
    try (RedisServer server = start("save", "1 3");
        RespSocket redis = new RespSocket(server.port())) {
      for (int i = 0; i < 3; i++) redis.call("SET", "key" + i, "1");
      redis.await("rdb_saves:1", "INFO", "persistence");
      redis.await("rdb_changes_since_last_save:0", "INFO", "persistence");
      assertThat(file()).exists();
    }
  }

  @Test
  void shutdown_savesIfThereAreSavePoints() throws IOException, InterruptedException {
    endBy("SHUTDOWN", "save", "1000 1");
    assertThat(file()).exists();
    Files.delete(file());
    endBy("SHUTDOWN NOSAVE", "save", "1000 1");
    assertThat(file()).doesNotExist();
    endBy("SHUTDOWN");
    assertThat(file()).doesNotExist();
    endBy("SHUTDOWN SAVE");
    assertThat(file()).exists();
  }

  @Test
  void folder_withoutTheOption_bringsSavePointsOfRedis() throws IOException {
    String points;
    try (RedisServer server = TestServers.storingIn(folder).start();
        RespSocket redis = new RespSocket(server.port())) {
      points = redis.call("CONFIG", "GET", "save").toString();
    }
    assertThat(points).contains("3600 1 300 100 60 10000");
  }

  @Test
  void folder_relative_isToldAsAnAbsolutePath() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(folder.toAbsolutePath());
    try (RedisServer server = TestServers.storingIn(relative).start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("CONFIG", "GET", "dir").toString())
          .contains(":" + folder.toRealPath() + "]");
    }
  }

  @Test
  void noFolder_noSavePoints() throws IOException {
    try (RedisServer server = RedisServer.start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("CONFIG", "GET", "save").toString()).isEqualTo("*2[$4:save, $0:]");
    }
  }

  @Test
  void close_withSavePoints_saves() throws IOException {
    try (RedisServer server = TestServers.storingIn(folder).start();
        RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "k", "kept");
    }
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("GET", "k").toString()).isEqualTo("$4:kept");
    }
  }

  @Test
  void close_whenSavingFails_ends() throws IOException {
    ForgetfulDisk disk = new ForgetfulDisk(1);
    RedisServer server = TestServers.storingIn(folder).disk(disk).start();
    try (RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "k", "v");
      disk.failWrites(1);
    }
    server.close();
    assertThat(server.isClosed()).isTrue();
    assertThat(file()).doesNotExist();
  }

  @Test
  void closeWithoutSaving_leavesTheFileAsItIs() throws IOException {
    RedisServer server = TestServers.storingIn(folder).start();
    try (RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "k", "v");
    }
    server.closeWithoutSaving();
    assertThat(file()).doesNotExist();
  }

  private void endBy(String command, String... options) throws IOException, InterruptedException {
    try (RedisServer server = start(options);
        RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "k", "v");
      redis.sendRaw(command + "\r\n");
      assertThat(redis.readToEnd()).isEmpty();
      server.awaitClosed();
    }
  }

  // Trouble

  @Test
  void withoutAFolder_nothingIsSaved() throws IOException {
    try (RedisServer server = RedisServer.start();
        RespSocket redis = new RespSocket(server.port())) {
      String refusal = "-ERR cannot save: nothing is kept on disk; the option dir says where";
      assertThat(redis.call("SAVE").toString()).isEqualTo(refusal);
      assertThat(redis.call("BGSAVE").toString()).isEqualTo(refusal);
    }
  }

  @Test
  void failedSave_leavesTheOldFileAndSaysSo() throws IOException {
    Path gone = Files.createDirectory(folder.resolve("gone"));
    try (RedisServer server = TestServers.storingIn(gone).start();
        RespSocket redis = new RespSocket(server.port())) {
      Files.delete(gone);
      assertThat(redis.call("BGSAVE").toString()).isEqualTo("+Background saving started");
      redis.await("rdb_last_bgsave_status:err", "INFO", "persistence"); // set when the save ends
      assertThat(redis.call("SAVE").toString())
          .startsWith("-ERR cannot save: no such file or directory: ");
      Files.createDirectory(gone);
      assertThat(redis.call("SAVE").toString()).isEqualTo("+OK");
      redis.await("rdb_last_bgsave_status:ok", "INFO", "persistence");
    }
  }

  @Test
  void damagedFile_isRefusedWithThePlace() throws IOException {
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      for (int i = 0; i < 100; i++) redis.call("RPUSH", "list" + i, "a", "b", "" + i);
      redis.call("SAVE");
    }
    byte[] whole = Files.readAllBytes(file());
    for (int at = 0; at < whole.length; at += 37) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      refuses(damaged);
      refuses(Arrays.copyOf(whole, at));
    }
  }

  /** Another thread reads a large file. */
  @Test
  void largeFile_isLoadedOrRefusedAsAnyOther() throws IOException {
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      redis.call(
          "FUNCTION",
          "LOAD",
          "#!lua name=l\nredis.register_function('f', function() return 7 end)");
      redis.call("SET", "first", "value");
      redis.call("SELECT", "1");
      redis.call("DEBUG", "POPULATE", "60000");
      redis.call("SAVE");
    }
    byte[] whole = Files.readAllBytes(file());
    assertThat(whole.length).isGreaterThan(1 << 20);
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("DBSIZE")).hasToString(":1");
      redis.call("SELECT", "1");
      assertThat(redis.call("DBSIZE")).hasToString(":60000");
      assertThat(redis.call("GET", "key:59999")).hasToString("$11:value:59999");
      assertThat(redis.call("FCALL", "f", "0")).hasToString(":7");
    }
    assertThatThrownBy(() -> start("databases", "1"))
        .hasMessageContaining("no such database: index=1");
    refuses(Arrays.copyOf(whole, whole.length / 2));
    byte[] damaged = whole.clone();
    damaged[whole.length / 2] ^= 1;
    refuses(damaged);
    Files.write(file(), whole);
    start().close(); // the refused files have left nothing behind
  }

  @Test
  void fileOfALaterVersion_isReadIfAskedTo() throws IOException {
    try (RedisServer server = start();
        RespSocket redis = new RespSocket(server.port())) {
      redis.call("SET", "a", "1");
      redis.call("SAVE");
      byte[] content = Files.readAllBytes(file());
      System.arraycopy("0987".getBytes(StandardCharsets.US_ASCII), 0, content, 5, 4);
      System.arraycopy(new byte[8], 0, content, content.length - 8, 8); // no checksum
      Files.write(file(), content);
      redis.call("SET", "b", "2");
      assertThat(redis.call("DEBUG", "RELOAD", "NOSAVE").text()).startsWith("ERR");
      assertThat(redis.call("GET", "b").toString()).isEqualTo("$1:2"); // nothing is lost
    }
    assertThatThrownBy(this::start).hasMessageContaining("Can't handle RDB format version 987");
    try (RedisServer server = start("rdb-version-check", "relaxed");
        RespSocket redis = new RespSocket(server.port())) {
      assertThat(redis.call("GET", "a").toString()).isEqualTo("$1:1");
      assertThat(redis.call("EXISTS", "b").toString()).isEqualTo(":0");
    }
  }

  private void refuses(byte[] content) throws IOException {
    Files.write(file(), content);
    assertThatThrownBy(this::start)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("dump.rdb")
        .hasMessageContaining("offset=");
  }
}
