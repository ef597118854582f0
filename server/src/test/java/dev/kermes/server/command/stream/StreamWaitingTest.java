package dev.kermes.server.command.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.ServerTest;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Streams over the wire: waiting for entries, and additions since Redis 7.2. */
final class StreamWaitingTest extends ServerTest {

  private static final String NO_GROUP =
      "-NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option";

  private RespSocket redis;

  StreamWaitingTest() {
    super(1);
  }

  @BeforeEach
  void connect() throws IOException {
    redis = start();
  }

  private RespSocket reading(String command) throws IOException {
    return waiting(command.split(" "));
  }

  private void check(String command, String reply) throws IOException {
    assertThat(redis.call(command.split(" "))).as(command).hasToString(reply);
  }

  private void addGroupAndEntries(int entries) throws IOException {
    check("XGROUP CREATE s g 0 MKSTREAM", "+OK");
    for (int i = 1; i <= entries; i++) check("XADD s " + i + "-0 n " + i, "$3:" + i + "-0");
  }

  // Waiting

  @Test
  void xread_block_isServedByTheNextEntry() throws IOException {
    check("XADD s 1-0 a 1", "$3:1-0");
    RespSocket last = reading("XREAD BLOCK 0 STREAMS other s $ $");
    check("XADD s 2-0 b 2", "$3:2-0");
    assertThat(last.read()).hasToString("*1[*2[$1:s, *1[*2[$3:2-0, *2[$1:b, $1:2]]]]]");
  }

  @Test
  void xread_block_inResp3_repliesMap() throws IOException {
    RespSocket reader = open();
    reader.call("HELLO", "3");
    reader.send("XREAD", "BLOCK", "0", "STREAMS", "s", "0");
    awaitBlockedClients(1);
    check("XADD s 2-0 b 2", "$3:2-0");
    assertThat(reader.read()).hasToString("%1[$1:s, *1[*2[$3:2-0, *2[$1:b, $1:2]]]]");
  }

  @Test
  void xread_timeoutPasses_repliesNil() throws IOException {
    RespSocket reader = reading("XREAD BLOCK 1500 STREAMS s $");
    clock.advance(Duration.ofMillis(1500));
    assertThat(reader.read()).hasToString("*-1");
  }

  @Test
  void xread_lastEntryPlus_repliesIt() throws IOException {
    check("XREAD STREAMS s +", "*-1");
    check("XADD s 1-0 a 1", "$3:1-0");
    check("XADD s 2-0 b 2", "$3:2-0");
    check("XREAD COUNT 5 STREAMS s +", "*1[*2[$1:s, *1[*2[$3:2-0, *2[$1:b, $1:2]]]]]");
  }

  @Test
  void xreadgroup_block_deliversToTheFirstWhoWaits() throws IOException {
    addGroupAndEntries(0);
    RespSocket alice = reading("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
    RespSocket bob = reading("XREADGROUP GROUP g bob BLOCK 0 STREAMS s >");
    check("XADD s 1-0 n 1", "$3:1-0");
    assertThat(alice.read()).hasToString("*1[*2[$1:s, *1[*2[$3:1-0, *2[$1:n, $1:1]]]]]");
    check("XADD s 2-0 n 2", "$3:2-0");
    assertThat(bob.read()).hasToString("*1[*2[$1:s, *1[*2[$3:2-0, *2[$1:n, $1:2]]]]]");
    check("XPENDING s g", "*4[:2, $3:1-0, $3:2-0, *2[*2[$5:alice, $1:1], *2[$3:bob, $1:1]]]");
  }

  @Test
  void xreadgroup_groupOrKeyGoes_repliesNoGroup() throws IOException {
    for (String end : List.of("XGROUP DESTROY s g", "DEL s", "FLUSHALL", "RENAME s t")) {
      redis.call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
      RespSocket reader = reading("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
      redis.call(end.split(" "));
      assertThat(reader.read()).as(end).hasToString(NO_GROUP);
    }
  }

  @Test
  void xreadgroup_keyChangesItsType_repliesWrongType() throws IOException {
    addGroupAndEntries(0);
    RespSocket reader = reading("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
    check("SET s string", "+OK");
    assertThat(reader.read().text()).startsWith("WRONGTYPE ");
  }

  @Test
  void xreadgroup_keyExpires_repliesNoGroup() throws IOException {
    addGroupAndEntries(0);
    check("PEXPIRE s 100", ":1");
    RespSocket reader = reading("XREADGROUP GROUP g alice BLOCK 0 STREAMS s >");
    clock.advance(Duration.ofMillis(100));
    assertThat(reader.read()).hasToString(NO_GROUP);
  }

  @Test
  void xread_keyGoes_waitsOn() throws IOException {
    check("XADD s 1-0 a 1", "$3:1-0");
    RespSocket reader = reading("XREAD BLOCK 0 STREAMS s 1-0");
    check("DEL s", ":1");
    check("SET s string", "+OK");
    check("DEL s", ":1");
    check("XADD s 1-1 a 2", "$3:1-1");
    assertThat(reader.read()).hasToString("*1[*2[$1:s, *1[*2[$3:1-1, *2[$1:a, $1:2]]]]]");
  }

  @Test
  void groupCommands_doNotAbortTransactionsThatWatch() throws IOException {
    addGroupAndEntries(1);
    RespSocket other = open();
    other.call("WATCH", "s");
    check("XREADGROUP GROUP g a STREAMS s >", "*1[*2[$1:s, *1[*2[$3:1-0, *2[$1:n, $1:1]]]]]");
    check("XACK s g 1-0", ":1");
    other.call("MULTI");
    assertThat(other.call("EXEC")).hasToString("*0");
  }

  // Consumer groups

  @Test
  @DisplayName("XINFO GROUPS: lag and entries-read with deleted entries and a group set back")
  void lag_asRedis74() throws IOException {
    addGroupAndEntries(5);
    String group =
        "*1[*12[$4:name, $1:g, $9:consumers, :%s, $7:pending, :%s, "
            + "$17:last-delivered-id, $3:%s, $12:entries-read, %s, $3:lag, %s]]";
    check("XINFO GROUPS s", String.format(group, 0, 0, "0-0", "$-1", ":5"));
    redis.call("XREADGROUP", "GROUP", "g", "a", "COUNT", "2", "STREAMS", "s", ">");
    check("XINFO GROUPS s", String.format(group, 1, 2, "2-0", ":2", ":3"));
    check("XDEL s 4-0", ":1");
    check("XINFO GROUPS s", String.format(group, 1, 2, "2-0", ":2", "$-1"));
    redis.call("XREADGROUP", "GROUP", "g", "a", "COUNT", "2", "STREAMS", "s", ">");
    check("XINFO GROUPS s", String.format(group, 1, 4, "5-0", ":5", ":0"));
    check("XGROUP SETID s g 0", "+OK");
    check("XINFO GROUPS s", String.format(group, 1, 4, "0-0", "$-1", "$-1"));
    check("XTRIM s MINID 5", ":3");
    check("XINFO GROUPS s", String.format(group, 1, 4, "0-0", "$-1", ":1"));
  }

  @Test
  void entriesRead_isHeldToWhatWasAdded() throws IOException {
    check("XADD s 1-1 a b", "$3:1-1");
    check("XGROUP CREATE s g $ ENTRIESREAD 7", "+OK");
    assertThat(redis.call("XINFO", "GROUPS", "s").toString())
        .contains("$12:entries-read, :1, $3:lag, :0");
    check("XGROUP SETID s g $ ENTRIESREAD 9", "+OK");
    assertThat(redis.call("XINFO", "GROUPS", "s").toString())
        .contains("$12:entries-read, :1, $3:lag, :0");
  }

  @Test
  void xinfoConsumers_tellsIdleAndInactive() throws IOException {
    addGroupAndEntries(1);
    redis.call("XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", ">");
    clock.advance(Duration.ofMillis(20));
    redis.call("XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", ">");
    redis.call("XGROUP", "CREATECONSUMER", "s", "g", "b");
    clock.advance(Duration.ofMillis(3));
    check(
        "XINFO CONSUMERS s g",
        "*2[*8[$4:name, $1:a, $7:pending, :1, $4:idle, :3, $8:inactive, :23], "
            + "*8[$4:name, $1:b, $7:pending, :0, $4:idle, :3, $8:inactive, :-1]]");
  }

  @Test
  void xreadgroup_claim_givesIdleEntriesBeforeNewOnes() throws IOException {
    addGroupAndEntries(2);
    redis.call("XREADGROUP", "GROUP", "g", "a", "COUNT", "1", "STREAMS", "s", ">");
    clock.advance(Duration.ofMillis(50));
    check(
        "XREADGROUP GROUP g b CLAIM 50 STREAMS s >",
        "*1[*2[$1:s, *2[*4[$3:1-0, *2[$1:n, $1:1], :50, :1], *4[$3:2-0, *2[$1:n, $1:2], :0, :0]]]]");
    check("XREADGROUP GROUP g b CLAIM 50 STREAMS s >", "*-1");
    check("XPENDING s g - + 9", "*2[*4[$3:1-0, $1:b, :0, :2], *4[$3:2-0, $1:b, :0, :1]]");
  }

  @Test
  void xreadgroup_claim_wakesWhenAnEntryHasBeenIdle() throws IOException {
    addGroupAndEntries(1);
    redis.call("XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", ">");
    RespSocket b = reading("XREADGROUP GROUP g b BLOCK 0 CLAIM 500 STREAMS s >");
    clock.advance(Duration.ofMillis(499));
    check("XPENDING s g - + 9", "*1[*4[$3:1-0, $1:a, :499, :1]]");
    clock.advance(Duration.ofMillis(1));
    assertThat(b.read()).hasToString("*1[*2[$1:s, *1[*4[$3:1-0, *2[$1:n, $1:1], :500, :1]]]]");
  }

  @Test
  void xnack_givesBack_forAnybodyToClaim() throws IOException {
    addGroupAndEntries(3);
    redis.call("XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", ">");
    check("XNACK s g SILENT IDS 1 1-0", ":1");
    check("XNACK s g FAIL IDS 2 2-0 9-0", ":1");
    check("XNACK s g FATAL IDS 1 3-0", ":1");
    check(
        "XPENDING s g - + 9",
        "*3[*4[$3:1-0, $0:, :-1, :0], *4[$3:2-0, $0:, :-1, :1], "
            + "*4[$3:3-0, $0:, :-1, :9223372036854775807]]");
    check("XAUTOCLAIM s g b 1000 - COUNT 1 JUSTID", "*3[$3:2-0, *1[$3:1-0], *0]");
    check("XCLAIM s g b 1000 2-0 JUSTID", "*1[$3:2-0]");
    check("XNACK s g FAIL IDS 1 1-0 RETRYCOUNT 7", ":1");
    check("XPENDING s g 1-0 1-0 9", "*1[*4[$3:1-0, $0:, :-1, :7]]");
    check("XACK s g 1-0 2-0 3-0", ":3");
    check("XNACK s g FAIL IDS 2 1-0 8-0 FORCE", ":1");
    check("XPENDING s g - + 9", "*1[*4[$3:1-0, $0:, :-1, :0]]");
  }

  @Test
  void xnack_mistakes() throws IOException {
    check("XNACK s g FAIL IDS 1 1-0", "-NOGROUP No such key 's' or consumer group 'g'");
    addGroupAndEntries(1);
    check("XNACK s g LOUD IDS 1 1-0", "-ERR mode must be SILENT, FAIL, or FATAL");
    check("XNACK s g FAIL IDS 0 1-0", "-ERR numids must be a positive integer");
    check("XNACK s g FAIL IDS 2 1-0", "-ERR number of IDs doesn't match numids");
    check("XNACK s g FAIL FORCE FORCE FORCE", "-ERR syntax error, expected IDS keyword");
    check("XNACK s g FAIL IDS 1 1-0 LOUD", "-ERR Unrecognized XNACK option 'LOUD'");
    check("XNACK s g FAIL IDS 1 1-0 RETRYCOUNT -1", "-ERR Invalid RETRYCOUNT value, must be >= 0");
  }

  // References of groups

  @Test
  void xdelex_minds_referencesOfGroups() throws IOException {
    addGroupAndEntries(4);
    redis.call("XREADGROUP", "GROUP", "g", "a", "COUNT", "3", "STREAMS", "s", ">");
    check("XACK s g 1-0", ":1");
    check("XDELEX s ACKED IDS 5 1-0 2-0 4-0 9-0 0-1", "*5[:1, :2, :2, :2, :-1]");
    check("XDELEX s KEEPREF IDS 1 2-0", "*1[:1]");
    check("XPENDING s g", "*4[:2, $3:2-0, $3:3-0, *1[*2[$1:a, $1:2]]]");
    check("XDELEX s DELREF IDS 2 3-0 2-0", "*2[:1, :-1]");
    check("XPENDING s g", "*4[:0, $-1, $-1, *-1]");
    check("XDELEX none IDS 2 x 1-0", "*2[:-1, :-1]");
    check("XDELEX s IDS 1 x", "-ERR Invalid stream ID specified as stream command argument");
    check("XDELEX s IDS 0 1-0", "-ERR Number of IDs must be a positive integer");
    check("XDELEX s IDS 3 1-0", "-ERR The `numids` parameter must match the number of arguments");
    check("XDELEX s KEEPREF DELREF 1-0", "-ERR syntax error");
  }

  @Test
  void xackdel_acknowledgesAndDeletes() throws IOException {
    addGroupAndEntries(3);
    check("XGROUP CREATE s h 0", "+OK");
    redis.call("XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", ">");
    redis.call("XREADGROUP", "GROUP", "h", "a", "COUNT", "1", "STREAMS", "s", ">");
    check("XACKDEL s g ACKED IDS 3 1-0 2-0 9-0", "*3[:2, :2, :-1]");
    check("XACKDEL s h ACKED IDS 1 1-0", "*1[:1]");
    check("XACKDEL s g IDS 1 3-0", "*1[:1]");
    check("XRANGE s - +", "*1[*2[$3:2-0, *2[$1:n, $1:2]]]");
    check("XACKDEL s none IDS 1 2-0", "*1[:-1]");
  }

  @Test
  void xtrim_minds_referencesOfGroups() throws IOException {
    addGroupAndEntries(6);
    redis.call("XREADGROUP", "GROUP", "g", "a", "COUNT", "3", "STREAMS", "s", ">");
    check("XACK s g 1-0 3-0", ":2");
    check("XTRIM s MAXLEN 2 ACKED", ":2");
    check("XLEN s", ":4");
    check("XTRIM s MAXLEN 3 DELREF", ":1");
    check("XPENDING s g", "*4[:0, $-1, $-1, *-1]");
    check("XADD s MAXLEN = 1 KEEPREF 7-0 n 7", "$3:7-0");
    check("XLEN s", ":1");
    check("XTRIM s MAXLEN 0 DELREF ACKED", "-ERR syntax error");
  }

  // Idempotent producers

  @Test
  void xadd_idmp_addsOnce() throws IOException {
    String id = redis.call("XADD", "s", "IDMP", "p", "1", "*", "a", "1").toString();
    clock.advance(Duration.ofMillis(5));
    check("XADD s IDMP p 1 * b 2", id);
    assertThat(redis.call("XADD", "s", "IDMP", "q", "1", "*", "b", "2").toString())
        .isNotEqualTo(id);
    String auto = redis.call("XADD", "s", "IDMPAUTO", "p", "*", "a", "1", "b", "2").toString();
    clock.advance(Duration.ofMillis(5));
    check("XADD s IDMPAUTO p * b 2 a 1", auto);
    check("XLEN s", ":3");
    clock.advance(Duration.ofSeconds(100));
    assertThat(redis.call("XADD", "s", "IDMP", "p", "1", "*", "b", "2").toString())
        .isNotEqualTo(id);
    String info = redis.call("XINFO", "STREAM", "s").toString();
    assertThat(info)
        .contains("$12:pids-tracked, :1, $12:iids-tracked, :1, $10:iids-added, :4")
        .contains("$15:iids-duplicates, :2");
  }

  @Test
  void xadd_idmp_mistakes() throws IOException {
    check(
        "XADD s IDMP p 1 1-0 a 1",
        "-ERR syntax error, IDMP/IDMPAUTO can be used only with auto-generated IDs");
    check(
        "XADD s IDMP p 1 IDMPAUTO p * a 1",
        "-ERR syntax error, IDMP/IDMPAUTO specified multiple times");
    assertThat(redis.call("XADD", "s", "IDMPAUTO", "", "*", "a", "1"))
        .hasToString("-ERR syntax error, IDMPAUTO requires a non-empty producer ID");
    assertThat(redis.call("XADD", "s", "IDMP", "p", "", "*", "a", "1"))
        .hasToString("-ERR syntax error, IDMP requires a non-empty idempotent ID");
    check("EXISTS s", ":0");
  }

  @Test
  void xcfgset_changesAndForgets() throws IOException {
    check("XCFGSET s IDMP-DURATION 5", "-ERR no such key");
    String id = redis.call("XADD", "s", "IDMP", "p", "1", "*", "a", "1").toString();
    check("XCFGSET s", "-ERR At least one parameter must be specified");
    check("XCFGSET s IDMP-DURATION 0", "-ERR IDMP-DURATION must be between 1 and 86400 seconds");
    check("XCFGSET s IDMP-MAXSIZE 10001", "-ERR IDMP-MAXSIZE must be between 1 and 10000 entries");
    check("XCFGSET s IDMP-MAXSIZE 5 idmp-maxsize 5", "-ERR IDMP-MAXSIZE specified multiple times");
    check("XCFGSET s IDMP-DURATION 100", "+OK");
    check("XADD s IDMP p 1 * a 1", id);
    check("XCFGSET s IDMP-DURATION 10 IDMP-MAXSIZE 1", "+OK");
    clock.advance(Duration.ofMillis(1));
    assertThat(redis.call("XADD", "s", "IDMP", "p", "1", "*", "a", "1").toString())
        .isNotEqualTo(id);
  }

  @Test
  void xidmprecord_notesAnEntry() throws IOException {
    check("XIDMPRECORD s p 1 1-0", "-ERR no such key");
    long now = clock.millis();
    check("XADD s " + now + "-0 a 1", "$15:" + now + "-0");
    check("XIDMPRECORD s p 1 9-0", "-ERR No such message in stream");
    check("XIDMPRECORD s p 1 " + now + "-0", "+OK");
    check("XADD s IDMP p 1 * a 1", "$15:" + now + "-0");
    check("XADD s " + now + "-1 a 1", "$15:" + now + "-1");
    check(
        "XIDMPRECORD s p 1 " + now + "-1",
        "-ERR IID already exists for this producer with a different stream ID");
  }

  // Limits of a whole reply

  @Test
  @DisplayName("XREAD MAXCOUNT limits the entries of all streams together")
  void xread_maxcount() throws IOException {
    for (String stream : List.of("a", "b", "c")) {
      for (int i = 1; i <= 3; i++) redis.call("XADD", stream, i + "-0", "f", "v");
    }
    check(
        "XREAD COUNT 2 MAXCOUNT 3 STREAMS a b c 0 0 0",
        "*2[*2[$1:a, *2[*2[$3:1-0, *2[$1:f, $1:v]], *2[$3:2-0, *2[$1:f, $1:v]]]],"
            + " *2[$1:b, *1[*2[$3:1-0, *2[$1:f, $1:v]]]]]");
    check("XREAD MAXCOUNT 1 STREAMS none c 0 2", "*1[*2[$1:c, *1[*2[$3:3-0, *2[$1:f, $1:v]]]]]");
    check("XREAD MAXCOUNT 1 MAXSIZE 1 STREAMS a 3", "*-1");
    check("XREAD MAXCOUNT 0 STREAMS a 0", "-ERR MAXCOUNT must be a positive integer");
    check("XREAD MAXSIZE -1 STREAMS a 0", "-ERR MAXSIZE must be a positive integer");
    check("XREAD MAXSIZE x STREAMS a 0", "-ERR value is not an integer or out of range");
    check(
        "XREAD MAXCOUNT 1 COUNT 2 STREAMS a 0",
        "-ERR MAXCOUNT must be greater than or equal to COUNT");
    check("XREAD MAXCOUNT 1", "-ERR wrong number of arguments for 'xread' command");
  }

  @Test
  @DisplayName("XREAD MAXSIZE stops when the reply is that long, after one entry at least")
  void xread_maxsize() throws IOException {
    for (String stream : List.of("a", "b")) {
      for (int i = 1; i <= 50; i++) redis.call("XADD", stream, i + "-0", "f", "x".repeat(100));
    }
    List<RespReply> one =
        redis.call("XREAD", "MAXSIZE", "1", "STREAMS", "a", "b", "0", "0").elements();
    assertThat(one).hasSize(1);
    assertThat(one.getFirst().elements().get(1).elements()).hasSize(1);
    String text = redis.call("XREAD", "MAXSIZE", "1000", "STREAMS", "a", "b", "0", "0").toString();
    assertThat(text.length()).isBetween(1000, 1200);
    assertThat(text).doesNotContain("$1:b");
    assertThat(redis.call("XREAD", "MAXSIZE", "99999", "STREAMS", "a", "b", "0", "0").elements())
        .hasSize(2);
  }

  @Test
  @DisplayName("XREADGROUP MAXCOUNT delivers no more than it replies")
  void xreadgroup_maxcount() throws IOException {
    addGroupAndEntries(3);
    redis.call("XGROUP", "CREATE", "t", "g", "0", "MKSTREAM");
    redis.call("XADD", "t", "1-0", "n", "1");
    redis.call("XREADGROUP", "GROUP", "g", "c", "MAXCOUNT", "2", "STREAMS", "s", "t", ">", ">");
    check("XPENDING s g", "*4[:2, $3:1-0, $3:2-0, *1[*2[$1:c, $1:2]]]");
    check("XPENDING t g", "*4[:0, $-1, $-1, *-1]");
    check(
        "XREADGROUP GROUP g c MAXCOUNT 1 STREAMS s 0",
        "*1[*2[$1:s, *1[*2[$3:1-0, *2[$1:n, $1:1]]]]]");
    redis.call("XREADGROUP", "GROUP", "g", "c", "MAXSIZE", "1", "STREAMS", "s", "t", ">", ">");
    check("XPENDING s g", "*4[:3, $3:1-0, $3:3-0, *1[*2[$1:c, $1:3]]]");
    check("XPENDING t g", "*4[:0, $-1, $-1, *-1]");
  }
}
