package dev.kermes.server.command.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hash fields that expire; the replies are those of Redis 8.0. */
final class HashExpiryTest extends CommandTest {

  private void entriesMax(int entries) throws IOException {
    call("CONFIG SET hash-max-listpack-entries " + entries);
  }

  @ParameterizedTest
  @CsvSource({"512, listpack, listpackex", "0, hashtable, hashtable"})
  void hexpire_setsAndReadsExpiry_inEveryEncoding(int entriesMax, String before, String after)
      throws IOException {
    entriesMax(entriesMax);
    call("HSET h a 1 b 2 c 3");
    assertThat(call("OBJECT ENCODING h")).isEqualTo("$" + before.length() + ":" + before);
    assertThat(call("HEXPIRE h 10 FIELDS 2 a x")).isEqualTo("*2[:1, :-2]");
    assertThat(call("OBJECT ENCODING h")).isEqualTo("$" + after.length() + ":" + after);
    assertThat(call("HPEXPIRE h 1500 FIELDS 1 b")).isEqualTo("*1[:1]");
    assertThat(call("HTTL h FIELDS 4 a b c x")).isEqualTo("*4[:10, :2, :-1, :-2]");
    assertThat(call("HPTTL h FIELDS 3 a b c")).isEqualTo("*3[:10000, :1500, :-1]");
    assertThat(call("HEXPIRETIME h FIELDS 2 a b")).isEqualTo("*2[:1700000010, :1700000002]");
    assertThat(call("HPEXPIRETIME h FIELDS 1 b")).isEqualTo("*1[:" + (START + 1500) + "]");
    assertThat(call("HPERSIST h FIELDS 3 b c x")).isEqualTo("*3[:1, :-1, :-2]");
    assertThat(call("HTTL h FIELDS 1 b")).isEqualTo("*1[:-1]");
    assertThat(call("HEXPIREAT h 1700000007 FIELDS 1 c")).isEqualTo("*1[:1]");
    assertThat(call("HPEXPIREAT h 1700000007001 FIELDS 1 b")).isEqualTo("*1[:1]");
    assertThat(call("HPTTL h FIELDS 2 b c")).isEqualTo("*2[:7001, :7000]");
    assertThat(call("INFO keyspace")).contains("db0:keys=1,expires=0,avg_ttl=0,subexpiry=1");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void conditions_compareWithTheOldExpiry(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    call("HSET h a 1 b 2");
    call("HEXPIRE h 100 FIELDS 1 a");
    assertThat(call("HEXPIRE h 50 NX FIELDS 2 a b")).isEqualTo("*2[:0, :1]");
    assertThat(call("HEXPIRE h 70 GT FIELDS 2 a b")).isEqualTo("*2[:0, :1]");
    assertThat(call("HEXPIRE h 80 LT FIELDS 2 a b")).isEqualTo("*2[:1, :0]");
    call("HPERSIST h FIELDS 1 b");
    assertThat(call("HEXPIRE h 60 XX FIELDS 2 a b")).isEqualTo("*2[:1, :0]");
    assertThat(call("HEXPIRE h 90 GT FIELDS 1 b")).isEqualTo("*1[:0]");
    assertThat(call("HEXPIRE h 90 LT FIELDS 1 b")).isEqualTo("*1[:1]");
    assertThat(call("HTTL h FIELDS 2 a b")).isEqualTo("*2[:60, :90]");
    assertThat(call("HEXPIRE h 0 NX FIELDS 1 a")).isEqualTo("*1[:0]");
    assertThat(call("HEXPIRE h 0 FIELDS 2 a b")).isEqualTo("*2[:2, :2]");
    assertThat(call("EXISTS h")).isEqualTo(":0");
  }

  @Test
  void mistakes_replyAsRedis() throws IOException {
    call("HSET h a 1");
    call("SET s v");
    String[][] cases = {
      {
        "HEXPIRE s 10 FIELDS 1 a",
        "WRONGTYPE Operation against a key holding the wrong kind of value"
      },
      {"HEXPIRE h x FIELDS 1 a", "ERR value is not an integer or out of range"},
      {"HEXPIRE h -1 FIELDS 1 a", "ERR invalid expire time, must be >= 0"},
      {"HEXPIRE h 70368744178 FIELDS 1 a", "ERR invalid expire time in 'hexpire' command"},
      {"HPEXPIREAT h 70368744177664 FIELDS 1 a", "ERR invalid expire time in 'hpexpireat' command"},
      {
        "HEXPIRE h 10 FIELD 1 a",
        "ERR Mandatory argument FIELDS is missing or not at the right position"
      },
      {"HEXPIRE h 10 FIELDS 0 a", "ERR Parameter `numFields` should be greater than 0"},
      {"HEXPIRE h 10 FIELDS x a", "ERR Parameter `numFields` should be greater than 0"},
      {
        "HEXPIRE h 10 NX FIELDS 2 a",
        "ERR The `numfields` parameter must match the number of arguments"
      },
      {"HTTL h FIELDS 0 a", "ERR Number of fields must be a positive integer"},
      {"HTTL h FIELDS 1 a b", "ERR The `numfields` parameter must match the number of arguments"},
      {"HPERSIST h 1 a b", "ERR Mandatory argument FIELDS is missing or not at the right position"},
      {"HTTL s FIELDS 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HGETDEL h FIELDS 2 a", "ERR The `numfields` parameter must match the number of arguments"},
      {"HGETEX h EX 0x FIELDS 1 a", "ERR value is not an integer or out of range"},
      {
        "HGETEX h PERSIST FIELDS 2 a",
        "ERR The `numfields` parameter must match the number of arguments"
      },
      {"HGETEX h EX 10 FIELDS", "ERR wrong number of arguments for 'hgetex' command"},
      {"HSETEX h FNX FXX FIELDS 1 a 1", "ERR Only one of FXX or FNX arguments can be specified"},
      {
        "HSETEX h EX 1 KEEPTTL FIELDS 1 a 1",
        "ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified"
      },
      {"HSETEX h NX XX FIELDS 1 a 1", "ERR Only one of NX or XX arguments can be specified"},
      {"HSETEX h GT FIELDS 1 a 1", "ERR unknown argument: GT"},
      {"HSETEX h FIELDS 0 a 1", "ERR invalid number of fields"},
      {"HSETEX h FIELDS 2 a 1", "ERR wrong number of arguments for 'hsetex' command"},
      {"HSETEX h EX -1 FIELDS 1 a 1", "ERR invalid expire time, must be >= 0"},
      {
        "HSETEX s FIELDS 1 a 1", "WRONGTYPE Operation against a key holding the wrong kind of value"
      },
    };
    for (String[] mistake : cases) {
      assertThat(call(mistake[0])).as(mistake[0]).isEqualTo("-" + mistake[1]);
    }
    assertThat(call("HGETALL h")).isEqualTo("*2[$1:a, $1:1]");
  }

  @Test
  void missingKey_hasNoFields() throws IOException {
    assertThat(call("HEXPIRE none 10 FIELDS 2 a b")).isEqualTo("*2[:-2, :-2]");
    assertThat(call("HPERSIST none FIELDS 1 a")).isEqualTo("*1[:-2]");
    assertThat(call("HTTL none FIELDS 1 a")).isEqualTo("*1[:-2]");
    assertThat(call("HGETEX none EX 10 FIELDS 2 a b")).isEqualTo("*2[$-1, $-1]");
    assertThat(call("HGETDEL none FIELDS 1 a")).isEqualTo("*1[$-1]");
    assertThat(call("HSETEX none FXX FIELDS 1 a 1")).isEqualTo(":0");
    assertThat(call("EXISTS none")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void dueField_withoutActiveExpiry_isNotThereForReaders(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    call("HSET h a 1 b 2 c 3 d 4 e 5");
    call("HPEXPIRE h 10 FIELDS 4 a b c d");
    advance(10);
    assertThat(call("HLEN h")).isEqualTo(":5");
    assertThat(call("HGETALL h")).isEqualTo("*2[$1:e, $1:5]");
    assertThat(call("HKEYS h")).isEqualTo("*1[$1:e]");
    assertThat(call("HVALS h")).isEqualTo("*1[$1:5]");
    assertThat(call("HSCAN h 0 COUNT 100")).isEqualTo("*2[$1:0, *2[$1:e, $1:5]]");
    assertThat(call("HTTL h FIELDS 2 a e")).isEqualTo("*2[:-2, :-1]");
    assertThat(call("HLEN h")).isEqualTo(":5");
    assertThat(call("HGET h a")).isEqualTo("$-1");
    assertThat(call("HLEN h")).isEqualTo(":4");
    assertThat(call("HMGET h b e")).isEqualTo("*2[$-1, $1:5]");
    assertThat(call("HLEN h")).isEqualTo(":3");
    assertThat(call("HSET h c 9")).isEqualTo(":0");
    assertThat(call("HTTL h FIELDS 1 c")).isEqualTo("*1[:-1]");
    assertThat(call("HDEL h d")).isEqualTo(":1");
    assertThat(call("INFO stats")).contains("expired_subkeys:2");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void randomField_ofDueOnes_removesThem(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    call("HSET h a 1 b 2 c 3");
    call("HPEXPIRE h 10 FIELDS 2 a b");
    call("HPEXPIRE h 20 FIELDS 1 c");
    advance(10);
    assertThat(call("HRANDFIELD h 10 WITHVALUES")).isEqualTo("*2[$1:c, $1:3]");
    assertThat(call("HLEN h")).isEqualTo(":1");
    advance(10);
    assertThat(call("HRANDFIELD h")).isEqualTo("$-1");
    assertThat(call("EXISTS h")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void dueFields_thatNobodyAsksFor_areRemovedActively(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    for (int hash = 0; hash < 50; hash++) {
      for (int field = 0; field < 40; field++) {
        call("HSETEX h" + hash + " PX " + (10 + field % 2) + " FIELDS 1 f" + field + " v");
      }
      if (hash % 2 == 0) call("HSET h" + hash + " stays v");
    }
    advance(10);
    assertThat(call("HLEN h7")).isEqualTo(":20");
    advance(1);
    assertThat(call("DBSIZE")).isEqualTo(":25");
    assertThat(call("HLEN h8")).isEqualTo(":1");
    assertThat(call("INFO keyspace")).contains("db0:keys=25,expires=0,avg_ttl=0,subexpiry=0");
    assertThat(call("INFO stats")).contains("expired_subkeys:2000");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void hgetex_readsAndChangesExpiry(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    call("HSET h a 1 b 2");
    assertThat(call("HGETEX h FIELDS 2 a x")).isEqualTo("*2[$1:1, $-1]");
    assertThat(call("HGETEX h EX 10 FIELDS 2 a x")).isEqualTo("*2[$1:1, $-1]");
    assertThat(call("HGETEX h PXAT " + (START + 77) + " FIELDS 1 b")).isEqualTo("*1[$1:2]");
    assertThat(call("HPTTL h FIELDS 2 a b")).isEqualTo("*2[:10000, :77]");
    assertThat(call("HGETEX h PERSIST FIELDS 1 a")).isEqualTo("*1[$1:1]");
    assertThat(call("HTTL h FIELDS 1 a")).isEqualTo("*1[:-1]");
    assertThat(call("HGETEX h PX 0 FIELDS 3 a b a")).isEqualTo("*3[$1:1, $1:2, $-1]");
    assertThat(call("EXISTS h")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void hgetdel_readsAndRemoves(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    call("HSET h a 1 b 2 c 3");
    assertThat(call("HGETDEL h FIELDS 3 a x a")).isEqualTo("*3[$1:1, $-1, $-1]");
    assertThat(call("HLEN h")).isEqualTo(":2");
    assertThat(call("HGETDEL h FIELDS 2 b c")).isEqualTo("*2[$1:2, $1:3]");
    assertThat(call("EXISTS h")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void hsetex_setsUnderConditions(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    assertThat(call("HSETEX h EX 10 FIELDS 2 a 1 b 2")).isEqualTo(":1");
    assertThat(call("HTTL h FIELDS 2 a b")).isEqualTo("*2[:10, :10]");
    assertThat(call("HSETEX h FNX FIELDS 2 b 3 c 4")).isEqualTo(":0");
    assertThat(call("HSETEX h FXX FIELDS 2 b 3 c 4")).isEqualTo(":0");
    assertThat(call("HSETEX h FXX KEEPTTL FIELDS 1 b 3")).isEqualTo(":1");
    assertThat(call("HSETEX h FNX PX 70 FIELDS 1 c 4")).isEqualTo(":1");
    assertThat(call("HSETEX h FIELDS 1 a 5")).isEqualTo(":1");
    assertThat(call("HPTTL h FIELDS 3 a b c")).isEqualTo("*3[:-1, :10000, :70]");
    assertThat(call("HMGET h a b c")).isEqualTo("*3[$1:5, $1:3, $1:4]");
    assertThat(call("HSETEX h PX 0 FIELDS 3 a 1 b 1 c 1")).isEqualTo(":1");
    assertThat(call("EXISTS h")).isEqualTo(":0");
  }

  @Test
  void hsetex_nxAndXx_areAboutTheKey() throws IOException {
    assertThat(call("HSETEX h XX FIELDS 1 a 1")).isEqualTo(":0");
    assertThat(call("EXISTS h")).isEqualTo(":0");
    assertThat(call("HSETEX h NX EX 10 FNX FIELDS 1 a 1")).isEqualTo(":1");
    assertThat(call("HSETEX h NX FIELDS 1 b 1")).isEqualTo(":0");
    assertThat(call("HSETEX h XX FNX FIELDS 1 a 2")).isEqualTo(":0");
    assertThat(call("HSETEX h XX FXX KEEPTTL FIELDS 1 a 2")).isEqualTo(":1");
    assertThat(call("HGETALL h")).isEqualTo("*2[$1:a, $1:2]");
    assertThat(call("HTTL h FIELDS 1 a")).isEqualTo("*1[:10]");
  }

  @Test
  void info_countsAlsoUnderTheNamesOfValkey() throws IOException {
    call("HSETEX h PX 5 FIELDS 2 a 1 b 1");
    call("HSET h c 1");
    assertThat(call("INFO keyspace")).contains("keys=1,").contains("keys_with_volatile_items=1");
    advance(5);
    assertThat(call("HMGET h a b c")).isEqualTo("*3[$-1, $-1, $1:1]");
    call("HEXPIRE h 0 FIELDS 1 c");
    assertThat(call("INFO stats")).contains("expired_fields:3");
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 0})
  void otherWrites_keepOrDropExpiry(int entriesMax) throws IOException {
    entriesMax(entriesMax);
    call("HSETEX h EX 10 FIELDS 3 a 1 b 2 c 3");
    call("HINCRBY h a 5");
    call("HINCRBYFLOAT h b 0.5");
    call("HSET h c 4");
    assertThat(call("HTTL h FIELDS 3 a b c")).isEqualTo("*3[:10, :10, :-1]");
    assertThat(call("HMGET h a b c")).isEqualTo("*3[$1:6, $3:2.5, $1:4]");
    call("COPY h copy");
    call("RENAME h moved");
    assertThat(call("HTTL copy FIELDS 2 a c")).isEqualTo("*2[:10, :-1]");
    assertThat(call("HTTL moved FIELDS 2 a c")).isEqualTo("*2[:10, :-1]");
    assertThat(call("INFO keyspace")).contains("subexpiry=2");
    advance(10_000);
    assertThat(call("HLEN copy")).isEqualTo(":1");
    assertThat(call("HINCRBY moved a 5")).isEqualTo(":5");
    assertThat(call("HTTL moved FIELDS 1 a")).isEqualTo("*1[:-1]");
  }

  @Test
  void growing_fromListpackToHashtable_keepsExpiry() throws IOException {
    entriesMax(3);
    call("HSETEX h EX 10 FIELDS 3 a 1 b 2 c 3");
    call("HSET h d 4");
    assertThat(call("OBJECT ENCODING h")).isEqualTo("$9:hashtable");
    assertThat(call("HTTL h FIELDS 2 a d")).isEqualTo("*2[:10, :-1]");
    advance(10_000);
    assertThat(call("HGETALL h")).isEqualTo("*2[$1:d, $1:4]");
  }

  @Test
  void notifications_areThoseOfRedis() throws IOException {
    call("CONFIG SET notify-keyspace-events Kgh");
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    try (RespSocket events = new RespSocket(server.port())) {
      events.call("SUBSCRIBE", "__keyspace@0__:h");
      String[][] steps = {
        {"HSETEX h PX 5 FIELDS 2 a 1 b 2", "hset hexpire"},
        {"HPERSIST h FIELDS 1 a", "hpersist"},
        {"HPEXPIRE h 5 FIELDS 1 a", "hexpire"},
        {"HGETEX h PERSIST FIELDS 1 a", "hpersist"},
        {"HGETEX h PX 5 FIELDS 1 a", "hexpire"},
        {"HPEXPIRE h 0 FIELDS 1 a", "hdel"},
        {"HSETEX h PX 0 FIELDS 1 c 1", "hset hdel"},
        {"HGETDEL h FIELDS 1 b", "hdel del"},
        {"HSETEX h PX 0 FIELDS 1 c 1", "hset hdel del"},
      };
      for (String[] step : steps) {
        call(step[0]);
        for (String event : step[1].split(" ")) assertEvent(events, event);
      }
      call("HSETEX h PX 5 FIELDS 2 a 1 b 2");
      assertEvent(events, "hset");
      assertEvent(events, "hexpire");
      advance(5);
      call("HGET h a");
      assertEvent(events, "hexpired");
      // The last field expires and is set again at once: the hash itself is not deleted.
      assertThat(call("HSETEX h FNX PX 5 FIELDS 1 b 2")).isEqualTo(":1");
      for (String event : List.of("hexpired", "hset", "hexpire")) assertEvent(events, event);
      advance(5);
      assertThat(call("HSETEX h FXX PX 5 FIELDS 1 b 2")).isEqualTo(":0");
      for (String event : List.of("hexpired", "del")) assertEvent(events, event);
      call("HSETEX h PX 5 FIELDS 1 b 2");
      for (String event : List.of("hset", "hexpire")) assertEvent(events, event);
      advance(5);
      call("DEBUG SET-ACTIVE-EXPIRE 1");
      advance(1);
      assertEvent(events, "hexpired");
      assertEvent(events, "del");
    }
  }

  private static void assertEvent(RespSocket events, String name) throws IOException {
    assertThat(events.read())
        .hasToString("*3[$7:message, $16:__keyspace@0__:h, $" + name.length() + ":" + name + "]");
  }

  @Test
  void watch_fieldExpires_abortsExec() throws IOException {
    call("HSETEX h PX 5 FIELDS 1 a 1");
    call("WATCH h");
    advance(5);
    assertThat(call("EXISTS h")).isEqualTo(":0");
    call("MULTI");
    assertThat(call("EXEC")).isEqualTo("*-1");
  }

  @Test
  void flushAndSwap_takeTheExpiringHashesAlong() throws IOException {
    call("HSETEX h PX 5 FIELDS 1 a 1");
    call("SWAPDB 0 1");
    advance(5);
    assertThat(call("INFO keyspace")).doesNotContain("db1");
    call("HSETEX h PX 5 FIELDS 1 a 1");
    call("FLUSHALL");
    call("HSET h a 1");
    advance(5);
    assertThat(call("HGET h a")).isEqualTo("$1:1");
    assertThat(call("INFO keyspace")).contains("subexpiry=0");
  }
}
