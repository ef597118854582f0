package dev.kermes.server.command.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams by example. */
final class StreamTest extends FamilyTest {

  private static void fill() throws IOException {
    for (int i = 1; i <= 4; i++) call("XADD s " + i + "-0 n " + i);
  }

  @Test
  void xadd_takesGrowingIdsOnly() throws IOException {
    assertThat(call("XADD s 5-1 a 1")).isEqualTo("$3:5-1");
    assertThat(call("XADD s 5-* a 1")).isEqualTo("$3:5-2");
    assertThat(call("XADD s 5-2 a 1"))
        .isEqualTo(
            "-ERR The ID specified in XADD is equal or smaller than the target stream top item");
    assertThat(call("XADD s 0-0 a 1"))
        .isEqualTo("-ERR The ID specified in XADD must be greater than 0-0");
    assertThat(call("XADD s 6-0 a")).isEqualTo("-ERR wrong number of arguments for 'xadd' command");
    assertThat(call("XADD none NOMKSTREAM * a 1")).isEqualTo("$-1");
    assertThat(call("XLEN s")).isEqualTo(":2");
  }

  @Test
  void xrange_includesItsEndsUnlessTheyAreOpen() throws IOException {
    fill();
    assertThat(call("XRANGE s 2 3"))
        .isEqualTo("*2[*2[$3:2-0, *2[$1:n, $1:2]], *2[$3:3-0, *2[$1:n, $1:3]]]");
    assertThat(call("XRANGE s (2 3")).isEqualTo("*1[*2[$3:3-0, *2[$1:n, $1:3]]]");
    assertThat(call("XREVRANGE s + - COUNT 1")).isEqualTo("*1[*2[$3:4-0, *2[$1:n, $1:4]]]");
    assertThat(call("XRANGE none - +")).isEqualTo("*0");
    assertThat(call("XRANGE s word +"))
        .isEqualTo("-ERR Invalid stream ID specified as stream command argument");
  }

  @Test
  void xread_repliesWhatIsNewerThanItsId() throws IOException {
    fill();
    assertThat(call("XREAD COUNT 1 STREAMS s none 2 0"))
        .isEqualTo("*1[*2[$1:s, *1[*2[$3:3-0, *2[$1:n, $1:3]]]]]");
    assertThat(call("XREAD STREAMS s $")).isEqualTo("*-1");
    assertThat(call("XREAD BLOCK 10 STREAMS s $")).isEqualTo("*-1");
    assertThat(call("XREAD STREAMS s none 0")).startsWith("-ERR Unbalanced ");
  }

  @Test
  void xdel_andXtrim_keepTheLastId() throws IOException {
    fill();
    assertThat(call("XDEL s 2-0 9-0")).isEqualTo(":1");
    assertThat(call("XTRIM s MAXLEN 1")).isEqualTo(":2");
    assertThat(call("XRANGE s - +")).isEqualTo("*1[*2[$3:4-0, *2[$1:n, $1:4]]]");
    assertThat(call("XTRIM s MINID 9")).isEqualTo(":1");
    assertThat(call("EXISTS s")).isEqualTo(":1");
    assertThat(call("XADD s 3-0 a 1")).startsWith("-ERR The ID specified in XADD is equal");
  }

  @Test
  void group_deliversEachEntryOnce_untilItIsAcknowledged() throws IOException {
    fill();
    assertThat(call("XGROUP CREATE s g 2")).isEqualTo("+OK");
    assertThat(call("XGROUP CREATE s g 0"))
        .isEqualTo("-BUSYGROUP Consumer Group name already exists");
    assertThat(call("XREADGROUP GROUP g alice COUNT 1 STREAMS s >"))
        .isEqualTo("*1[*2[$1:s, *1[*2[$3:3-0, *2[$1:n, $1:3]]]]]");
    assertThat(call("XREADGROUP GROUP g bob STREAMS s >"))
        .isEqualTo("*1[*2[$1:s, *1[*2[$3:4-0, *2[$1:n, $1:4]]]]]");
    assertThat(call("XREADGROUP GROUP g bob STREAMS s >")).isEqualTo("*-1");
    assertThat(call("XPENDING s g"))
        .isEqualTo("*4[:2, $3:3-0, $3:4-0, *2[*2[$5:alice, $1:1], *2[$3:bob, $1:1]]]");
    assertThat(call("XREADGROUP GROUP g alice STREAMS s 0"))
        .isEqualTo("*1[*2[$1:s, *1[*2[$3:3-0, *2[$1:n, $1:3]]]]]");
    assertThat(call("XACK s g 3-0 9-0")).isEqualTo(":1");
    assertThat(call("XREADGROUP GROUP g alice STREAMS s 0")).isEqualTo("*1[*2[$1:s, *0]]");
  }

  @Test
  void claim_givesAnEntryToAnotherConsumer() throws IOException {
    fill();
    call("XGROUP CREATE s g 0");
    call("XREADGROUP GROUP g alice COUNT 2 STREAMS s >");
    assertThat(call("XCLAIM s g bob 0 1-0 JUSTID")).isEqualTo("*1[$3:1-0]");
    assertThat(call("XAUTOCLAIM s g carol 0 2 COUNT 10 JUSTID"))
        .isEqualTo("*3[$3:0-0, *1[$3:2-0], *0]");
    assertThat(call("XPENDING s g - + 10 alice")).isEqualTo("*0");
    assertThat(call("XGROUP DELCONSUMER s g bob")).isEqualTo(":1");
    assertThat(call("XGROUP DESTROY s g")).isEqualTo(":1");
    assertThat(call("XREADGROUP GROUP g alice STREAMS s >")).startsWith("-NOGROUP ");
  }

  @Test
  void xinfo_describesStreamAndGroups() throws IOException {
    assertThat(call("XGROUP CREATE s g $"))
        .isEqualTo(
            "-ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to"
                + " use the MKSTREAM option to create an empty stream automatically.");
    assertThat(call("XGROUP CREATE s g $ MKSTREAM")).isEqualTo("+OK");
    assertThat(call("XLEN s")).isEqualTo(":0");
    assertThat(call("XINFO GROUPS s"))
        .isEqualTo(
            "*1[*12[$4:name, $1:g, $9:consumers, :0, $7:pending, :0, $17:last-delivered-id, $3:0-0,"
                + " $12:entries-read, $-1, $3:lag, :0]]");
    assertThat(call("XINFO STREAM none")).isEqualTo("-ERR no such key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "XADD k * a 1", "XLEN k", "XRANGE k - +", "XREVRANGE k + -", "XREAD STREAMS k 0",
        "XDEL k 1", "XTRIM k MAXLEN 1", "XGROUP CREATE k g 0", "XINFO STREAM k", "XSETID k 1",
        "XACK k g 1", "XPENDING k g"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    assertRefusesOtherTypes(command);
  }
}
