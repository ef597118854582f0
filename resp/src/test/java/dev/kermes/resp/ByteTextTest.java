package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteTextTest {

  @Test
  void of_utf8_isSameText() {
    String text = "plain, café, \ud83d\ude00";
    byte[] bytes = text.getBytes(UTF_8);
    assertThat(ByteText.of(bytes, 0, bytes.length)).isEqualTo(text);
    assertThat(ByteText.bytes(text)).isEqualTo(bytes);
  }

  @Test
  void of_partialUtf8NextToText_keepsBoth() {
    byte[] bytes = "\u00e9 caf\u00c3\u00a9 \u00e2\u0082".getBytes(ISO_8859_1);
    String text = ByteText.of(bytes, 0, bytes.length);
    assertThat(text).isEqualTo("\udce9 café \udce2\udc82");
    assertThat(ByteText.bytes(text)).isEqualTo(bytes);
  }

  @Test
  void bytes_ofAnyBytesText_areThoseBytes() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      String text = ByteText.of(bytes, 0, bytes.length);
      assertThat(ByteText.bytes(text)).as(text).isEqualTo(bytes);
    }
  }
}
