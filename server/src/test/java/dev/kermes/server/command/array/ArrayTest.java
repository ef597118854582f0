package dev.kermes.server.command.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The commands of arrays, as the documentation of Redis 8.8 describes them. */
final class ArrayTest extends CommandTest {

  private static final String INVALID_INDEX = "-ERR invalid array index";
  private static final String LAST_INDEX = "18446744073709551614";

  // Setting and reading

  @Test
  void arset_setsNeighbours() throws IOException {
    assertThat(call("ARSET a 5 x y z")).isEqualTo(":3");
    assertThat(call("ARSET a 6 Y")).isEqualTo(":0");
    assertThat(call("ARSET a 7 Z w")).isEqualTo(":1");
    assertThat(call("ARGET a 6")).isEqualTo("$1:Y");
    assertThat(call("ARGET a 4")).isEqualTo("$-1");
    assertThat(call("ARGET none 4")).isEqualTo("$-1");
    assertThat(call("ARMGET a 8 0 5")).isEqualTo("*3[$1:w, $-1, $1:x]");
    assertThat(call("ARMGET none 8 0")).isEqualTo("*2[$-1, $-1]");
    assertThat(call("ARLEN a")).isEqualTo(":9");
    assertThat(call("ARCOUNT a")).isEqualTo(":4");
    assertThat(call("ARLEN none")).isEqualTo(":0");
    assertThat(call("ARCOUNT none")).isEqualTo(":0");
    assertThat(call("TYPE a")).isEqualTo("+array");
    assertThat(call("OBJECT ENCODING a")).isEqualTo("$12:sliced-array");
  }

  @Test
  void armset_setsAnywhere() throws IOException {
    assertThat(call("ARMSET a 1 x 1000000000000 y " + LAST_INDEX + " z 1 w")).isEqualTo(":3");
    assertThat(call("ARGET a 1")).isEqualTo("$1:w");
    assertThat(call("ARGET a " + LAST_INDEX)).isEqualTo("$1:z");
    assertThat(call("ARLEN a")).isEqualTo("$20:18446744073709551615");
    assertThat(call("HELLO 3")).startsWith("%");
    assertThat(call("ARLEN a")).isEqualTo("(18446744073709551615");
    assertThat(call("ARGET a 0")).isEqualTo("_");
    assertThat(call("ARSCAN a 2 " + LAST_INDEX + " LIMIT 9"))
        .isEqualTo("*2[*2[:1000000000000, $1:y], *2[(18446744073709551614, $1:z]]");
  }

  @Test
  void indexes_areUnsignedButForTheLast() throws IOException {
    for (String index : List.of("-1", "x", "1.5", "18446744073709551615", "99999999999999999999")) {
      assertThat(call("ARSET a " + index + " v")).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARGET a " + index)).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARMGET a 0 " + index)).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARDEL a 0 " + index)).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARMSET a 0 v " + index + " v")).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARDELRANGE a 0 " + index)).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARGETRANGE a 0 " + index)).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARSCAN a 0 " + index)).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("AROP a 0 " + index + " SUM")).as(index).isEqualTo(INVALID_INDEX);
      assertThat(call("ARGREP a 0 " + index + " MATCH v")).as(index).isEqualTo(INVALID_INDEX);
    }
    assertThat(call("ARSET a " + LAST_INDEX + " v w")).isEqualTo("-ERR array index overflow");
    assertThat(call("EXISTS a")).isEqualTo(":0");
  }

  @Test
  void wrongTypes_andWrongArity() throws IOException {
    call("SET s v");
    for (String command :
        List.of(
            "ARGET s 0",
            "ARMGET s 0",
            "ARSET s 0 v",
            "ARMSET s 0 v",
            "ARDEL s 0",
            "ARDELRANGE s 0 1",
            "ARLEN s",
            "ARCOUNT s",
            "ARGETRANGE s 0 1",
            "ARSCAN s 0 1",
            "ARGREP s 0 1 MATCH v",
            "AROP s 0 1 SUM",
            "ARINSERT s v",
            "ARRING s 3 v",
            "ARNEXT s",
            "ARSEEK s 1",
            "ARLASTITEMS s 1",
            "ARINFO s")) {
      assertThat(call(command)).as(command).startsWith("-WRONGTYPE");
    }
    for (String command :
        List.of("ARMSET a 0 v 1", "ARDELRANGE a 0 1 2", "ARSCAN a 0 1 LIMIT", "AROP a 0 1 SUM x")) {
      assertThat(call(command)).as(command).startsWith("-ERR wrong number of arguments for 'ar");
    }
  }

  @Test
  void argetrange_withHoles_bothWays() throws IOException {
    call("ARMSET a 1 x 3 y");
    assertThat(call("ARGETRANGE a 0 4")).isEqualTo("*5[$-1, $1:x, $-1, $1:y, $-1]");
    assertThat(call("ARGETRANGE a 3 1")).isEqualTo("*3[$1:y, $-1, $1:x]");
    assertThat(call("ARGETRANGE none 0 1")).isEqualTo("*2[$-1, $-1]");
    assertThat(call("ARGETRANGE none 1 1000001"))
        .isEqualTo("-ERR range exceeds maximum of 1000000 items");
    assertThat(call("ARGETRANGE a " + LAST_INDEX + " 0"))
        .isEqualTo("-ERR range exceeds maximum of 1000000 items");
  }

  @Test
  void arscan_skipsHoles() throws IOException {
    call("ARMSET a 1 x 5000 y 90000000 z");
    assertThat(call("ARSCAN a 0 " + LAST_INDEX))
        .isEqualTo("*3[*2[:1, $1:x], *2[:5000, $1:y], *2[:90000000, $1:z]]");
    assertThat(call("ARSCAN a " + LAST_INDEX + " 2 LIMIT 1")).isEqualTo("*1[*2[:90000000, $1:z]]");
    assertThat(call("ARSCAN a 2 4999")).isEqualTo("*0");
    assertThat(call("ARSCAN none 0 9")).isEqualTo("*0");
    assertThat(call("ARSCAN a 0 9 LIMIT 0")).isEqualTo("-ERR LIMIT must be positive");
    assertThat(call("ARSCAN a 0 9 LIMIT x"))
        .isEqualTo("-ERR value is not an integer or out of range");
    assertThat(call("ARSCAN a 0 9 COUNT 1")).isEqualTo("-ERR syntax error");
  }

  // Deleting

  @Test
  void ardel_andArdelrange() throws IOException {
    call("ARSET a 0 a b c d e f g h i j");
    assertThat(call("ARDEL a 0 0 4 99")).isEqualTo(":2");
    assertThat(call("ARDELRANGE a 2 1 8 " + LAST_INDEX)).isEqualTo(":4");
    assertThat(call("ARLEN a")).isEqualTo(":8");
    assertThat(call("ARCOUNT a")).isEqualTo(":4");
    assertThat(call("ARDELRANGE a 0 " + LAST_INDEX)).isEqualTo(":4");
    assertThat(call("EXISTS a")).isEqualTo(":0");
    assertThat(call("ARDEL a 0")).isEqualTo(":0");
    assertThat(call("ARDELRANGE a 0 1")).isEqualTo(":0");
  }

  // Aggregates and conditions

  @Test
  void arop_overNumbers() throws IOException {
    call("ARMSET a 0 3 1 -7 2 2.5 3 text 900000 12");
    assertThat(call("AROP a 0 999999 SUM")).isEqualTo("$4:10.5");
    assertThat(call("AROP a 999999 0 MIN")).isEqualTo("$2:-7");
    assertThat(call("AROP a 0 999999 max")).isEqualTo("$2:12");
    assertThat(call("AROP a 0 0 AND")).isEqualTo(":3");
    assertThat(call("AROP a 0 1 OR")).isEqualTo(":-5");
    assertThat(call("AROP a 0 2 XOR")).isEqualTo(":" + (3 ^ -7 ^ 2));
    assertThat(call("AROP a 0 999999 USED")).isEqualTo(":5");
    assertThat(call("AROP a 0 999999 MATCH text")).isEqualTo(":1");
    assertThat(call("AROP a 3 3 SUM")).isEqualTo("$-1");
    assertThat(call("AROP a 3 3 XOR")).isEqualTo("$-1");
    assertThat(call("AROP none 0 1 SUM")).isEqualTo("$-1");
    assertThat(call("AROP none 0 1 USED")).isEqualTo(":0");
    assertThat(call("AROP none 0 1 MATCH x")).isEqualTo(":0");
    assertThat(call("AROP a 0 1 AVG")).isEqualTo("-ERR unknown operation");
    assertThat(call("AROP a 0 1 MATCH")).isEqualTo("-ERR MATCH requires a value argument");
  }

  @Test
  void arop_ofLargeAndSmallSums() throws IOException {
    call("ARSET a 0 1e30 1 1e-9 0.1 0.2");
    assertThat(call("AROP a 0 0 SUM")).isEqualTo("$5:1e+30");
    assertThat(call("AROP a 2 2 MAX")).isEqualTo("$5:1e-09");
    assertThat(call("AROP a 3 4 SUM")).isEqualTo("$3:0.3");
    assertThat(call("AROP a 0 1 AND")).as("1e30 does not fit 64 bits").isEqualTo(":1");
  }

  @Test
  void argrep_underConditions() throws IOException {
    call("ARMSET a 0 Hello 1 world 2 hello-world 70000 12345678901 70001 HELLO");
    assertThat(call("ARGREP a - + EXACT Hello")).isEqualTo("*1[:0]");
    assertThat(call("ARGREP a - + EXACT hello NOCASE")).isEqualTo("*2[:0, :70001]");
    assertThat(call("ARGREP a + - MATCH ello")).isEqualTo("*2[:2, :0]");
    assertThat(call("ARGREP a 0 1 GLOB w*d")).isEqualTo("*1[:1]");
    assertThat(call("ARGREP a - + RE ^[0-9]{11}$ WITHVALUES"))
        .isEqualTo("*1[*2[:70000, $11:12345678901]]");
    assertThat(call("ARGREP a - + MATCH hello AND MATCH world")).isEqualTo("*1[:2]");
    assertThat(call("ARGREP a - + MATCH hello MATCH world")).isEqualTo("*2[:1, :2]");
    assertThat(call("ARGREP a - + LIMIT 1 RE h NOCASE")).isEqualTo("*1[:0]");
    assertThat(call("ARGREP none - + MATCH x")).isEqualTo("*0");
  }

  @Test
  void argrep_mistakes() throws IOException {
    call("ARSET a 0 v");
    assertThat(call("ARGREP a - + LIMIT 1")).isEqualTo("-ERR syntax error");
    assertThat(call("ARGREP a - + MATCH x LIMIT")).isEqualTo("-ERR syntax error");
    assertThat(call("ARGREP a - + MATCH x LIKE y")).isEqualTo("-ERR syntax error");
    assertThat(call("ARGREP a - + MATCH x LIMIT 0")).isEqualTo("-ERR LIMIT must be positive");
    assertThat(call("ARGREP a - + RE (x"))
        .isEqualTo("-ERR invalid regular expression: Missing ')'");
    assertThat(call("ARGREP a - + RE (x)\\1"))
        .isEqualTo("-ERR regular expression backreferences are not supported");
    assertThat(socket.call("ARGREP", "a", "-", "+", "RE", "").toString())
        .isEqualTo("-ERR regular expression is empty");
    assertThat(call("ARGREP a - + RE " + "x".repeat(2049)))
        .isEqualTo("-ERR regular expression is too long, maximum is 2048 bytes");
    assertThat(call("ARGREP a - +" + " MATCH x".repeat(251)))
        .isEqualTo("-ERR too many predicates, maximum is 250");
  }

  // The insert position

  @Test
  void arinsert_goesOnWhereItWas() throws IOException {
    assertThat(call("ARNEXT a")).isEqualTo(":0");
    assertThat(call("ARINSERT a x y")).isEqualTo(":1");
    assertThat(call("ARNEXT a")).isEqualTo(":2");
    assertThat(call("ARSEEK a 10")).isEqualTo(":1");
    assertThat(call("ARINSERT a z")).isEqualTo(":10");
    assertThat(call("ARSET a 50 w")).isEqualTo(":1");
    assertThat(call("ARNEXT a")).isEqualTo(":11");
    assertThat(call("ARSEEK a 0")).isEqualTo(":1");
    assertThat(call("ARINSERT a X")).isEqualTo(":0");
    assertThat(call("ARSEEK none 3")).isEqualTo(":0");
    assertThat(call("ARSEEK none -3")).isEqualTo(INVALID_INDEX);
  }

  @Test
  void arinsert_endsAtTheLastIndex() throws IOException {
    call("ARSET a 0 v");
    call("ARSEEK a " + LAST_INDEX);
    assertThat(call("ARINSERT a x y")).isEqualTo("-ERR insert index overflow");
    assertThat(call("ARINSERT a x")).isEqualTo("$20:" + LAST_INDEX);
    assertThat(call("ARNEXT a")).isEqualTo("$-1");
    assertThat(call("ARINSERT a y")).isEqualTo("-ERR insert index overflow");
    assertThat(call("ARSEEK a 18446744073709551615")).isEqualTo(":1");
    assertThat(call("ARNEXT a")).isEqualTo("$-1");
  }

  @Test
  void arlastitems_goesRound() throws IOException {
    call("ARRING a 4 a b c d e f");
    assertThat(call("ARLASTITEMS a 3")).isEqualTo("*3[$1:d, $1:e, $1:f]");
    assertThat(call("ARLASTITEMS a 3 REV")).isEqualTo("*3[$1:f, $1:e, $1:d]");
    assertThat(call("ARLASTITEMS a 99")).isEqualTo("*4[$1:c, $1:d, $1:e, $1:f]");
    assertThat(call("ARLASTITEMS a 0")).isEqualTo("*0");
    assertThat(call("ARLASTITEMS none 5")).isEqualTo("*0");
    call("ARSEEK a 0");
    assertThat(call("ARLASTITEMS a 2")).as("continues from the end").isEqualTo("*2[$1:c, $1:d]");
    assertThat(call("ARLASTITEMS a x")).isEqualTo("-ERR invalid COUNT");
    assertThat(call("ARLASTITEMS a 1 BACK")).isEqualTo("-ERR syntax error");
    assertThat(call("ARLASTITEMS a 1 REV REV"))
        .isEqualTo("-ERR wrong number of arguments for 'arlastitems' command");
  }

  @Test
  void arlastitems_overHoles_repliesNil() throws IOException {
    call("ARMSET a 0 x 1 y 4 z");
    call("ARSEEK a 3");
    assertThat(call("ARLASTITEMS a 3")).isEqualTo("*3[$1:x, $1:y, $-1]");
    call("ARSEEK a 1");
    assertThat(call("ARLASTITEMS a 2")).isEqualTo("*2[$1:z, $1:x]");
  }

  // Rings

  @Test
  void arring_goesRound() throws IOException {
    assertThat(call("ARRING r 3 a b")).isEqualTo(":1");
    assertThat(call("ARRING r 3 c d")).isEqualTo(":0");
    assertThat(call("ARGETRANGE r 0 2")).isEqualTo("*3[$1:d, $1:b, $1:c]");
    assertThat(call("ARNEXT r")).isEqualTo(":1");
    assertThat(call("ARRING r 0 a")).isEqualTo("-ERR size must be positive");
    assertThat(call("ARRING r x a")).isEqualTo("-ERR invalid size");
  }

  @Test
  @DisplayName("A ring that shrinks keeps the newest, one that grows keeps its order")
  void arring_changesItsSize() throws IOException {
    call("ARRING r 4 a b c d e");
    assertThat(call("ARRING r 3 f")).isEqualTo(":0");
    assertThat(call("ARGETRANGE r 0 3")).isEqualTo("*4[$1:f, $1:d, $1:e, $-1]");
    assertThat(call("ARRING r 5 g h")).isEqualTo(":4");
    assertThat(call("ARGETRANGE r 0 4")).isEqualTo("*5[$1:d, $1:e, $1:f, $1:g, $1:h]");
    call("ARSEEK r 0");
    assertThat(call("ARRING r 9 A")).as("a seek to 0 moves nothing").isEqualTo(":0");
    assertThat(call("ARGETRANGE r 0 4")).isEqualTo("*5[$1:A, $1:e, $1:f, $1:g, $1:h]");
  }

  @Test
  void arring_aHoleEndsWhatIsKept() throws IOException {
    call("ARRING r 5 a b c d e");
    call("ARDEL r 2");
    call("ARRING r 4 f");
    assertThat(call("ARGETRANGE r 0 4")).isEqualTo("*5[$1:d, $1:e, $1:f, $-1, $-1]");
  }

  // Facts, copies, events

  @Test
  void arinfo_saysHowItIsKept() throws IOException {
    call("ARMSET a 0 x 1 y 5000 z 5002 w");
    call("ARSEEK a 7");
    assertThat(call("ARINFO a"))
        .startsWith("*14[$5:count, :4, $3:len, :5003, $17:next-insert-index, :7, $6:slices, :2,")
        .endsWith("$17:super-dir-entries, :0, $10:slice-size, :4096]");
    assertThat(call("ARINFO a full"))
        .contains("$12:dense-slices, :1, $13:sparse-slices, :1, $14:avg-dense-size, $1:4")
        .endsWith("$14:avg-dense-fill, $3:0.5, $15:avg-sparse-size, $1:4]");
    assertThat(call("ARINFO none")).isEqualTo("-ERR no such key");
    assertThat(call("ARINFO a more")).isEqualTo("-ERR syntax error");
  }

  @Test
  void copy_isIndependent_andHasTheSameDigest() throws IOException {
    call("ARMSET a 0 x 5000 a-long-value-that-has-its-own-bytes 7 12");
    call("COPY a b");
    assertThat(call("DEBUG DIGEST-VALUE b")).isEqualTo(call("DEBUG DIGEST-VALUE a"));
    call("ARSET a 0 y");
    assertThat(call("ARGET b 0")).isEqualTo("$1:x");
    assertThat(call("MEMORY USAGE b")).matches(":[1-9][0-9]+");
  }

  @Test
  void events_areOfTheClassA() throws IOException {
    call("CONFIG SET notify-keyspace-events Ea");
    assertThat(call("CONFIG GET notify-keyspace-events")).contains("aE");
    try (RespSocket subscriber = new RespSocket(server.port())) {
      subscriber.call("PSUBSCRIBE", "*");
      call("ARSET a 0 x");
      call("ARRING a 3 y");
      call("ARDEL a 0 1");
      assertThat(subscriber.read().toString()).contains("arset").endsWith("$1:a]");
      assertThat(subscriber.read().toString()).contains("arring");
      assertThat(subscriber.read().toString()).contains("ardel");
    }
  }
}
