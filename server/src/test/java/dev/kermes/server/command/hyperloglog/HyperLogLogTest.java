package dev.kermes.server.command.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** HyperLogLogs by example. */
final class HyperLogLogTest extends FamilyTest {

  @Test
  void pfadd_saysWhetherTheEstimateMayHaveChanged() throws IOException {
    assertThat(call("PFADD h a b c")).isEqualTo(":1");
    assertThat(call("PFADD h a")).isEqualTo(":0");
    assertThat(call("PFCOUNT h")).isEqualTo(":3");
    assertThat(call("PFADD empty")).isEqualTo(":1");
    assertThat(call("PFCOUNT empty none")).isEqualTo(":0");
  }

  @Test
  void pfcount_ofManyElements_isCloseAndTheSameAsRedis() throws IOException {
    for (int i = 0; i < 20; i++) {
      StringBuilder add = new StringBuilder("PFADD h");
      for (int j = 0; j < 500; j++) add.append(" element").append(i * 500 + j);
      call(add.toString());
    }
    assertThat(call("PFCOUNT h")).isEqualTo(":9923");
  }

  /** While it is sparse, when it becomes dense, and afterwards; also with elements twice. */
  @Test
  void pfadd_ofManyElements_leavesWhatOneByOneLeaves() throws IOException {
    for (int round = 0; round < 30; round++) {
      StringBuilder many = new StringBuilder("PFADD many");
      boolean isChanged = false;
      for (int i = 0; i < 100; i++) {
        String element = "e" + (round * 90 + i % 95);
        many.append(' ').append(element);
        isChanged |= call("PFADD single " + element).equals(":1");
      }
      assertThat(call(many.toString())).isEqualTo(isChanged ? ":1" : ":0");
      assertThat(call(many.toString())).isEqualTo(":0");
      assertThat(call("GET many")).isEqualTo(call("GET single"));
    }
    assertThat(call("PFDEBUG ENCODING many")).isEqualTo("+dense");
  }

  @Test
  void pfmerge_isTheUnion() throws IOException {
    call("PFADD a 1 2 3");
    call("PFADD b 3 4");
    assertThat(call("PFCOUNT a b")).isEqualTo(":4");
    assertThat(call("PFMERGE to a b none")).isEqualTo("+OK");
    assertThat(call("PFCOUNT to")).isEqualTo(":4");
    assertThat(call("PFMERGE a b")).isEqualTo("+OK");
    assertThat(call("PFCOUNT a")).isEqualTo(":4");
  }

  /** The target and its sources absent, sparse, or dense. */
  @Test
  void pfmerge_ofAnyEncodings_isTheUnion() throws IOException {
    String[] kinds = {"none", "sparse", "dense"};
    for (String target : kinds) {
      for (String one : kinds) {
        for (String other : kinds) {
          call("FLUSHALL");
          call("PFADD all");
          add("to", target, 0);
          add("a", one, 300);
          add("b", other, 600);
          assertThat(call("PFMERGE to a b")).isEqualTo("+OK");
          String kindsOfAll = target + one + other;
          String encoding = kindsOfAll.contains("dense") ? "+dense" : "+sparse";
          assertThat(call("PFDEBUG ENCODING to")).as(kindsOfAll).isEqualTo(encoding);
          assertThat(call("PFDEBUG GETREG to"))
              .as(kindsOfAll)
              .isEqualTo(call("PFDEBUG GETREG all"));
        }
      }
    }
  }

  /** Adds 200 elements to a key and to the key "all". */
  private void add(String key, String kind, int from) throws IOException {
    if (kind.equals("none")) return;
    StringBuilder elements = new StringBuilder();
    for (int i = from; i < from + 200; i++) elements.append(" e").append(i);
    call("PFADD all" + elements);
    call("PFADD " + key + elements);
    if (kind.equals("dense")) call("PFDEBUG TODENSE " + key);
  }

  @Test
  void otherValues_areRefused() throws IOException {
    String notOne = "-WRONGTYPE Key is not a valid HyperLogLog string value.";
    call("SET text x");
    call("RPUSH list x");
    assertThat(call("PFADD text a")).isEqualTo(notOne);
    assertThat(call("PFCOUNT text")).isEqualTo(notOne);
    assertThat(call("PFMERGE to text")).isEqualTo(notOne);
    assertThat(call("PFADD list a"))
        .isEqualTo("-WRONGTYPE Operation against a key holding the wrong kind of value");
    assertThat(call("GET text")).isEqualTo("$1:x");
  }
}
