package dev.kermes.server.command.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists by example. */
final class ListTest extends FamilyTest {

  @Test
  void lpush_andRpush_replyTheLength() throws IOException {
    assertThat(call("RPUSH l b c")).isEqualTo(":2");
    assertThat(call("LPUSH l a z")).isEqualTo(":4");
    assertThat(call("LRANGE l 0 -1")).isEqualTo("*4[$1:z, $1:a, $1:b, $1:c]");
    assertThat(call("LLEN l")).isEqualTo(":4");
  }

  @Test
  void pushx_needsAnExistingList() throws IOException {
    assertThat(call("LPUSHX l a")).isEqualTo(":0");
    assertThat(call("EXISTS l")).isEqualTo(":0");
    call("RPUSH l a");
    assertThat(call("RPUSHX l b c")).isEqualTo(":3");
  }

  @Test
  void pop_takesFromItsEnd_andDeletesTheEmptyList() throws IOException {
    call("RPUSH l a b c d");
    assertThat(call("LPOP l")).isEqualTo("$1:a");
    assertThat(call("RPOP l")).isEqualTo("$1:d");
    assertThat(call("LPOP l 0")).isEqualTo("*0");
    assertThat(call("RPOP l 5")).isEqualTo("*2[$1:c, $1:b]");
    assertThat(call("EXISTS l")).isEqualTo(":0");
    assertThat(call("LPOP l")).isEqualTo("$-1");
    assertThat(call("LPOP l 1")).isEqualTo("*-1");
    assertThat(call("LPOP l -1")).isEqualTo("-ERR value is out of range, must be positive");
  }

  @Test
  void lindex_andLset_countFromBothEnds() throws IOException {
    call("RPUSH l a b c");
    assertThat(call("LINDEX l 0")).isEqualTo("$1:a");
    assertThat(call("LINDEX l -1")).isEqualTo("$1:c");
    assertThat(call("LINDEX l 3")).isEqualTo("$-1");
    assertThat(call("LSET l -3 A")).isEqualTo("+OK");
    assertThat(call("LINDEX l 0")).isEqualTo("$1:A");
    assertThat(call("LSET l 3 x")).isEqualTo("-ERR index out of range");
    assertThat(call("LSET none 0 x")).isEqualTo("-ERR no such key");
  }

  @Test
  void lrange_isCutToTheList() throws IOException {
    call("RPUSH l a b c");
    assertThat(call("LRANGE l -100 100")).isEqualTo("*3[$1:a, $1:b, $1:c]");
    assertThat(call("LRANGE l 1 1")).isEqualTo("*1[$1:b]");
    assertThat(call("LRANGE l 2 1")).isEqualTo("*0");
    assertThat(call("LRANGE none 0 -1")).isEqualTo("*0");
  }

  @Test
  void ltrim_keepsTheRange() throws IOException {
    call("RPUSH l a b c d e");
    assertThat(call("LTRIM l 1 -2")).isEqualTo("+OK");
    assertThat(call("LRANGE l 0 -1")).isEqualTo("*3[$1:b, $1:c, $1:d]");
    call("LTRIM l 5 10");
    assertThat(call("EXISTS l")).isEqualTo(":0");
  }

  @Test
  void lrem_removesFromTheSideOfItsSign() throws IOException {
    call("RPUSH l x a x b x");
    assertThat(call("LREM l -1 x")).isEqualTo(":1");
    assertThat(call("LRANGE l 0 -1")).isEqualTo("*4[$1:x, $1:a, $1:x, $1:b]");
    assertThat(call("LREM l 1 x")).isEqualTo(":1");
    assertThat(call("LRANGE l 0 -1")).isEqualTo("*3[$1:a, $1:x, $1:b]");
    assertThat(call("LREM l 0 x")).isEqualTo(":1");
    assertThat(call("LREM l 0 x")).isEqualTo(":0");
  }

  @Test
  void linsert_needsItsPivot() throws IOException {
    call("RPUSH l a c");
    assertThat(call("LINSERT l BEFORE c b")).isEqualTo(":3");
    assertThat(call("LINSERT l AFTER c d")).isEqualTo(":4");
    assertThat(call("LRANGE l 0 -1")).isEqualTo("*4[$1:a, $1:b, $1:c, $1:d]");
    assertThat(call("LINSERT l BEFORE none x")).isEqualTo(":-1");
    assertThat(call("LINSERT none BEFORE a x")).isEqualTo(":0");
    assertThat(call("LINSERT l BESIDE a x")).isEqualTo("-ERR syntax error");
  }

  @Test
  void lpos_findsTheRankAndCountWanted() throws IOException {
    call("RPUSH l a b a b a");
    assertThat(call("LPOS l a")).isEqualTo(":0");
    assertThat(call("LPOS l a RANK 2")).isEqualTo(":2");
    assertThat(call("LPOS l a RANK -1")).isEqualTo(":4");
    assertThat(call("LPOS l a COUNT 0")).isEqualTo("*3[:0, :2, :4]");
    assertThat(call("LPOS l a COUNT 0 MAXLEN 3")).isEqualTo("*2[:0, :2]");
    assertThat(call("LPOS l none")).isEqualTo("$-1");
    assertThat(call("LPOS l none COUNT 2")).isEqualTo("*0");
  }

  @Test
  void lmove_movesBetweenEnds() throws IOException {
    call("RPUSH from a b c");
    assertThat(call("LMOVE from to LEFT RIGHT")).isEqualTo("$1:a");
    assertThat(call("RPOPLPUSH from to")).isEqualTo("$1:c");
    assertThat(call("LRANGE to 0 -1")).isEqualTo("*2[$1:c, $1:a]");
    assertThat(call("LMOVE to to LEFT RIGHT")).isEqualTo("$1:c");
    assertThat(call("LRANGE to 0 -1")).isEqualTo("*2[$1:a, $1:c]");
    assertThat(call("LMOVE none to LEFT LEFT")).isEqualTo("$-1");
  }

  @Test
  void lmpop_takesFromTheFirstListThatHasElements() throws IOException {
    call("RPUSH second a b c");
    assertThat(call("LMPOP 2 first second RIGHT COUNT 2"))
        .isEqualTo("*2[$6:second, *2[$1:c, $1:b]]");
    assertThat(call("LMPOP 1 first LEFT")).isEqualTo("*-1");
    assertThat(call("LMPOP 0 first LEFT")).isEqualTo("-ERR numkeys should be greater than 0");
    assertThat(call("LMPOP 1 second LEFT COUNT 0"))
        .isEqualTo("-ERR count should be greater than 0");
  }

  @Test
  void blpop_ofAListThatHasElements_doesNotWait() throws IOException {
    call("RPUSH second a");
    assertThat(call("BLPOP first second 0")).isEqualTo("*2[$6:second, $1:a]");
    assertThat(call("BLPOP first second 0.01")).isEqualTo("*-1");
    assertThat(call("BLPOP first -1")).isEqualTo("-ERR timeout is negative");
    assertThat(call("BLPOP first word")).isEqualTo("-ERR timeout is not a float or out of range");
  }

  @Test
  void manyAndLongElements_keepTheirOrder() throws IOException {
    StringBuilder push = new StringBuilder("RPUSH l");
    for (int i = 0; i < 1000; i++) push.append(' ').append("e".repeat(i % 50)).append(i);
    assertThat(call(push.toString())).isEqualTo(":1000");
    assertThat(call("LINDEX l 500")).isEqualTo("$3:500");
    assertThat(call("LINDEX l -1")).isEqualTo("$52:" + "e".repeat(49) + "999");
    call("LTRIM l 1 -1");
    assertThat(call("LPOP l")).isEqualTo("$2:e1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LPUSH k a",
        "RPUSH k a",
        "LPUSHX k a",
        "RPUSHX k a",
        "LPOP k",
        "RPOP k",
        "LLEN k",
        "LINDEX k 0",
        "LSET k 0 a",
        "LRANGE k 0 1",
        "LTRIM k 0 1",
        "LREM k 0 a",
        "LINSERT k BEFORE a b",
        "LPOS k a",
        "LMOVE k to LEFT LEFT",
        "RPOPLPUSH k to",
        "LMPOP 1 k LEFT",
        "BLPOP k 1",
        "BLMOVE k to LEFT LEFT 1"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    assertRefusesOtherTypes(command);
  }
}
