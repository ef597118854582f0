package dev.kermes.server.command.set;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes of unions, differences and intersections, and the counts of combined sorted sets. */
final class SetCardinalityTest extends CommandTest {

  private void fill(String key, String prefix, int from, int to) throws IOException {
    StringBuilder command = new StringBuilder("SADD ").append(key);
    for (int i = from; i < to; i++) command.append(' ').append(prefix).append(i);
    call(command.toString());
  }

  /** Numbers make integer sets; words make list packs or, if there are many, hash tables. */
  @ParameterizedTest(name = "{1} members like {0}1 are kept as {2}")
  @CsvSource({"'', 60, intset", "m, 60, listpack", "m, 600, hashtable"})
  void cardinalities_areThoseOfTheResults(String prefix, int size, String encoding)
      throws IOException {
    fill("a", prefix, 0, size);
    fill("b", prefix, size / 2, size * 3 / 2);
    fill("c", prefix, size, size + 10);
    assertThat(call("OBJECT ENCODING a")).endsWith(encoding);
    assertThat(call("SUNIONCARD 3 a b c")).isEqualTo(":" + size * 3 / 2);
    assertThat(call("SUNIONCARD 3 a b none APPROX")).isEqualTo(":" + size * 3 / 2);
    assertThat(call("SDIFFCARD 2 a b")).isEqualTo(":" + size / 2);
    assertThat(call("SDIFFCARD 3 b a c")).isEqualTo(":" + (size / 2 - 10));
    assertThat(call("SINTERCARD 2 a b")).isEqualTo(":" + size / 2);
    for (String command : new String[] {"SUNIONCARD", "SDIFFCARD", "SINTERCARD"}) {
      assertThat(call(command + " 2 a b LIMIT 7")).isEqualTo(":7");
      assertThat(call(command + " 2 a b LIMIT 100000")).isEqualTo(call(command + " 2 a b"));
      assertThat(call(command + " 2 a b LIMIT 0")).isEqualTo(call(command + " 2 a b"));
    }
  }

  /** All members of a set, or some of them. */
  @ParameterizedTest(name = "{1} members like {0}1 are kept as {2}")
  @CsvSource({"'', 60, intset", "m, 60, listpack", "m, 600, hashtable", "'', 600, hashtable"})
  void results_areStoredInTheFormOfTheirSize(String prefix, int size, String encoding)
      throws IOException {
    fill("a", prefix, 0, size);
    fill("b", prefix, 0, size + 10);
    fill("c", prefix, size, size + 10);
    for (String command :
        new String[] {
          "SINTERSTORE d a b",
          "SINTERSTORE d b a b",
          "SDIFFSTORE d b c",
          "SDIFFSTORE d a c",
          "SUNIONSTORE d a a",
          "SUNIONSTORE d a none"
        }) {
      assertThat(call(command)).as(command).isEqualTo(":" + size);
      assertThat(call("OBJECT ENCODING d")).as(command).endsWith(encoding);
      assertThat(call("SDIFFCARD 2 a d")).as(command).isEqualTo(":0");
      assertThat(call("SADD d new")).isEqualTo(":1");
      assertThat(call("SCARD a")).isEqualTo(":" + size);
    }
    assertThat(call("SINTERSTORE d b c")).isEqualTo(":10");
    assertThat(call("SINTER d a")).isEqualTo("*0");
  }

  /** A set that was large is small again in the result. */
  @Test
  void results_ofAShrunkenSet_areSmall() throws IOException {
    fill("a", "m", 0, 600);
    StringBuilder most = new StringBuilder("SREM a");
    for (int i = 9; i < 600; i++) most.append(" m").append(i);
    call(most.toString());
    assertThat(call("OBJECT ENCODING a")).endsWith("hashtable");
    for (String command : new String[] {"SINTERSTORE d a a", "SUNIONSTORE d a", "SDIFFSTORE d a"}) {
      assertThat(call(command)).as(command).isEqualTo(":9");
      assertThat(call("OBJECT ENCODING d")).as(command).endsWith("listpack");
    }
  }

  @Test
  @DisplayName("SDIFF against many small sets removes their members from a copy")
  void sdiff_againstManySmallSets() throws IOException {
    fill("big", "m", 0, 1000);
    StringBuilder keys = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      fill("s" + i, "m", 100 * i, 100 * i + 10);
      keys.append(" s").append(i);
    }
    assertThat(call("SDIFFSTORE d big" + keys)).isEqualTo(":900");
    assertThat(call("SISMEMBER d m909")).isEqualTo(":0");
    assertThat(call("SISMEMBER d m910")).isEqualTo(":1");
    assertThat(call("SDIFFCARD 11 big" + keys)).isEqualTo(":900");
    assertThat(call("SDIFFCARD 11 big" + keys + " LIMIT 3")).isEqualTo(":3");
    assertThat(call("SCARD big")).as("the source stays").isEqualTo(":1000");
  }

  @Test
  void sdiff_ofASetAndItself_isEmpty() throws IOException {
    fill("a", "m", 0, 9);
    assertThat(call("SDIFF a a")).isEqualTo("*0");
    assertThat(call("SDIFFCARD 2 a a")).isEqualTo(":0");
    assertThat(call("SDIFF none none")).isEqualTo("*0");
    assertThat(call("SDIFFCARD 1 none")).isEqualTo(":0");
    assertThat(call("SUNIONCARD 1 none")).isEqualTo(":0");
  }

  @Test
  void cardinalities_mistakes() throws IOException {
    call("SET string v");
    for (String command : new String[] {"SUNIONCARD", "SDIFFCARD"}) {
      assertThat(call(command + " 0 a")).isEqualTo("-ERR numkeys should be greater than 0");
      assertThat(call(command + " x a")).isEqualTo("-ERR numkeys should be greater than 0");
      assertThat(call(command + " 2 a"))
          .isEqualTo("-ERR Number of keys can't be greater than number of args");
      assertThat(call(command + " 1 a LIMIT -1")).isEqualTo("-ERR LIMIT can't be negative");
      assertThat(call(command + " 1 a LIMIT")).isEqualTo("-ERR syntax error");
      assertThat(call(command + " 1 a b")).isEqualTo("-ERR syntax error");
      assertThat(call(command + " 2 a string")).startsWith("-WRONGTYPE");
    }
    assertThat(call("SDIFFCARD 1 a APPROX")).isEqualTo("-ERR syntax error");
    assertThat(call("COMMAND GETKEYS SUNIONCARD 2 a b LIMIT 3")).isEqualTo("*2[$1:a, $1:b]");
  }

  @Test
  @DisplayName("ZUNION and ZINTER AGGREGATE COUNT add the weights, whatever the scores")
  void aggregateCount_addsWeights() throws IOException {
    call("ZADD a 10 x 20 y");
    call("ZADD b -7 y inf z");
    call("SADD c y z");
    assertThat(call("ZUNION 3 a b c AGGREGATE COUNT WITHSCORES"))
        .isEqualTo("*6[$1:x, $1:1, $1:z, $1:2, $1:y, $1:3]");
    assertThat(call("ZINTER 3 a b c WEIGHTS 2 0.5 -1 AGGREGATE count WITHSCORES"))
        .isEqualTo("*2[$1:y, $3:1.5]");
    assertThat(call("ZUNIONSTORE d 2 a b WEIGHTS inf -inf AGGREGATE COUNT")).isEqualTo(":3");
    assertThat(call("ZRANGE d 0 -1 WITHSCORES"))
        .isEqualTo("*6[$1:z, $4:-inf, $1:y, $1:0, $1:x, $3:inf]");
    assertThat(call("ZINTERSTORE d 2 a b AGGREGATE COUNT")).isEqualTo(":1");
    assertThat(call("ZSCORE d y")).isEqualTo("$1:2");
    assertThat(call("ZUNION 2 a b AGGREGATE COUNTS")).isEqualTo("-ERR syntax error");
  }

  @Test
  void zintercard_countsNoFurtherThanTheLimit() throws IOException {
    StringBuilder members = new StringBuilder("ZADD a");
    for (int i = 0; i < 3000; i++) members.append(" 1 m").append(i);
    call(members.toString());
    call("ZUNIONSTORE b 1 a");
    assertThat(call("ZINTERCARD 2 a b LIMIT 5")).isEqualTo(":5");
    assertThat(call("ZINTERCARD 2 a b")).isEqualTo(":3000");
    assertThat(call("ZINTERCARD 2 a none")).isEqualTo(":0");
  }
}
