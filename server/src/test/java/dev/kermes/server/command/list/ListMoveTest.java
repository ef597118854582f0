package dev.kermes.server.command.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LMOVEM and BLMOVEM. */
final class ListMoveTest extends CommandTest {

  private RespSocket other;

  @BeforeEach
  void connectOther() throws IOException {
    other = new RespSocket(server.port());
  }

  @AfterEach
  void closeOther() throws IOException {
    other.close();
  }

  private String elements(String key) throws IOException {
    return joined(socket.call("LRANGE", key, "0", "-1"));
  }

  /** Joins the elements, each of which is one letter. */
  private static String joined(RespReply reply) {
    return String.join("", reply.elements().stream().map(e -> e.text().substring(2)).toList());
  }

  @ParameterizedTest(name = "{0} to {1}, {2}: {4} and {5}")
  @CsvSource({
    "LEFT, LEFT, OBO, cba, de, cbax",
    "LEFT, LEFT, BULK, abc, de, abcx",
    "LEFT, RIGHT, OBO, abc, de, xabc",
    "LEFT, RIGHT, BULK, abc, de, xabc",
    "RIGHT, LEFT, OBO, cde, ab, cdex",
    "RIGHT, LEFT, BULK, cde, ab, cdex",
    "RIGHT, RIGHT, OBO, edc, ab, xedc",
    "RIGHT, RIGHT, BULK, cde, ab, xcde"
  })
  @DisplayName("LMOVEM replies the elements in their order in the destination")
  void lmovem_inEveryOrder(
      String from, String to, String order, String moved, String source, String destination)
      throws IOException {
    call("RPUSH s a b c d e");
    call("RPUSH d x");
    RespReply reply = socket.call("LMOVEM", "s", "d", from, to, "COUNT", "3", order);
    assertThat(joined(reply)).isEqualTo(moved);
    assertThat(elements("s")).isEqualTo(source);
    assertThat(elements("d")).isEqualTo(destination);
  }

  @Test
  void lmovem_withinOneList() throws IOException {
    call("RPUSH l a b c");
    assertThat(call("LMOVEM l l LEFT LEFT EXACTLY 2 OBO")).isEqualTo("*2[$1:b, $1:a]");
    assertThat(elements("l")).isEqualTo("bac");
    call("LMOVEM l l RIGHT RIGHT COUNT 9 BULK");
    assertThat(elements("l")).isEqualTo("bac");
    call("LMOVEM l l LEFT RIGHT COUNT 2 OBO");
    assertThat(elements("l")).isEqualTo("cba");
  }

  @Test
  void lmovem_ofTooFew() throws IOException {
    call("RPUSH s a b");
    assertThat(call("LMOVEM s d LEFT RIGHT EXACTLY 3 BULK")).isEqualTo("*-1");
    assertThat(elements("s")).isEqualTo("ab");
    assertThat(call("EXISTS d")).isEqualTo(":0");
    assertThat(call("LMOVEM s d LEFT RIGHT")).isEqualTo("*1[$1:a]");
    assertThat(call("LMOVEM s d LEFT RIGHT COUNT 3 BULK")).isEqualTo("*1[$1:b]");
    assertThat(call("EXISTS s")).isEqualTo(":0");
    assertThat(call("LMOVEM s d LEFT RIGHT COUNT 3 BULK")).isEqualTo("*0");
    assertThat(call("LMOVEM s d LEFT RIGHT")).isEqualTo("*0");
    assertThat(elements("d")).isEqualTo("ab");
    call("HELLO 3");
    assertThat(call("LMOVEM s d LEFT RIGHT EXACTLY 1 OBO")).isEqualTo("_");
  }

  @Test
  void lmovem_mistakes() throws IOException {
    call("RPUSH s a");
    call("SET string v");
    for (String arguments :
        List.of(
            "UP LEFT",
            "LEFT LEFT COUNT",
            "LEFT LEFT COUNT 1",
            "LEFT LEFT COUNT 1 SORTED",
            "LEFT LEFT SOME 1 OBO",
            "LEFT LEFT COUNT 1 OBO BULK")) {
      assertThat(call("LMOVEM s d " + arguments)).isEqualTo("-ERR syntax error");
    }
    assertThat(call("LMOVEM s d LEFT LEFT EXACTLY 0 OBO"))
        .isEqualTo("-ERR count should be greater than 0");
    assertThat(call("LMOVEM s d LEFT LEFT COUNT x OBO"))
        .isEqualTo("-ERR count should be greater than 0");
    assertThat(call("BLMOVEM s d LEFT LEFT x COUNT 1 OBO"))
        .isEqualTo("-ERR timeout is not a float or out of range");
    assertThat(call("LMOVEM s string LEFT LEFT")).startsWith("-WRONGTYPE");
    assertThat(call("LMOVEM string d LEFT LEFT")).startsWith("-WRONGTYPE");
    assertThat(elements("s")).isEqualTo("a");
  }

  @Test
  @DisplayName("BLMOVEM EXACTLY waits for the full count")
  void blmovem_waitsForEnough() throws IOException {
    call("RPUSH s a");
    other.send(List.of("BLMOVEM", "s", "d", "LEFT", "RIGHT", "0", "EXACTLY", "3", "BULK"));
    awaitBlocked();
    assertThat(call("RPUSH s b")).isEqualTo(":2");
    assertThat(call("RPUSH s c d")).isEqualTo(":4");
    assertThat(other.read().toString()).isEqualTo("*3[$1:a, $1:b, $1:c]");
    assertThat(elements("s")).isEqualTo("d");
    assertThat(elements("d")).isEqualTo("abc");
  }

  @Test
  @DisplayName("Every command that makes the list longer wakes BLMOVEM")
  void blmovem_isWokenByEveryKindOfPush() throws IOException {
    call("RPUSH other x y");
    for (String push :
        List.of(
            "LPUSHX s b",
            "LINSERT s AFTER a b",
            "LMOVE other s LEFT RIGHT",
            "LMOVEM other s LEFT RIGHT")) {
      call("RPUSH s a");
      other.send(List.of("BLMOVEM", "s", "d", "LEFT", "RIGHT", "0", "EXACTLY", "2", "BULK"));
      awaitBlocked();
      call(push);
      assertThat(other.read().elements()).as(push).hasSize(2);
    }
  }

  @Test
  void blmovem_withCount_takesWhatComes() throws IOException {
    other.send(List.of("BLMOVEM", "s", "d", "RIGHT", "LEFT", "0", "COUNT", "3", "OBO"));
    awaitBlocked();
    call("RPUSH s a b");
    assertThat(other.read().toString()).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("EXISTS s")).isEqualTo(":0");
  }

  private void awaitBlocked() throws IOException {
    while (!socket.call("INFO", "clients").text().contains("blocked_clients:1")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void blmovem_endsWithItsTimeout() throws IOException {
    other.send(List.of("BLMOVEM", "s", "d", "LEFT", "RIGHT", "2", "COUNT", "3", "BULK"));
    awaitBlocked();
    clock.advance(Duration.ofSeconds(2));
    assertThat(other.read().toString()).isEqualTo("*-1");
    call("MULTI");
    call("BLMOVEM s d LEFT RIGHT 0");
    assertThat(call("EXEC")).isEqualTo("*1[*-1]");
  }
}
