package dev.kermes.server.command.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hashes by example. */
final class HashTest extends FamilyTest {

  @Test
  void hset_countsNewFieldsOnly() throws IOException {
    assertThat(call("HSET h a 1 b 2")).isEqualTo(":2");
    assertThat(call("HSET h b 3 c 4")).isEqualTo(":1");
    assertThat(call("HGET h b")).isEqualTo("$1:3");
    assertThat(call("HLEN h")).isEqualTo(":3");
    assertThat(call("HSET h a")).isEqualTo("-ERR wrong number of arguments for 'hset' command");
    assertThat(call("HSET h a 1 b")).isEqualTo("-ERR wrong number of arguments for 'hset' command");
  }

  @Test
  void hsetnx_keepsAnExistingValue() throws IOException {
    assertThat(call("HSETNX h a 1")).isEqualTo(":1");
    assertThat(call("HSETNX h a 2")).isEqualTo(":0");
    assertThat(call("HGET h a")).isEqualTo("$1:1");
  }

  @Test
  void hget_andHmget_replyNilForMissingFields() throws IOException {
    call("HSET h a 1");
    assertThat(call("HGET h none")).isEqualTo("$-1");
    assertThat(call("HGET none a")).isEqualTo("$-1");
    assertThat(call("HMGET h a none a")).isEqualTo("*3[$1:1, $-1, $1:1]");
    assertThat(call("HMGET none a")).isEqualTo("*1[$-1]");
  }

  @Test
  void hgetall_hkeys_andHvals_replyEverything() throws IOException {
    call("HSET h a 1 b 2");
    assertThat(sorted("HKEYS h")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(sorted("HVALS h")).isEqualTo("*2[$1:1, $1:2]");
    assertThat(sorted("HGETALL h")).isEqualTo("*4[$1:1, $1:2, $1:a, $1:b]");
    assertThat(call("HGETALL none")).isEqualTo("*0");
  }

  @Test
  void hdel_ofTheLastField_deletesTheKey() throws IOException {
    call("HSET h a 1 b 2");
    assertThat(call("HDEL h a none")).isEqualTo(":1");
    assertThat(call("HEXISTS h a")).isEqualTo(":0");
    assertThat(call("HDEL h b")).isEqualTo(":1");
    assertThat(call("EXISTS h")).isEqualTo(":0");
  }

  @Test
  void hincrby_beginsAtZero_andRefusesOverflow() throws IOException {
    assertThat(call("HINCRBY h n 5")).isEqualTo(":5");
    assertThat(call("HINCRBY h n -7")).isEqualTo(":-2");
    call("HSET h n 9223372036854775807 text x");
    assertThat(call("HINCRBY h n 1")).isEqualTo("-ERR increment or decrement would overflow");
    assertThat(call("HINCRBY h text 1")).isEqualTo("-ERR hash value is not an integer");
    assertThat(call("HINCRBY h n 1.5")).isEqualTo("-ERR value is not an integer or out of range");
  }

  @Test
  void hincrbyfloat_repliesTheShortestDecimal() throws IOException {
    assertThat(call("HINCRBYFLOAT h n 10.50")).isEqualTo("$4:10.5");
    assertThat(call("HINCRBYFLOAT h n -5.0e3")).isEqualTo("$7:-4989.5");
    call("HSET h text x");
    assertThat(call("HINCRBYFLOAT h text 1")).isEqualTo("-ERR hash value is not a float");
    assertThat(call("HINCRBYFLOAT h n word")).isEqualTo("-ERR value is not a valid float");
  }

  @Test
  void hstrlen_countsBytes() throws IOException {
    call("HSET h a 12345");
    assertThat(call("HSTRLEN h a")).isEqualTo(":5");
    assertThat(call("HSTRLEN h none")).isEqualTo(":0");
    assertThat(call("HSTRLEN none a")).isEqualTo(":0");
  }

  @Test
  void hrandfield_withNegativeCount_repeatsFields() throws IOException {
    call("HSET h a 1");
    assertThat(call("HRANDFIELD h")).isEqualTo("$1:a");
    assertThat(call("HRANDFIELD h 5")).isEqualTo("*1[$1:a]");
    assertThat(call("HRANDFIELD h -2")).isEqualTo("*2[$1:a, $1:a]");
    assertThat(call("HRANDFIELD h -2 WITHVALUES")).isEqualTo("*4[$1:a, $1:1, $1:a, $1:1]");
    assertThat(call("HRANDFIELD none 5")).isEqualTo("*0");
    assertThat(call("HRANDFIELD none")).isEqualTo("$-1");
    assertThat(call("HRANDFIELD h 1 WITHOUT")).isEqualTo("-ERR syntax error");
  }

  @Test
  void hscan_withPattern_repliesFieldsAndValues() throws IOException {
    call("HSET h a1 1 b1 2");
    assertThat(call("HSCAN h 0 MATCH b* COUNT 100")).isEqualTo("*2[$1:0, *2[$2:b1, $1:2]]");
    assertThat(call("HSCAN none 0")).isEqualTo("*2[$1:0, *0]");
    assertThat(call("HSCAN h 0 COUNT 0")).isEqualTo("-ERR syntax error");
  }

  @Test
  void valueThatIsLong_makesNoDifferenceToReaders() throws IOException {
    String value = "v".repeat(1000);
    call("HSET h short 1 long " + value);
    assertThat(call("HGET h long")).isEqualTo("$1000:" + value);
    assertThat(call("HGET h short")).isEqualTo("$1:1");
    assertThat(call("HLEN h")).isEqualTo(":2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HSET k f v",
        "HSETNX k f v",
        "HGET k f",
        "HMGET k f",
        "HGETALL k",
        "HDEL k f",
        "HLEN k",
        "HEXISTS k f",
        "HKEYS k",
        "HVALS k",
        "HINCRBY k f 1",
        "HINCRBYFLOAT k f 1",
        "HSTRLEN k f",
        "HRANDFIELD k",
        "HSCAN k 0",
        "HMSET k f v"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    assertRefusesOtherTypes(command);
  }
}
