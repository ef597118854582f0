package dev.kermes.server.command.string;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings by example. */
final class StringTest extends FamilyTest {

  @Test
  void set_replacesAnyType_andGetReadsIt() throws IOException {
    call("RPUSH k a");
    assertThat(call("SET k v")).isEqualTo("+OK");
    assertThat(call("GET k")).isEqualTo("$1:v");
    assertThat(call("GET none")).isEqualTo("$-1");
  }

  @Test
  void set_conditions_decideAboutTheChange() throws IOException {
    assertThat(call("SET k 1 XX")).isEqualTo("$-1");
    assertThat(call("SET k 1 NX")).isEqualTo("+OK");
    assertThat(call("SET k 2 NX")).isEqualTo("$-1");
    assertThat(call("SET k 3 XX GET")).isEqualTo("$1:1");
    assertThat(call("GET k")).isEqualTo("$1:3");
    assertThat(call("SET k 1 NX XX")).isEqualTo("-ERR syntax error");
    assertThat(call("SETNX k 4")).isEqualTo(":0");
    assertThat(call("SETNX other 4")).isEqualTo(":1");
  }

  @Test
  void set_dropsTheExpiryUnlessItIsKept() throws IOException {
    call("SET k v EX 100");
    call("SET k w KEEPTTL");
    assertThat(call("TTL k")).isIn(":99", ":100");
    call("SET k x");
    assertThat(call("TTL k")).isEqualTo(":-1");
    assertThat(call("SET k v EX 0")).isEqualTo("-ERR invalid expire time in 'set' command");
    assertThat(call("SET k v EX 1 PX 1")).isEqualTo("-ERR syntax error");
  }

  @Test
  void getex_andGetdel_changeWhatTheyRead() throws IOException {
    call("SET k v");
    assertThat(call("GETEX k EX 100")).isEqualTo("$1:v");
    assertThat(call("TTL k")).isIn(":99", ":100");
    assertThat(call("GETEX k PERSIST")).isEqualTo("$1:v");
    assertThat(call("TTL k")).isEqualTo(":-1");
    assertThat(call("GETDEL k")).isEqualTo("$1:v");
    assertThat(call("GETDEL k")).isEqualTo("$-1");
  }

  @Test
  void mset_andMget_takeManyKeys() throws IOException {
    call("RPUSH list a");
    assertThat(call("MSET a 1 b 2 a 3")).isEqualTo("+OK");
    assertThat(call("MGET a none b list")).isEqualTo("*4[$1:3, $-1, $1:2, $-1]");
    assertThat(call("MSETNX b 4 c 5")).isEqualTo(":0");
    assertThat(call("EXISTS c")).isEqualTo(":0");
    assertThat(call("MSETNX c 5 d 6")).isEqualTo(":1");
    assertThat(call("MSET a")).isEqualTo("-ERR wrong number of arguments for 'mset' command");
  }

  @Test
  void counters_beginAtZero_andRefuseOverflow() throws IOException {
    assertThat(call("INCR n")).isEqualTo(":1");
    assertThat(call("DECRBY n 5")).isEqualTo(":-4");
    assertThat(call("INCRBY n 14")).isEqualTo(":10");
    assertThat(call("DECR n")).isEqualTo(":9");
    call("SET n 9223372036854775807");
    assertThat(call("INCR n")).isEqualTo("-ERR increment or decrement would overflow");
    assertThat(call("DECRBY n -9223372036854775808")).isEqualTo("-ERR decrement would overflow");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "1.5", "01", "+1", "9223372036854775808", "1a"})
  void incr_refusesValuesThatAreNoIntegers(String value) throws IOException {
    call("SET n " + value);
    assertThat(call("INCR n")).isEqualTo("-ERR value is not an integer or out of range");
    assertThat(call("GET n")).isEqualTo("$" + value.length() + ":" + value);
  }

  @Test
  void incrbyfloat_repliesADecimalWithoutExponent() throws IOException {
    assertThat(call("INCRBYFLOAT n 10.50")).isEqualTo("$4:10.5");
    assertThat(call("INCRBYFLOAT n -5.0e3")).isEqualTo("$7:-4989.5");
    assertThat(call("INCRBYFLOAT n 0.5")).isEqualTo("$5:-4989");
    assertThat(call("INCRBYFLOAT n inf")).isEqualTo("-ERR increment would produce NaN or Infinity");
    assertThat(call("INCRBYFLOAT n word")).isEqualTo("-ERR value is not a valid float");
  }

  @Test
  void append_andSetrange_growTheString() throws IOException {
    assertThat(call("APPEND k abc")).isEqualTo(":3");
    assertThat(call("APPEND k def")).isEqualTo(":6");
    assertThat(call("SETRANGE k 2 XY")).isEqualTo(":6");
    assertThat(call("GET k")).isEqualTo("$6:abXYef");
    assertThat(call("SETRANGE gap 2 x")).isEqualTo(":3");
    assertThat(call("GET gap")).isEqualTo("$3:\0\0x");
    assertThat(call("SETRANGE k -1 x")).isEqualTo("-ERR offset is out of range");
    assertThat(call("STRLEN k")).isEqualTo(":6");
  }

  @ParameterizedTest(name = "GETRANGE {0} {1}")
  @CsvSource({"0, 2, abc", "-2, -1, ef", "0, -1, abcdef", "4, 100, ef", "-100, 0, a"})
  void getrange_countsFromBothEnds(int start, int end, String part) throws IOException {
    call("SET k abcdef");
    assertThat(call("GETRANGE k " + start + " " + end)).isEqualTo("$" + part.length() + ":" + part);
  }

  @ParameterizedTest(name = "GETRANGE {0} {1}")
  @CsvSource({"3, 2", "6, 10", "-1, -2"})
  void getrange_ofNothing_isEmpty(int start, int end) throws IOException {
    call("SET k abcdef");
    assertThat(call("GETRANGE k " + start + " " + end)).isEqualTo("$0:");
  }

  @ParameterizedTest(name = "{0} is kept as {1}")
  @CsvSource({
    "123, int",
    "-1, int",
    "0123, embstr",
    "text, embstr",
    "9223372036854775808, embstr",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, raw"
  })
  void encoding_isThatOfRedis(String value, String encoding) throws IOException {
    call("SET k " + value);
    assertThat(call("OBJECT ENCODING k")).isEqualTo("$" + encoding.length() + ":" + encoding);
  }

  @Test
  void lcs_findsTheLongestCommonSubsequence() throws IOException {
    call("MSET a ohmytext b mynewtext");
    assertThat(call("LCS a b")).isEqualTo("$6:mytext");
    assertThat(call("LCS a b LEN")).isEqualTo(":6");
    assertThat(call("LCS a b IDX MINMATCHLEN 4"))
        .isEqualTo("*4[$7:matches, *1[*2[*2[:4, :7], *2[:5, :8]]], $3:len, :6]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET k",
        "GETSET k v",
        "GETDEL k",
        "GETEX k",
        "SET k v GET",
        "APPEND k v",
        "STRLEN k",
        "INCR k",
        "DECRBY k 1",
        "INCRBYFLOAT k 1",
        "GETRANGE k 0 1",
        "SETRANGE k 0 v",
        "LCS k k",
        "SETBIT k 0 1",
        "GETBIT k 0",
        "BITCOUNT k",
        "BITPOS k 1",
        "BITFIELD k GET u8 0"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    call("RPUSH k element");
    String reply = call(command);
    assertThat(reply).startsWith(command.startsWith("LCS") ? "-ERR" : "-WRONGTYPE");
    assertThat(call("LRANGE k 0 -1")).isEqualTo("*1[$7:element]");
  }
}
