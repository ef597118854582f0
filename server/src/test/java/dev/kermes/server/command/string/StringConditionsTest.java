package dev.kermes.server.command.string;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Features of strings since Redis 8.4: conditions on their value, digests, bounded counters. */
final class StringConditionsTest extends CommandTest {

  private static final String WRONG_TYPE =
      "-WRONGTYPE Operation against a key holding the wrong kind of value";

  // Conditions

  @Test
  @DisplayName("SET IFEQ sets only if the value is equal, IFNE only if it differs or is missing")
  void set_withValueCondition() throws IOException {
    assertThat(call("SET k v IFEQ v")).isEqualTo("$-1");
    assertThat(call("EXISTS k")).isEqualTo(":0");
    assertThat(call("SET k v IFNE v")).isEqualTo("+OK");
    assertThat(call("SET k w IFEQ x")).isEqualTo("$-1");
    assertThat(call("SET k w IFEQ v")).isEqualTo("+OK");
    assertThat(call("SET k x IFNE w GET")).isEqualTo("$1:w");
    assertThat(call("SET k x IFEQ w GET EX 7")).isEqualTo("$1:w");
    assertThat(call("GET k")).isEqualTo("$1:x");
    assertThat(call("TTL k")).isEqualTo(":7");
    assertThat(call("SET none x IFEQ w GET")).isEqualTo("$-1");
  }

  /** Long enough that APPEND extends the string without copying it. */
  private static final String LARGE = "0123456789abcdef".repeat(3 << 16);

  @Test
  void append_toALargeString_isReadAndWrittenLikeAnyOther() throws IOException {
    String appended = "y".repeat(20_000);
    call("SET k " + LARGE);
    call("PEXPIRE k 100000");
    assertThat(call("APPEND k x")).isEqualTo(":" + (LARGE.length() + 1));
    assertThat(call("GET k")).isEqualTo(bulk(LARGE + "x"));
    assertThat(call("PTTL k")).isEqualTo(":100000");
    assertThat(call("COPY k copy")).isEqualTo(":1");
    call("APPEND k " + appended);
    assertThat(call("GET k")).isEqualTo(bulk(LARGE + "x" + appended));
    assertThat(call("GET copy")).isEqualTo(bulk(LARGE + "x"));
    assertThat(socket.call("EVAL", "return redis.call('GET', KEYS[1])", "1", "k").toString())
        .isEqualTo(bulk(LARGE + "x" + appended));
    assertThat(call("STRLEN k")).isEqualTo(":" + (LARGE.length() + 20_001));
    assertThat(call("GETRANGE k -20002 -20000")).isEqualTo("$3:fxy");
    call("SETRANGE k 0 Z");
    assertThat(call("GET k")).isEqualTo(bulk("Z" + LARGE.substring(1) + "x" + appended));
    assertThat(call("GETSET copy new")).isEqualTo(bulk(LARGE + "x"));
  }

  @Test
  void append_toALargeString_isSavedWhole() throws IOException {
    call("SET k " + LARGE);
    call("APPEND k x");
    call("DEBUG RELOAD");
    assertThat(call("GET k")).isEqualTo(bulk(LARGE + "x"));
  }

  /** All in one read, so that the commands are in the array in which the string is kept. */
  @Test
  void set_ofALargeString_isChangedByNothingThatCameWithIt() throws IOException {
    String commands =
        "SETRANGE k 2 zz\r\nSETBIT k 1 0\r\nGETBIT k 1\r\nGETRANGE k 0 5\r\nSETRANGE k "
            + LARGE.length()
            + " end\r\nGETRANGE k -5 -1\r\nBITFIELD k SET u8 0 65\r\nGET k\r\n";
    String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + LARGE.length() + "\r\n" + LARGE + "\r\n";
    socket.sendRaw(set.repeat(2) + commands + "SET other 1\r\n".repeat(2000));
    for (String reply : List.of("+OK", "+OK", ":" + LARGE.length(), ":0", ":0")) {
      assertThat(socket.read()).hasToString(reply);
    }
    assertThat(socket.read()).hasToString("$6:01zz45");
    assertThat(socket.read()).hasToString(":" + (LARGE.length() + 3));
    assertThat(socket.read()).hasToString("$5:efend");
    assertThat(socket.read()).hasToString("*1[:48]");
    String changed = "A1zz" + LARGE.substring(4) + "end";
    assertThat(socket.read()).hasToString(bulk(changed));
    for (int i = 0; i < 2000; i++) assertThat(socket.read()).hasToString("+OK");
    assertThat(call("GET k")).isEqualTo(bulk(changed));
  }

  @Test
  void set_ofALargeString_withOptionsAndInOtherCommands() throws IOException {
    assertThat(call("SET k " + LARGE + " EX 100 GET")).isEqualTo("$-1");
    assertThat(call("TTL k")).isEqualTo(":100");
    assertThat(call("OBJECT ENCODING k")).isEqualTo("$3:raw");
    assertThat(call("GETSET k " + LARGE + "x")).isEqualTo(bulk(LARGE));
    assertThat(call("TTL k")).isEqualTo(":-1");
    assertThat(call("SETNX n " + LARGE)).isEqualTo(":1");
    assertThat(call("MSET a " + LARGE + " b " + LARGE)).isEqualTo("+OK");
    assertThat(call("BITCOUNT n")).isEqualTo(call("BITCOUNT a"));
    assertThat(call("RENAME n m")).isEqualTo("+OK");
    call("DEBUG RELOAD");
    assertThat(call("GET k")).isEqualTo(bulk(LARGE + "x"));
    for (String key : List.of("m", "a", "b")) assertThat(call("GET " + key)).isEqualTo(bulk(LARGE));
  }

  @Test
  void get_ofALargeString_isNotChangedByWhatFollows() throws IOException {
    String value = "x".repeat(100_000);
    call("SETRANGE k 0 " + value);
    for (String change :
        List.of("SETRANGE k 0 y", "SETBIT k 0 1", "BITFIELD k SET u8 0 255", "APPEND k z")) {
      call("SETRANGE k 0 " + value);
      call("MULTI");
      call("GET k");
      call(change);
      call("GET k");
      assertThat(call("EXEC"))
          .as(change)
          .startsWith("*3[" + bulk(value))
          .doesNotEndWith(bulk(value) + "]");
      call("DEL k");
    }
  }

  @Test
  void get_ofALargeStringThatWasSet_isNotChangedByWhatFollows() throws IOException {
    for (String change :
        List.of("SETRANGE k 0 y", "SETBIT k 0 1", "BITFIELD k SET u8 0 255", "APPEND k z")) {
      String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + LARGE.length() + "\r\n" + LARGE + "\r\n";
      socket.sendRaw(set + "GET k\r\n" + change + "\r\nGET k\r\n");
      assertThat(socket.read()).hasToString("+OK");
      assertThat(socket.read()).as(change).hasToString(bulk(LARGE));
      socket.read();
      assertThat(socket.read().text()).as(change).isNotEqualTo(LARGE);
    }
  }

  private static String bulk(String value) {
    return "$" + value.length() + ":" + value;
  }

  @Test
  @DisplayName("SET IFDEQ and IFDNE compare with what DIGEST replies, in any case")
  void set_withDigestCondition() throws IOException {
    call("SET k hello");
    assertThat(call("DIGEST k")).isEqualTo("$16:9555e8555c62dcfd");
    assertThat(call("SET k 17 IFDEQ 0000000000000000")).isEqualTo("$-1");
    assertThat(call("SET k 17 IFDNE 9555e8555c62dcfd")).isEqualTo("$-1");
    assertThat(call("SET k 17 IFDEQ 9555E8555C62DCFD")).isEqualTo("+OK");
    assertThat(call("SET k 18 IFDNE 9555e8555c62dcfd")).isEqualTo("+OK");
    assertThat(call("SET k 19 IFDEQ abc"))
        .isEqualTo("-ERR must be exactly 16 hexadecimal characters");
    assertThat(call("SET none 19 IFDEQ abc")).isEqualTo("$-1");
    assertThat(call("SET none 19 IFDNE abc")).isEqualTo("+OK");
    assertThat(call("DIGEST missing")).isEqualTo("$-1");
  }

  @Test
  void conditions_excludeEachOther() throws IOException {
    for (String options :
        List.of("NX IFEQ v", "IFEQ v XX", "IFEQ v IFNE v", "IFDEQ v IFDNE v", "IFEQ", "IFDNE")) {
      assertThat(call("SET k v " + options)).as(options).isEqualTo("-ERR syntax error");
    }
    call("SET k v");
    assertThat(call("SET k w IFEQ x IFEQ v")).as("the last one counts").isEqualTo("+OK");
  }

  @Test
  void conditions_needAString() throws IOException {
    call("RPUSH l a");
    assertThat(call("SET l v IFEQ a")).isEqualTo(WRONG_TYPE);
    assertThat(call("SET l v IFDNE abc")).isEqualTo(WRONG_TYPE);
    assertThat(call("DIGEST l")).isEqualTo(WRONG_TYPE);
    assertThat(call("DELIFEQ l a")).isEqualTo(WRONG_TYPE);
    assertThat(call("DELEX l IFEQ a"))
        .isEqualTo("-ERR Key should be of string type if conditions are specified");
    assertThat(call("DELEX l")).isEqualTo(":1");
  }

  @Test
  @DisplayName("SET with an expiry in the past deletes the key")
  void set_withPastExpiry_deletes() throws IOException {
    call("SET k v");
    assertThat(call("SET k w PXAT " + START)).isEqualTo("+OK");
    assertThat(call("EXISTS k")).isEqualTo(":0");
    assertThat(call("SET k w GET EXAT 1")).isEqualTo("$-1");
    assertThat(call("DBSIZE")).isEqualTo(":0");
    assertThat(call("INFO stats")).contains("expired_keys:2");
  }

  @Test
  @DisplayName("DELEX deletes under each condition")
  void delex_underConditions() throws IOException {
    assertThat(call("DELEX k")).isEqualTo(":0");
    assertThat(call("DELEX k IFNE v")).isEqualTo(":0");
    call("SET k hello");
    assertThat(call("DELEX k IFEQ v")).isEqualTo(":0");
    assertThat(call("DELEX k IFNE hello")).isEqualTo(":0");
    assertThat(call("DELEX k IFDEQ 0000000000000000")).isEqualTo(":0");
    assertThat(call("DELEX k IFDNE 9555e8555c62dcfd")).isEqualTo(":0");
    assertThat(call("DELEX k ifdeq 9555E8555C62DCFD")).isEqualTo(":1");
    call("SET k hello");
    assertThat(call("DELEX k IFEQ hello")).isEqualTo(":1");
    call("SET k hello");
    assertThat(call("DELEX k IFNE v")).isEqualTo(":1");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  @Test
  void delex_mistakes() throws IOException {
    call("SET k v");
    assertThat(call("DELEX k IFEQ"))
        .isEqualTo("-ERR wrong number of arguments for 'delex' command");
    assertThat(call("DELEX k IFEQ v w"))
        .isEqualTo("-ERR wrong number of arguments for 'delex' command");
    assertThat(call("DELEX k IF v"))
        .isEqualTo("-ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
    assertThat(call("DELEX k IFDNE v")).isEqualTo("-ERR must be exactly 16 hexadecimal characters");
    assertThat(call("GET k")).isEqualTo("$1:v");
  }

  @Test
  void delifeq_deletesOnlyWhatEquals() throws IOException {
    call("SET k v");
    assertThat(call("DELIFEQ k w")).isEqualTo(":0");
    assertThat(call("DELIFEQ none w")).isEqualTo(":0");
    assertThat(call("DELIFEQ k v")).isEqualTo(":1");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  // Several at once

  @Test
  @DisplayName("MSETEX sets all keys with one expiry, or none")
  void msetex_setsAllOrNone() throws IOException {
    assertThat(call("MSETEX 2 a 1 b 2 EX 9")).isEqualTo(":1");
    assertThat(call("MGET a b")).isEqualTo("*2[$1:1, $1:2]");
    assertThat(call("TTL b")).isEqualTo(":9");
    assertThat(call("MSETEX 2 c 1 b 3 NX")).isEqualTo(":0");
    assertThat(call("MSETEX 2 c 1 b 3 PX 1 XX")).isEqualTo(":0");
    assertThat(call("MGET b c")).isEqualTo("*2[$1:2, $-1]");
    assertThat(call("MSETEX 2 a 5 b 6 XX KEEPTTL")).isEqualTo(":1");
    assertThat(call("TTL a")).isEqualTo(":9");
    assertThat(call("MSETEX 1 a 7")).isEqualTo(":1");
    assertThat(call("TTL a")).isEqualTo(":-1");
    assertThat(call("MSETEX 1 a 8 EXAT 5")).isEqualTo(":1");
    assertThat(call("GET a")).isEqualTo("$-1");
    assertThat(call("COMMAND GETKEYS MSETEX 2 a 1 b 2 EX 9")).isEqualTo("*2[$1:a, $1:b]");
  }

  @Test
  void msetex_mistakes() throws IOException {
    assertThat(call("MSETEX 0 a 1")).isEqualTo("-ERR invalid numkeys value");
    assertThat(call("MSETEX x a 1")).isEqualTo("-ERR invalid numkeys value");
    assertThat(call("MSETEX 2 a 1 b")).isEqualTo("-ERR wrong number of key-value pairs");
    assertThat(call("MSETEX 2147483647 a 1 b")).isEqualTo("-ERR wrong number of key-value pairs");
    assertThat(call("MSETEX 1 a 1 GET")).isEqualTo("-ERR syntax error");
    assertThat(call("MSETEX 1 a 1 IFEQ b")).isEqualTo("-ERR syntax error");
    assertThat(call("MSETEX 1 a 1 NX XX")).isEqualTo("-ERR syntax error");
    assertThat(call("MSETEX 1 a 1 EX 0")).isEqualTo("-ERR invalid expire time in 'msetex' command");
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  // Counters

  @Test
  @DisplayName("INCR can modify objects in-place")
  void incr_inPlace() throws IOException {
    call("SET n 19998 EX 100");
    String address = address();
    assertThat(call("INCR n")).isEqualTo(":19999");
    assertThat(call("DECRBY n 9999")).isEqualTo(":10000");
    assertThat(address()).isEqualTo(address);
    assertThat(call("DECR n")).as("a digit less").isEqualTo(":9999");
    assertThat(call("INCRBY n -10000")).isEqualTo(":-1");
    assertThat(call("INCRBY n 11")).isEqualTo(":10");
    assertThat(call("GET n")).isEqualTo("$2:10");
    assertThat(call("TTL n")).isEqualTo(":100");
  }

  private String address() throws IOException {
    return call("DEBUG OBJECT n").replaceAll(" refcount.*", "");
  }

  @Test
  @DisplayName("INCREX replies the sum and what was added")
  void increx_adds() throws IOException {
    assertThat(call("INCREX n")).isEqualTo("*2[:1, :1]");
    assertThat(call("INCREX n BYINT -5")).isEqualTo("*2[:-4, :-5]");
    assertThat(call("OBJECT ENCODING n")).isEqualTo("$3:int");
    assertThat(call("INCREX n BYFLOAT 0.1")).isEqualTo("*2[$4:-3.9, $3:0.1]");
    assertThat(call("HELLO 3")).startsWith("%");
    assertThat(call("INCREX n BYFLOAT 1.4")).isEqualTo("*2[,-2.5, ,1.4]");
    assertThat(call("INCREX n")).isEqualTo("-ERR value is not an integer or out of range");
  }

  @Test
  @DisplayName("INCREX refuses a result out of bounds, or stops at the bound with SATURATE")
  void increx_withBounds() throws IOException {
    call("SET n 8");
    assertThat(call("INCREX n BYINT 5 UBOUND 10")).isEqualTo("*2[:8, :0]");
    assertThat(call("INCREX n BYINT 5 UBOUND 10 SATURATE")).isEqualTo("*2[:10, :2]");
    assertThat(call("INCREX n BYINT -20 LBOUND 3 SATURATE")).isEqualTo("*2[:3, :-7]");
    assertThat(call("INCREX n LBOUND 7 UBOUND 9")).isEqualTo("*2[:3, :0]");
    assertThat(call("INCREX n LBOUND 7 UBOUND 9 SATURATE")).isEqualTo("*2[:7, :4]");
    assertThat(call("INCREX f BYFLOAT 2.5 UBOUND 2 SATURATE")).isEqualTo("*2[$1:2, $1:2]");
    assertThat(call("INCREX f BYFLOAT 0.5 UBOUND 2.25")).isEqualTo("*2[$1:2, $1:0]");
    assertThat(call("INCREX none BYINT 1 LBOUND 5")).isEqualTo("*2[:0, :0]");
    assertThat(call("EXISTS none")).isEqualTo(":0");
  }

  @Test
  void increx_atTheLimitsOfTheType() throws IOException {
    call("SET n 9223372036854775800");
    assertThat(call("INCREX n BYINT 100")).isEqualTo("*2[:9223372036854775800, :0]");
    assertThat(call("INCREX n BYINT 100 SATURATE")).isEqualTo("*2[:9223372036854775807, :7]");
    assertThat(call("INCREX n BYINT 1 UBOUND -9223372036854775808 SATURATE"))
        .isEqualTo("-ERR applied increment would overflow");
    call("SET f 1e4932");
    assertThat(call("INCREX f BYFLOAT 1e4932 LBOUND 0")).endsWith(", $1:0]");
    String saturated = call("INCREX f BYFLOAT 1e4932 SATURATE");
    assertThat(saturated).startsWith("*2[$4933:118973149535723176502");
    call("SET f -1e4932");
    assertThat(call("INCREX f BYFLOAT 1 LBOUND 1e4932 SATURATE"))
        .isEqualTo("-ERR applied increment would be Infinity");
    assertThat(call("INCREX f BYFLOAT -inf"))
        .isEqualTo("-ERR BYFLOAT increment cannot be Infinity");
    call("SET f inf");
    assertThat(call("INCREX f BYFLOAT 1")).isEqualTo("-ERR value cannot be Infinity");
  }

  @Test
  void increx_setsKeepsAndRemovesExpiry() throws IOException {
    call("INCREX n EX 10");
    assertThat(call("TTL n")).isEqualTo(":10");
    call("INCREX n");
    assertThat(call("TTL n")).isEqualTo(":10");
    call("INCREX n PX 99 ENX");
    assertThat(call("TTL n")).isEqualTo(":10");
    call("INCREX n PERSIST");
    assertThat(call("TTL n")).isEqualTo(":-1");
    call("INCREX n PXAT " + (START + 5) + " ENX");
    assertThat(call("PTTL n")).isEqualTo(":5");
    assertThat(call("INCREX n UBOUND 2 EX 100")).isEqualTo("*2[:5, :0]");
    assertThat(call("PTTL n")).as("a refused increment changes nothing").isEqualTo(":5");
    assertThat(call("INCREX n EXAT 1")).isEqualTo("*2[:6, :1]");
    assertThat(call("EXISTS n")).isEqualTo(":0");
  }

  @Test
  void increx_mistakes() throws IOException {
    for (String options :
        List.of(
            "BYINT",
            "BYINT 1 BYFLOAT 1",
            "LBOUND 1 LBOUND 2",
            "SATURATE SATURATE",
            "EX 1 PX 1",
            "EX 1 PERSIST",
            "ENX PERSIST",
            "PERSIST ENX",
            "EX",
            "NX")) {
      assertThat(call("INCREX n " + options)).as(options).isEqualTo("-ERR syntax error");
    }
    assertThat(call("INCREX n BYINT 1.5"))
        .isEqualTo("-ERR Increment is not an integer or out of range");
    assertThat(call("INCREX n BYFLOAT x")).isEqualTo("-ERR Increment is not a valid float");
    assertThat(call("INCREX n LBOUND x"))
        .isEqualTo("-ERR LBOUND is not an integer or out of range");
    assertThat(call("INCREX n BYFLOAT 1 UBOUND x")).isEqualTo("-ERR UBOUND is not a valid float");
    assertThat(call("INCREX n LBOUND 2 UBOUND 1"))
        .isEqualTo("-ERR LBOUND can't be greater than UBOUND");
    assertThat(call("INCREX n ENX")).isEqualTo("-ERR ENX flag requires an expiration");
    assertThat(call("INCREX n EX 0")).isEqualTo("-ERR invalid expire time in 'increx' command");
    call("RPUSH l a");
    assertThat(call("INCREX l")).isEqualTo(WRONG_TYPE);
    assertThat(call("EXISTS n")).isEqualTo(":0");
  }

  // Bits

  @Test
  @DisplayName("BITOP DIFF, DIFF1, ANDOR and ONE, with strings of several lengths")
  void bitop_ofOneAgainstTheOthers() throws IOException {
    call("BITFIELD a SET u8 0 240 SET u8 8 15");
    call("BITFIELD b SET u8 0 204");
    call("BITFIELD c SET u8 0 170 SET u8 8 3 SET u8 16 129");
    assertThat(bits("DIFF", "a b c")).isEqualTo(":3 *3[:16, :12, :0]");
    assertThat(bits("DIFF1", "a b c")).isEqualTo(":3 *3[:14, :0, :129]");
    assertThat(bits("ANDOR", "a b c")).isEqualTo(":3 *3[:224, :3, :0]");
    assertThat(bits("ONE", "a b c")).isEqualTo(":3 *3[:22, :12, :129]");
    assertThat(bits("one", "a b c a")).isEqualTo(":3 *3[:6, :0, :129]");
    assertThat(bits("ONE", "a")).isEqualTo(":2 *3[:240, :15, :0]");
    assertThat(bits("DIFF", "none b")).isEqualTo(":1 *3[:0, :0, :0]");
    assertThat(bits("ONE", "none")).isEqualTo(":0 *3[:0, :0, :0]");
    assertThat(call("BITOP ANDOR d a"))
        .isEqualTo("-ERR BITOP ANDOR must be called with at least two source keys.");
    assertThat(call("BITOP diff1 d a"))
        .isEqualTo("-ERR BITOP DIFF1 must be called with at least two source keys.");
  }

  @Test
  @DisplayName("SETBIT to the current bit is no change")
  void setbit_ofTheSameBit_changesNothing() throws IOException {
    call("SETBIT k 9 1");
    String dirty = changes();
    call("SETBIT k 9 1");
    call("SETBIT k 3 0");
    call("BITFIELD k GET u8 0 SET u8 8 64 INCRBY u4 0 0");
    assertThat(changes()).isEqualTo(dirty);
    call("SETBIT k 16 0");
    assertThat(changes()).as("a longer string is a change").isNotEqualTo(dirty);
  }

  private String changes() throws IOException {
    return call("INFO persistence").replaceAll("(?s).*rdb_changes_since_last_save:(\\d+).*", "$1");
  }

  private String bits(String operation, String sources) throws IOException {
    String length = call("BITOP " + operation + " d " + sources);
    return length + " " + call("BITFIELD_RO d GET u8 0 GET u8 8 GET u8 16");
  }

  // LCS

  @Test
  void lcs_refusesWhatRedisHasNoMemoryFor() throws IOException {
    call("SETRANGE a 20000 x");
    call("SETRANGE b 9 x");
    assertThat(call("LCS a b LEN")).isEqualTo(":10");
    assertThat(call("LCS a a LEN"))
        .isEqualTo("-ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
  }
}
