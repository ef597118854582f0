package dev.kermes.server.command.set;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets by example. */
final class SetTest extends FamilyTest {

  @Test
  void sadd_countsNewMembersOnly() throws IOException {
    assertThat(call("SADD s a b a")).isEqualTo(":2");
    assertThat(call("SADD s b c")).isEqualTo(":1");
    assertThat(call("SCARD s")).isEqualTo(":3");
    assertThat(sorted("SMEMBERS s")).isEqualTo("*3[$1:a, $1:b, $1:c]");
  }

  @Test
  void srem_ofTheLastMember_deletesTheKey() throws IOException {
    call("SADD s a b");
    assertThat(call("SREM s a none")).isEqualTo(":1");
    assertThat(call("SREM s b")).isEqualTo(":1");
    assertThat(call("EXISTS s")).isEqualTo(":0");
    assertThat(call("SREM s b")).isEqualTo(":0");
  }

  @Test
  void sismember_andSmismember_tellWhatIsInTheSet() throws IOException {
    call("SADD s a 1");
    assertThat(call("SISMEMBER s a")).isEqualTo(":1");
    assertThat(call("SISMEMBER s 01")).isEqualTo(":0");
    assertThat(call("SISMEMBER none a")).isEqualTo(":0");
    assertThat(call("SMISMEMBER s a b 1")).isEqualTo("*3[:1, :0, :1]");
    assertThat(call("SMISMEMBER none a b")).isEqualTo("*2[:0, :0]");
  }

  @Test
  void smove_movesAMemberOnce() throws IOException {
    call("SADD from a b");
    call("SADD to b");
    assertThat(call("SMOVE from to a")).isEqualTo(":1");
    assertThat(call("SMOVE from to a")).isEqualTo(":0");
    assertThat(call("SMOVE from to b")).isEqualTo(":1");
    assertThat(call("EXISTS from")).isEqualTo(":0");
    assertThat(sorted("SMEMBERS to")).isEqualTo("*2[$1:a, $1:b]");
  }

  @Test
  void sinter_sunion_andSdiff_treatAMissingKeyAsEmpty() throws IOException {
    call("SADD a 1 2 3");
    call("SADD b 2 3 4");
    assertThat(sorted("SINTER a b")).isEqualTo("*2[$1:2, $1:3]");
    assertThat(sorted("SUNION a b none")).isEqualTo("*4[$1:1, $1:2, $1:3, $1:4]");
    assertThat(sorted("SDIFF a b")).isEqualTo("*1[$1:1]");
    assertThat(call("SINTER a none")).isEqualTo("*0");
    assertThat(call("SDIFF none a")).isEqualTo("*0");
  }

  @Test
  void storedResult_replacesTheDestination() throws IOException {
    call("SADD a 1 2");
    call("SADD b 2 3");
    call("SET to text");
    assertThat(call("SUNIONSTORE to a b")).isEqualTo(":3");
    assertThat(call("SINTERSTORE a a b")).isEqualTo(":1");
    assertThat(call("SMEMBERS a")).isEqualTo("*1[$1:2]");
    assertThat(call("SDIFFSTORE to a a")).isEqualTo(":0");
    assertThat(call("EXISTS to")).isEqualTo(":0");
  }

  @Test
  void sintercard_stopsAtItsLimit() throws IOException {
    call("SADD a 1 2 3");
    call("SADD b 1 2 3 4");
    assertThat(call("SINTERCARD 2 a b")).isEqualTo(":3");
    assertThat(call("SINTERCARD 2 a b LIMIT 2")).isEqualTo(":2");
    assertThat(call("SINTERCARD 2 a b LIMIT 0")).isEqualTo(":3");
    assertThat(call("SINTERCARD 2 a b LIMIT -1")).isEqualTo("-ERR LIMIT can't be negative");
    assertThat(call("SINTERCARD 0 a")).isEqualTo("-ERR numkeys should be greater than 0");
  }

  @Test
  void spop_removesWhatItReplies() throws IOException {
    call("SADD s a b c");
    assertThat(call("SPOP s 0")).isEqualTo("*0");
    assertThat(sorted("SPOP s 5")).isEqualTo("*3[$1:a, $1:b, $1:c]");
    assertThat(call("EXISTS s")).isEqualTo(":0");
    assertThat(call("SPOP s")).isEqualTo("$-1");
    assertThat(call("SPOP s -1")).isEqualTo("-ERR value is out of range, must be positive");
  }

  @Test
  void srandmember_withNegativeCount_repeatsMembers() throws IOException {
    call("SADD s a");
    assertThat(call("SRANDMEMBER s")).isEqualTo("$1:a");
    assertThat(call("SRANDMEMBER s 3")).isEqualTo("*1[$1:a]");
    assertThat(call("SRANDMEMBER s -3")).isEqualTo("*3[$1:a, $1:a, $1:a]");
    assertThat(call("SRANDMEMBER none -3")).isEqualTo("*0");
    assertThat(call("SCARD s")).isEqualTo(":1");
  }

  @Test
  void sscan_withPattern_finds() throws IOException {
    call("SADD s a1 a2 b1");
    assertThat(call("SSCAN s 0 MATCH b* COUNT 100")).isEqualTo("*2[$1:0, *1[$2:b1]]");
    assertThat(call("SSCAN none 0")).isEqualTo("*2[$1:0, *0]");
    assertThat(call("SSCAN s word")).isEqualTo("-ERR invalid cursor");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SADD k a",
        "SREM k a",
        "SCARD k",
        "SISMEMBER k a",
        "SMISMEMBER k a",
        "SMEMBERS k",
        "SPOP k",
        "SRANDMEMBER k",
        "SINTER k",
        "SUNION k",
        "SDIFF k",
        "SINTERCARD 1 k",
        "SMOVE k to a",
        "SUNIONSTORE to k",
        "SSCAN k 0"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    assertRefusesOtherTypes(command);
  }
}
