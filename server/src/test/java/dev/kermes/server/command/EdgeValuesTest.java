package dev.kermes.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Numbers at the limits of their ranges, and results whose order or form is easily missed. */
final class EdgeValuesTest extends CommandTest {

  @Test
  void expiretime_ofTheLastMillisecond_isRoundedUp() throws IOException {
    call("SET k v PXAT 9223372036854775807");
    assertThat(call("EXPIRETIME k")).isEqualTo(":9223372036854776");
    call("SET k v PXAT 1700000001499");
    assertThat(call("EXPIRETIME k")).isEqualTo(":1700000001");
    assertThat(call("TTL k")).isEqualTo(":1");
    call("SET k v PXAT 1700000001500");
    assertThat(call("EXPIRETIME k")).isEqualTo(":1700000002");
  }

  @Test
  void sort_byTextThatIsEqual_leavesTheOrder() throws IOException {
    call("RPUSH l m0 2 a zz b");
    String asItWas = "*5[$2:m0, $1:2, $1:a, $2:zz, $1:b]";
    assertThat(call("SORT l BY nokey_* ALPHA")).isEqualTo(asItWas);
    assertThat(call("SORT l BY nokey_* ALPHA DESC")).isEqualTo(asItWas);
    call("RPUSH numbers 2 01 1");
    assertThat(call("SORT numbers")).isEqualTo("*3[$2:01, $1:1, $1:2]");
    assertThat(call("SORT numbers DESC")).isEqualTo("*3[$1:2, $1:1, $2:01]");
  }

  @Test
  void incrbyfloat_takesHexadecimal() throws IOException {
    call("SET k 5");
    assertThat(call("INCRBYFLOAT k 0x1p3")).isEqualTo("$2:13");
    assertThat(call("INCRBYFLOAT k -0X.8")).isEqualTo("$4:12.5");
    assertThat(call("HINCRBYFLOAT h f 0x10")).isEqualTo("$2:16");
    for (String wrong : new String[] {"0x", "0x1p", "0xg", "0x1p99999", "0x1.8.8"}) {
      assertThat(call("INCRBYFLOAT k " + wrong)).as(wrong).startsWith("-ERR ");
    }
  }

  @Test
  void bounds_beyondTheRangeOfDoubles_areInfinite() throws IOException {
    call("ZADD z 1 a");
    assertThat(call("ZRANGEBYSCORE z 0 1e400")).isEqualTo("*1[$1:a]");
    assertThat(call("ZREVRANGEBYSCORE z 1e400 -1e400")).isEqualTo("*1[$1:a]");
    assertThat(call("ZCOUNT z 1e-400 1e400")).isEqualTo(":1");
    assertThat(call("ZCOUNT z 1x 2")).isEqualTo("-ERR min or max is not a float");
    assertThat(call("ZADD z 1e400 b")).isEqualTo("-ERR value is not a valid float");
    assertThat(call("ZADD z 1e-400 b")).isEqualTo("-ERR value is not a valid float");
    assertThat(call("ZADD z 0e-400 b")).isEqualTo(":1");
  }

  @Test
  void scores_smallestAndNegativeZero() throws IOException {
    call("ZADD z 5e-324 m -0 n");
    assertThat(call("ZSCORE z m")).isEqualTo("$6:5e-324");
    assertThat(call("ZSCORE z n")).isEqualTo("$1:0");
  }

  @Test
  void lowestInteger_cannotBeNegated() throws IOException {
    assertThat(call("LREM l -9223372036854775808 x"))
        .isEqualTo(
            "-ERR value is out of range, value must between -9223372036854775807 and"
                + " 9223372036854775807");
  }

  @Test
  void cursor_belowZeroOrEmpty_isRefused() throws IOException {
    for (String cursor : new String[] {"-1", "x", "0x1", "1 ", "", "18446744073709551616"}) {
      assertThat(socket.call("SCAN", cursor)).hasToString("-ERR invalid cursor");
      assertThat(socket.call("HSCAN", "none", cursor)).hasToString("-ERR invalid cursor");
    }
    for (String cursor : new String[] {"0", "-0", "+0", "007", " 0", "18446744073709551615"}) {
      assertThat(socket.call("SCAN", cursor).type()).isEqualTo('*');
    }
  }

  @Test
  void bitop_leavesARawString() throws IOException {
    call("INCR k");
    assertThat(call("BITOP AND k k")).isEqualTo(":1");
    assertThat(call("OBJECT ENCODING k")).isEqualTo("$3:raw");
    assertThat(call("GET k")).isEqualTo("$1:1");
  }

  @Test
  void arinfo_directoryIsAsLargeAsItsSlices() throws IOException {
    call("ARSET a 0 x");
    call("ARSET a 100 y");
    assertThat(call("ARINFO a")).contains("$14:directory-size, :1,");
  }

  @Test
  void infoHotkeys_isThereWhileTheyAreKnown() throws IOException {
    assertThat(call("INFO hotkeys")).isEqualTo("$0:");
    call("HOTKEYS START METRICS 1 CPU");
    assertThat(socket.call("INFO").text()).contains("# Hotkeys\r\nhotkeys-tracking-active:1\r\n");
    call("HOTKEYS STOP");
    assertThat(socket.call("INFO", "hotkeys").text()).contains("hotkeys-tracking-active:0\r\n");
    call("HOTKEYS RESET");
    assertThat(call("INFO")).doesNotContain("# Hotkeys");
  }
}
