package dev.kermes.server.command.sortedset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorted sets by example. */
final class SortedSetTest extends FamilyTest {

  @Test
  void zadd_countsNewMembers_andWithChAllChanged() throws IOException {
    assertThat(call("ZADD z 1 a 2 b")).isEqualTo(":2");
    assertThat(call("ZADD z 5 a 2 b 3 c")).isEqualTo(":1");
    assertThat(call("ZADD z CH 6 a 2 b 4 d")).isEqualTo(":2");
    assertThat(call("ZSCORE z a")).isEqualTo("$1:6");
    assertThat(call("ZADD z word e")).isEqualTo("-ERR value is not a valid float");
    assertThat(call("ZADD z nan e")).isEqualTo("-ERR value is not a valid float");
  }

  @Test
  void zadd_conditions_decideAboutTheUpdate() throws IOException {
    call("ZADD z 5 a");
    assertThat(call("ZADD z NX 9 a 1 b")).isEqualTo(":1");
    assertThat(call("ZADD z XX CH 7 a 1 c")).isEqualTo(":1");
    assertThat(call("ZADD z GT CH 6 a")).isEqualTo(":0");
    assertThat(call("ZADD z LT CH 6 a")).isEqualTo(":1");
    assertThat(call("ZSCORE z a")).isEqualTo("$1:6");
    assertThat(call("ZADD z INCR 2 a")).isEqualTo("$1:8");
    assertThat(call("ZADD z NX INCR 2 a")).isEqualTo("$-1");
    assertThat(call("ZADD z NX XX 1 a"))
        .isEqualTo("-ERR XX and NX options at the same time are not compatible");
    assertThat(call("ZADD z GT NX 1 a"))
        .isEqualTo("-ERR GT, LT, and/or NX options at the same time are not compatible");
  }

  @Test
  void equalScores_areOrderedByMember() throws IOException {
    call("ZADD z 1 b 1 a 0 z 1 B");
    assertThat(call("ZRANGE z 0 -1")).isEqualTo("*4[$1:z, $1:B, $1:a, $1:b]");
    assertThat(call("ZREVRANGE z 0 1")).isEqualTo("*2[$1:b, $1:a]");
    assertThat(call("ZRANK z a")).isEqualTo(":2");
    assertThat(call("ZREVRANK z a")).isEqualTo(":1");
    assertThat(call("ZRANK z none")).isEqualTo("$-1");
  }

  @ParameterizedTest(name = "{0} is replied as {1}")
  @CsvSource({
    "3, 3",
    "3.50, 3.5",
    "1e3, 1000",
    "-0.25, -0.25",
    "inf, inf",
    "-Infinity, -inf",
    "9007199254740993, 9007199254740992",
    "1e20, 1e+20"
  })
  void scores_areRepliedAsDecimals(String score, String replied) throws IOException {
    call("ZADD z " + score + " a");
    assertThat(call("ZSCORE z a")).isEqualTo("$" + replied.length() + ":" + replied);
  }

  @Test
  void zrange_selectsByIndexScoreAndName() throws IOException {
    call("ZADD z 1 a 2 b 3 c 4 d");
    assertThat(call("ZRANGE z 1 2 WITHSCORES")).isEqualTo("*4[$1:b, $1:2, $1:c, $1:3]");
    assertThat(call("ZRANGE z (1 3 BYSCORE")).isEqualTo("*2[$1:b, $1:c]");
    assertThat(call("ZRANGE z +inf -inf BYSCORE REV LIMIT 1 2")).isEqualTo("*2[$1:c, $1:b]");
    assertThat(call("ZRANGEBYSCORE z -inf (3 LIMIT 0 1")).isEqualTo("*1[$1:a]");
    assertThat(call("ZRANGE z 0 1 LIMIT 0 1"))
        .isEqualTo(
            "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    assertThat(call("ZRANGEBYSCORE z word 3")).isEqualTo("-ERR min or max is not a float");
  }

  @Test
  void namesOfOneScore_areARange() throws IOException {
    call("ZADD z 0 a 0 b 0 c 0 d");
    assertThat(call("ZRANGEBYLEX z [b (d")).isEqualTo("*2[$1:b, $1:c]");
    assertThat(call("ZREVRANGEBYLEX z + [c")).isEqualTo("*2[$1:d, $1:c]");
    assertThat(call("ZLEXCOUNT z - +")).isEqualTo(":4");
    assertThat(call("ZREMRANGEBYLEX z - (b")).isEqualTo(":1");
    assertThat(call("ZRANGEBYLEX z b d")).isEqualTo("-ERR min or max not valid string range item");
  }

  @Test
  void counts_andRemovals_byRange() throws IOException {
    call("ZADD z 1 a 2 b 3 c 4 d 5 e");
    assertThat(call("ZCOUNT z (1 4")).isEqualTo(":3");
    assertThat(call("ZREMRANGEBYSCORE z 4 +inf")).isEqualTo(":2");
    assertThat(call("ZREMRANGEBYRANK z 0 0")).isEqualTo(":1");
    assertThat(call("ZRANGE z 0 -1")).isEqualTo("*2[$1:b, $1:c]");
    assertThat(call("ZREM z b none c")).isEqualTo(":2");
    assertThat(call("EXISTS z")).isEqualTo(":0");
  }

  @Test
  void zincrby_beginsAtZero_andRefusesNotANumber() throws IOException {
    assertThat(call("ZINCRBY z 1.5 a")).isEqualTo("$3:1.5");
    assertThat(call("ZINCRBY z -3 a")).isEqualTo("$4:-1.5");
    call("ZADD z inf a");
    assertThat(call("ZINCRBY z -inf a")).isEqualTo("-ERR resulting score is not a number (NaN)");
  }

  @Test
  void pops_takeTheEnds() throws IOException {
    call("ZADD z 1 a 2 b 3 c 4 d");
    assertThat(call("ZPOPMIN z")).isEqualTo("*2[$1:a, $1:1]");
    assertThat(call("ZPOPMAX z 2")).isEqualTo("*4[$1:d, $1:4, $1:c, $1:3]");
    assertThat(call("ZMPOP 2 none z MIN")).isEqualTo("*2[$1:z, *1[*2[$1:b, $1:2]]]");
    assertThat(call("EXISTS z")).isEqualTo(":0");
    assertThat(call("ZPOPMIN z")).isEqualTo("*0");
    assertThat(call("BZPOPMIN z 0.01")).isEqualTo("*-1");
  }

  @Test
  void combinations_addTheScoresByWeight() throws IOException {
    call("ZADD a 1 x 2 y");
    call("ZADD b 10 y 20 z");
    call("SADD plain x");
    assertThat(call("ZUNION 2 a b WITHSCORES"))
        .isEqualTo("*6[$1:x, $1:1, $1:y, $2:12, $1:z, $2:20]");
    assertThat(call("ZINTER 2 a b WEIGHTS 2 3 WITHSCORES")).isEqualTo("*2[$1:y, $2:34]");
    assertThat(call("ZUNION 2 a b AGGREGATE MAX WITHSCORES"))
        .isEqualTo("*6[$1:x, $1:1, $1:y, $2:10, $1:z, $2:20]");
    assertThat(call("ZDIFF 2 a b")).isEqualTo("*1[$1:x]");
    assertThat(call("ZINTERSTORE to 2 a plain")).isEqualTo(":1");
    assertThat(call("ZSCORE to x")).isEqualTo("$1:2");
    assertThat(call("ZDIFFSTORE to 2 a a")).isEqualTo(":0");
    assertThat(call("EXISTS to")).isEqualTo(":0");
    assertThat(call("ZINTERCARD 2 a b LIMIT 1")).isEqualTo(":1");
    assertThat(call("ZUNION 0 a"))
        .isEqualTo("-ERR at least 1 input key is needed for 'zunion' command");
  }

  @Test
  void zmscore_andZrandmember_replyWhatIsThere() throws IOException {
    call("ZADD z 1.5 a");
    assertThat(call("ZMSCORE z a none")).isEqualTo("*2[$3:1.5, $-1]");
    assertThat(call("ZRANDMEMBER z")).isEqualTo("$1:a");
    assertThat(call("ZRANDMEMBER z -2 WITHSCORES")).isEqualTo("*4[$1:a, $3:1.5, $1:a, $3:1.5]");
    assertThat(call("ZRANDMEMBER none 2")).isEqualTo("*0");
    assertThat(call("ZSCAN z 0")).isEqualTo("*2[$1:0, *2[$1:a, $3:1.5]]");
  }

  @Test
  void zrangestore_keepsTheScores() throws IOException {
    call("ZADD z 1 a 2 b 3 c");
    assertThat(call("ZRANGESTORE to z 1 -1")).isEqualTo(":2");
    assertThat(call("ZRANGE to 0 -1 WITHSCORES")).isEqualTo("*4[$1:b, $1:2, $1:c, $1:3]");
    assertThat(call("ZRANGESTORE to z 5 6")).isEqualTo(":0");
    assertThat(call("EXISTS to")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ZADD k 1 a",
        "ZREM k a",
        "ZCARD k",
        "ZSCORE k a",
        "ZMSCORE k a",
        "ZRANK k a",
        "ZREVRANK k a",
        "ZINCRBY k 1 a",
        "ZRANGE k 0 1",
        "ZRANGEBYSCORE k 0 1",
        "ZCOUNT k 0 1",
        "ZRANGEBYLEX k - +",
        "ZLEXCOUNT k - +",
        "ZPOPMIN k",
        "ZPOPMAX k",
        "ZRANDMEMBER k",
        "ZREMRANGEBYRANK k 0 1",
        "ZUNION 1 k",
        "ZINTERCARD 1 k",
        "ZSCAN k 0",
        "ZRANGESTORE to k 0 1"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    assertRefusesOtherTypes(command);
  }
}
