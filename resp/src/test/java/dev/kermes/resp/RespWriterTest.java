package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RespWriterTest {

  private static String written(int protocol, Consumer<RespWriter> content) {
    RespWriter out = new RespWriter(1);
    out.protocol(protocol);
    content.accept(out);
    return new String(out.toByteArray(), ISO_8859_1);
  }

  private static void check(String resp2, String resp3, Consumer<RespWriter> content) {
    assertThat(written(2, content)).isEqualTo(resp2);
    assertThat(written(3, content)).isEqualTo(resp3);
  }

  @Test
  void scalars_inBothProtocols() {
    check("+OK\r\n", "+OK\r\n", RespWriter::ok);
    check("+a b\r\n", "+a b\r\n", out -> out.simple("a b"));
    check("-ERR x\r\n", "-ERR x\r\n", out -> out.error("ERR x"));
    check(":-12\r\n", ":-12\r\n", out -> out.integer(-12));
    check(
        ":-9223372036854775808\r\n",
        ":-9223372036854775808\r\n",
        out -> out.integer(Long.MIN_VALUE));
    check("$-1\r\n", "_\r\n", RespWriter::nil);
    check("*-1\r\n", "_\r\n", RespWriter::nilArray);
    check(":1\r\n", "#t\r\n", out -> out.bool(true));
    check(":0\r\n", "#f\r\n", out -> out.bool(false));
    check("$3\r\n1.5\r\n", ",1.5\r\n", out -> out.decimal(1.5));
    check("$3\r\ninf\r\n", ",inf\r\n", out -> out.decimal(Double.POSITIVE_INFINITY));
    check("$2\r\n99\r\n", "(99\r\n", out -> out.bigNumber("99"));
    check("$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n", out -> out.verbatim("txt", "hi"));
    check("$0\r\n\r\n", "$0\r\n\r\n", out -> out.bulk(""));
    check("$3\r\n-10\r\n", "$3\r\n-10\r\n", out -> out.bulk(-10));
    check("$2\r\n\u00c3\u00a9\r\n", "$2\r\n\u00c3\u00a9\r\n", out -> out.bulk("\u00e9"));
  }

  @Test
  void aggregates_inBothProtocols() {
    check("*3\r\n", "*3\r\n", out -> out.array(3));
    check("*6\r\n", "%3\r\n", out -> out.map(3));
    check("*4294967294\r\n", "%2147483647\r\n", out -> out.map(Integer.MAX_VALUE));
    check("*3\r\n", "~3\r\n", out -> out.set(3));
    check("*3\r\n", ">3\r\n", out -> out.push(3));
    check("+x\r\n", "+x\r\n", out -> out.raw("+x\r\n".getBytes(UTF_8)));
  }

  @Test
  void lines_holdNoLineEnds() {
    check("-ERR a  b\r\n", "-ERR a  b\r\n", out -> out.error("ERR a\r\nb"));
    check("+a b\r\n", "+a b\r\n", out -> out.simple("a\nb"));
  }

  @Test
  void bulkShared_large_isKeptByReference() {
    byte[] value = new byte[RespWriter.SHARED_LENGTH_MIN];
    Arrays.fill(value, (byte) 'v');
    RespWriter out = new RespWriter(64);
    out.bulkShared(value, 0, value.length - 1);
    assertThat(out.sharedCount()).isZero();
    int before = out.size();
    out.bulkShared(value, 0, value.length);
    out.integer(1);
    assertThat(out.sharedCount()).isEqualTo(1);
    assertThat(out.shared(0).array()).isSameAs(value);
    assertThat(out.size() - before).isEqualTo("$16384\r\n\r\n:1\r\n".length());
    String all = new String(out.toByteArray(), ISO_8859_1);
    assertThat(all).hasSize((int) out.length()).endsWith("v\r\n:1\r\n");
    out.truncate(before);
    assertThat(out.sharedCount()).isZero();
    assertThat(out.length()).isEqualTo(before);
  }

  @Test
  void bulkOwned_large_isTheLastUseOfItsArrayUnlessItIsAppended() {
    byte[] value = new byte[RespWriter.SHARED_LENGTH_MIN];
    RespWriter out = new RespWriter(64);
    out.bulkOwned(value, 0, value.length - 1);
    assertThat(out.sharedCount()).isZero();
    out.bulkOwned(value, 0, value.length);
    assertThat(out.shared(0).array()).isSameAs(value);
    assertThat(out.shared(0).isLastUse()).isTrue();
    out.bulkShared(value, 0, value.length);
    assertThat(out.shared(1).isLastUse()).isFalse();
    RespWriter other = new RespWriter(64);
    other.append(out);
    assertThat(other.toByteArray()).isEqualTo(out.toByteArray());
    assertThat(other.shared(0).isLastUse()).isFalse();
    out.retain(new byte[1]);
    assertThat(out.shared(0).isLastUse()).isTrue();
    out.retain(value);
    assertThat(out.shared(0).isLastUse()).isFalse();
    assertThat(out.toByteArray()).isEqualTo(other.toByteArray());
  }

  @Test
  void truncate_keepsSharedPiecesBefore() {
    byte[] value = new byte[20_000];
    RespWriter out = new RespWriter(64);
    out.bulkShared(value, 0, value.length);
    int mark = out.size();
    out.bulkShared(value, 0, value.length);
    out.truncate(mark);
    assertThat(out.sharedCount()).isEqualTo(1);
    assertThat(out.length()).isEqualTo("$20000\r\n\r\n".length() + 20_000);
  }

  @Test
  void append_keepsTheOthersValuesByReference() {
    byte[] value = new byte[20_000];
    Arrays.fill(value, (byte) 'v');
    RespWriter elements = new RespWriter(64);
    elements.bulkShared(value, 0, value.length);
    elements.integer(7);
    elements.bulkShared(value, 0, value.length - 1);
    RespWriter out = new RespWriter(64);
    out.bulkShared(value, 0, value.length);
    out.array(3);
    int before = out.size();
    out.append(elements);
    out.integer(8);
    assertThat(out.sharedCount()).isEqualTo(3);
    assertThat(out.shared(1).array()).isSameAs(value);
    String vs = "v".repeat(20_000);
    String all =
        "$20000\r\n%s\r\n*3\r\n$20000\r\n%s\r\n:7\r\n$19999\r\n%s\r\n:8\r\n"
            .formatted(vs, vs, vs.substring(1));
    assertThat(new String(out.toByteArray(), ISO_8859_1)).isEqualTo(all);
    assertThat(out.length()).isEqualTo(all.length());
    out.truncate(before);
    assertThat(out.sharedCount()).isEqualTo(1);
    assertThat(out.length()).isEqualTo(before + 20_000);
  }

  @Test
  void anyMixture_isWhatPlainConcatenationGives() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      RespWriter out = new RespWriter(64);
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      for (int i = 0; i < 30; i++) {
        byte[] value = new byte[random.nextInt(random.nextInt(3) == 0 ? 40_000 : 50) + 2];
        random.nextBytes(value);
        int offset = random.nextInt(2);
        int length = value.length - offset - random.nextInt(2);
        if (random.nextBoolean()) out.bulk(value, offset, length);
        else out.bulkShared(value, offset, length);
        expected.writeBytes(("$" + length + "\r\n").getBytes(UTF_8));
        expected.write(value, offset, length);
        expected.writeBytes("\r\n".getBytes(UTF_8));
      }
      assertThat(out.toByteArray()).as("seed=%d", seed).isEqualTo(expected.toByteArray());
      assertThat(out.length()).isEqualTo(expected.size());
    }
  }

  @Test
  void clear_keepsNoMoreThanAsked() {
    RespWriter out = new RespWriter(64);
    out.bulk(new byte[10_000]);
    byte[] grown = out.bytes();
    out.clear(100_000);
    assertThat(out.size()).isZero();
    assertThat(out.bytes()).isSameAs(grown);
    out.clear(1000);
    assertThat(out.bytes()).hasSize(1000);
  }
}
