package dev.kermes.server.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.Engines;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Keys that expire when a client asks for them or when the clock says so, and WATCH on such keys.
 */
final class ExpiryTest extends CommandTest {

  private RespSocket other;

  @BeforeEach
  void connectOther() throws IOException {
    other = new RespSocket(server.port());
  }

  @AfterEach
  void closeOther() throws IOException {
    other.close();
  }

  @Test
  void scan_removesExpiredKeysOfEveryType_zscanWithoutScores() throws IOException {
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    call("PSETEX string 1 v");
    call("HSET hash f v");
    call("PEXPIRE hash 1");
    call("ZADD zset 1 a");
    advance(2);
    assertThat(call("SCAN 0 TYPE string")).isEqualTo("*2[$1:0, *0]");
    assertThat(call("DBSIZE")).isEqualTo(":1");
    assertThat(call("ZSCAN zset 0 NOSCORES")).isEqualTo("*2[$1:0, *1[$1:a]]");
    assertThat(call("HSCAN hash 0 NOSCORES")).isEqualTo("*2[$1:0, *0]");
    assertThat(call("ZSCAN zset 0 NOVALUES")).isEqualTo("-ERR syntax error");
  }

  /** The number of keys that a cycle deletes out of 40,000, of which 200 are due. */
  private long deletedWithEffort(int effort) throws IOException {
    call("FLUSHALL");
    call("CONFIG SET active-expire-effort " + effort);
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    for (int i = 0; i < 40_000; i++) call("SET k" + i + " v PX " + (i % 200 == 0 ? 1 : 100_000));
    advance(2);
    long[] left = new long[1];
    Engines.of(server)
        .keyspace()
        .withLock(() -> {
          Engines.of(server).activeExpiry().on(true);
          Engines.of(server).activeExpiry().look(Long.MAX_VALUE);
          left[0] = Engines.of(server).keyspace().database(0).size();
          Engines.of(server).activeExpiry().on(false);
        });
    return 40_000 - left[0];
  }

  @Test
  void activeExpireEffort_lowersWhatIsTolerated() throws IOException {
    assertThat(deletedWithEffort(1)).isLessThan(100); // 1 % is tolerated
    assertThat(deletedWithEffort(10)).isEqualTo(200); // 0.1 % is
  }

  @Test
  void activeExpiry_takesMoreTimeTheMoreIsStale_andNotAllOfIt() throws IOException {
    MemoryOptions limits = Engines.of(server).settings().memoryOptions();
    assertThat(limits.expiryPercent(0)).isEqualTo(25);
    assertThat(limits.expiryPercent(0.05)).isBetween(30, 60);
    assertThat(limits.expiryPercent(1)).isEqualTo(75);
    call("CONFIG SET active-expire-effort 10");
    assertThat(limits.expiryPercent(0)).isEqualTo(43);
    assertThat(limits.expiryPercent(1)).isEqualTo(75);
  }

  /** Stores keys that are due, and that active expiry may not delete yet. */
  private Engine engineWithDueKeys(int count) throws IOException {
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    for (int i = 0; i < count; i++) call("SET k" + i + " v PX 1");
    advance(2);
    return Engines.of(server);
  }

  @Test
  void activeExpiry_continuesAtTheEndOfTurns() throws IOException {
    Engine engine = engineWithDueKeys(10_000);
    long[] left = new long[1];
    engine
        .keyspace()
        .withLock(() -> {
          engine.activeExpiry().on(true);
          assertThat(engine.activeExpiry().cron()).isPositive();
          long end = System.nanoTime() + 10_000_000_000L;
          while (engine.keyspace().database(0).size() > 0 && System.nanoTime() < end) {
            long unused = engine.activeExpiry().endTurn(0);
          }
          left[0] = engine.keyspace().database(0).size();
        });
    assertThat(left[0]).isZero();
  }

  @Test
  void activeExpiry_catchesUpAtTheBeginningOfTheTurnAfterAPause() throws IOException {
    Engine engine = engineWithDueKeys(2000);
    long[] left = new long[2];
    engine
        .keyspace()
        .withLock(() -> {
          engine.activeExpiry().on(true);
          assertThat(engine.activeExpiry().cron()).isPositive();
          left[0] = engine.keyspace().database(0).size();
          long end = System.nanoTime() + 200_000_000;
          // It may return early.
          for (long pause = 1; pause > 0; pause = end - System.nanoTime()) {
            LockSupport.parkNanos(pause);
          }
          engine.activeExpiry().beginTurn();
          left[1] = engine.keyspace().database(0).size();
        });
    assertThat(left[0]).isPositive();
    assertThat(left[1]).isZero();
  }

  @Test
  void info_tellsWhatPartOfTheKeysLookedAtWasStale() throws IOException {
    assertThat(Fact.of(socket, "expired_stale_perc")).isEqualTo("0.00");
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    for (int i = 0; i < 1000; i++) call("SET k" + i + " v PX 1");
    advance(2);
    Engines.of(server)
        .keyspace()
        .withLock(() -> {
          Engines.of(server).activeExpiry().on(true);
          Engines.of(server).activeExpiry().look(Long.MAX_VALUE);
          Engines.of(server).activeExpiry().on(false);
        });
    assertThat(Fact.of(socket, "expired_stale_perc")).isEqualTo("50.00"); // a slice counts half
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void walks_whileNothingMayExpire_leaveAKeyThatIsDue() throws IOException {
    call("SET k v PX 1");
    call("CLIENT PAUSE 10000 WRITE");
    advance(5);
    assertThat(call("RANDOMKEY")).isEqualTo("$1:k");
    assertThat(call("SCAN 0")).isEqualTo("*2[$1:0, *0]");
    assertThat(call("DBSIZE")).isEqualTo(":1");
    call("CLIENT UNPAUSE");
    assertThat(call("RANDOMKEY")).isEqualTo("$-1");
  }

  @Test
  void watch_ofManyKeysTwice_countsEachOnce() throws IOException {
    String[] watch = new String[20_001];
    watch[0] = "WATCH";
    for (int i = 1; i < watch.length; i++) watch[i] = "key" + i;
    assertThat(socket.call(watch)).hasToString("+OK");
    assertThat(socket.call(watch)).hasToString("+OK");
    assertThat(call("CLIENT INFO")).contains(" watch=20000 ");
    assertThat(call("UNWATCH")).isEqualTo("+OK");
    assertThat(call("CLIENT INFO")).contains(" watch=0 ");
  }

  @Test
  void ttl_isRoundedToTheNearestSecond() throws IOException {
    call("SET k v PX 10499");
    assertThat(call("TTL k")).isEqualTo(":10");
    assertThat(call("PTTL k")).isEqualTo(":10499");
    assertThat(call("PEXPIRETIME k")).isEqualTo(":" + (START + 10_499));
    assertThat(call("EXPIRETIME k")).isEqualTo(":1700000010");
    advance(9_998);
    assertThat(call("TTL k")).isEqualTo(":1");
    advance(500);
    assertThat(call("PTTL k")).isEqualTo(":1");
    assertThat(call("GET k")).isEqualTo("$1:v");
    advance(1);
    assertThat(call("GET k")).isEqualTo("$-1");
    assertThat(call("TTL k")).isEqualTo(":-2");
  }

  @Test
  void optionsOfSet_giveKeepOrRemoveExpiry() throws IOException {
    call("SET k v EX 100");
    assertThat(call("TTL k")).isEqualTo(":100");
    call("SET k w KEEPTTL");
    assertThat(call("TTL k")).isEqualTo(":100");
    call("SET k x");
    assertThat(call("TTL k")).isEqualTo(":-1");
    call("SET k x EXAT 1700000007");
    assertThat(call("PTTL k")).isEqualTo(":7000");
    call("SET k x PXAT 1700000000500");
    assertThat(call("PTTL k")).isEqualTo(":500");
    call("GETEX k PX 900");
    assertThat(call("PTTL k")).isEqualTo(":900");
    call("GETEX k PERSIST");
    assertThat(call("PTTL k")).isEqualTo(":-1");
    call("SETEX k 5 v");
    assertThat(call("PTTL k")).isEqualTo(":5000");
    call("APPEND k w");
    call("SETRANGE k 0 x");
    assertThat(call("PTTL k")).isEqualTo(":5000");
    call("GETSET k y");
    assertThat(call("PTTL k")).isEqualTo(":-1");
    call("SET k 1 EX 3");
    call("INCR k");
    call("INCRBYFLOAT k 1.5");
    assertThat(call("PTTL k")).isEqualTo(":3000");
    advance(3000);
    assertThat(call("INCR k")).isEqualTo(":1");
    assertThat(call("PTTL k")).isEqualTo(":-1");
  }

  @Test
  void expiry_movesWithItsKey() throws IOException {
    call("RPUSH l a");
    call("EXPIRE l 50");
    call("RENAME l m");
    assertThat(call("TTL m")).isEqualTo(":50");
    call("COPY m n");
    assertThat(call("TTL n")).isEqualTo(":50");
    call("SET s v EX 70");
    call("MOVE s 1");
    call("SELECT 1");
    assertThat(call("TTL s")).isEqualTo(":70");
    call("SET t v");
    call("RENAME t s");
    assertThat(call("TTL s")).isEqualTo(":-1");
    advance(70_000);
    assertThat(call("DBSIZE")).isEqualTo(":1");
  }

  @Test
  void conditionsOfExpire_compareWithTheOldOne() throws IOException {
    call("SET k v");
    assertThat(call("EXPIRE k 10 XX")).isEqualTo(":0");
    assertThat(call("EXPIRE k 10 GT")).isEqualTo(":0");
    assertThat(call("EXPIRE k 10 LT")).isEqualTo(":1");
    assertThat(call("EXPIRE k 10 GT")).isEqualTo(":0");
    assertThat(call("EXPIRE k 11 NX")).isEqualTo(":0");
    assertThat(call("EXPIRE k 11 GT")).isEqualTo(":1");
    assertThat(call("EXPIRE k 11 LT")).isEqualTo(":0");
    assertThat(call("EXPIRE k 9 XX LT")).isEqualTo(":1");
    assertThat(call("EXPIRE k -1 GT")).isEqualTo(":0");
    assertThat(call("EXPIRE k -1")).isEqualTo(":1");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  @Test
  void dueKey_withoutActiveExpiry_isDeletedWhenAskedFor() throws IOException {
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    for (String make :
        new String[] {"SET s v", "RPUSH l a", "HSET h f v", "ZADD z 1 a", "SADD m a"}) call(make);
    for (String key : new String[] {"s", "l", "h", "z", "m"}) call("PEXPIRE " + key + " 10");
    advance(10);
    assertThat(call("DBSIZE")).isEqualTo(":5");
    assertThat(call("KEYS *")).isEqualTo("*0");
    assertThat(call("RANDOMKEY")).isEqualTo("$-1");
    assertThat(call("TYPE s")).isEqualTo("+none");
    assertThat(call("LLEN l")).isEqualTo(":0");
    assertThat(call("HSET h g w")).isEqualTo(":1");
    assertThat(call("ZCARD z")).isEqualTo(":0");
    assertThat(call("SCAN 0 COUNT 100")).isEqualTo("*2[$1:0, *1[$1:h]]");
    assertThat(call("DBSIZE")).isEqualTo(":1");
    assertThat(call("HLEN h")).isEqualTo(":1");
    assertThat(call("INFO stats")).contains("expired_keys:5");
  }

  @Test
  void dueKeys_thatNobodyAsksFor_areDeletedActively() throws IOException {
    for (int i = 0; i < 5000; i++)
      socket.send("SET", "k" + i, "v", "PX", i % 2 == 0 ? "10" : "9999");
    for (int i = 0; i < 5000; i++) assertThat(socket.read()).hasToString("+OK");
    other.call("SELECT", "7");
    other.call("SET", "x", "v", "PX", "10");
    advance(10);
    socket.await("2500", "DBSIZE"); // a slice that finds few due keys ends the round
    assertThat(call("DBSIZE")).isEqualTo(":2500");
    assertThat(other.call("DBSIZE")).hasToString(":0");
    assertThat(call("INFO keyspace")).contains("db0:keys=2500,expires=2500");
    advance(9989);
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void expiredEvent_isPublished() throws IOException {
    call("CONFIG SET notify-keyspace-events Ex");
    other.call("SUBSCRIBE", "__keyevent@0__:expired");
    call("SET k v PX 5");
    advance(5);
    assertThat(other.read()).hasToString("*3[$7:message, $22:__keyevent@0__:expired, $1:k]");
  }

  @Test
  void watch_keyExpires_abortsExec() throws IOException {
    call("SET k v PX 10");
    call("WATCH k");
    call("MULTI");
    call("PING");
    advance(10);
    assertThat(call("EXEC")).isEqualTo("*-1");
  }

  @Test
  void watch_keyThatHadExpiredBefore_doesNotAbort() throws IOException {
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    call("SET k v PX 10");
    advance(10);
    call("WATCH k");
    call("MULTI");
    call("PING");
    assertThat(call("EXEC")).isEqualTo("*1[+PONG]");
  }

  @Test
  void watch_changedByAnotherConnection_abortsExec() throws IOException {
    String[][] changes = {
      {"SET", "k", "same"},
      {"DEL", "k"},
      {"EXPIRE", "k", "100"},
      {"APPEND", "k", "x"},
      {"RENAME", "k", "j"},
      {"FLUSHALL"},
      {"FLUSHDB"},
      {"SWAPDB", "0", "1"},
      {"GETDEL", "k"},
      {"SETRANGE", "k", "0", "x"},
      {"COPY", "src", "k", "REPLACE"},
      {"MOVE", "k", "2"},
      {"SORT", "none", "STORE", "k"},
      {"BITOP", "NOT", "k", "src"},
      {"SETBIT", "k", "0", "1"}
    };
    for (String[] change : changes) {
      call("FLUSHALL");
      call("SET k same");
      call("SET src v");
      call("WATCH none k");
      assertThat(other.call(change).type()).as("%s", change[0]).isNotEqualTo('-');
      call("MULTI");
      call("SET done 1");
      assertThat(call("EXEC")).as("%s", change[0]).isEqualTo("*-1");
      assertThat(call("MULTI")).isEqualTo("+OK");
      assertThat(call("EXEC")).isEqualTo("*0");
    }
  }

  @Test
  void watch_notChanged_execs() throws IOException {
    String[][] harmless = {
      {"GET", "k"}, {"SET", "k", "x", "NX"}, {"EXPIRE", "k", "100", "XX"}, {"PERSIST", "k"},
      {"SETRANGE", "k", "0", ""}, {"DEL", "none"}, {"SET", "unwatched", "v"}, {"TOUCH", "k"},
      {"GETEX", "k"}, {"MSETNX", "k", "a", "j", "b"}, {"SWAPDB", "3", "4"}, {"SORT", "none"}
    };
    for (String[] command : harmless) {
      call("FLUSHALL");
      call("SET k v");
      call("WATCH none k");
      other.call(command);
      call("MULTI");
      call("SET done 1");
      assertThat(call("EXEC")).as("%s", command[0]).isEqualTo("*1[+OK]");
    }
  }
}
