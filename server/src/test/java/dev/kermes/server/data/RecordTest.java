package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RecordTest {

  private final Record record = Record.of(bytes("key"), bytes("123"));
  private final Slice value = Slice.of(bytes("abc"));

  @Test
  void overwriteOwn_valueOfTheSameLength_replacesIt() {
    assertThat(record.overwriteOwn(value)).isTrue();
    assertThat(record.value()).isEqualTo(bytes("abc"));
    assertThat(record.key()).isEqualTo(bytes("key"));
  }

  @Test
  void overwriteOwn_otherLengthOrExpiry_refuses() {
    assertThat(record.overwriteOwn(Slice.of(bytes("1234")))).isFalse();
    assertThat(record.overwriteOwn(Slice.of(bytes("12")))).isFalse();
    Record expiring = Record.of(Slice.of(bytes("key")), value, 5);
    assertThat(expiring.overwriteOwn(value)).isFalse();
  }

  @Test
  void overwriteOwn_lentArray_refuses() {
    byte[] lent = record.lend();
    record.access(17);
    assertThat(record.overwriteOwn(value)).isFalse();
    assertThat(text(lent, record.valueOffset(), 3)).isEqualTo("123");
  }

  @Test
  void overwriteOwn_detachedRecord_refuses() {
    assertThat(record.detached().overwriteOwn(value)).isFalse();
  }
}
