package dev.kermes.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RequestBatchTest {

  private static final MemtierRequests SETTINGS = new MemtierRequests(1, 2, 3, 99, 1);

  private static String text(RequestBatch batch) {
    return new String(batch.bytes(), 0, batch.length(), StandardCharsets.US_ASCII);
  }

  @Test
  void setAndGet_areCommandsOnTheWire() {
    RequestBatch batch = new RequestBatch(SETTINGS, 4, 1);
    batch.set(10_000_000);
    batch.get(7);
    assertThat(text(batch))
        .isEqualTo(
            String.join("\r\n", "*3", "$3", "SET", "$16", "memtier-10000000", "$3", "xxx", "")
                + String.join("\r\n", "*2", "$3", "GET", "$9", "memtier-7", ""));
  }

  @Test
  void fill_keepsTheRatioAcrossBatches() {
    RequestBatch batch = new RequestBatch(SETTINGS, 4, 1);
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      batch.fill(2);
      for (String word : text(batch).split("\r\n")) {
        if (word.equals("SET") || word.equals("GET")) names.append(word.charAt(0));
      }
    }
    assertThat(names.toString()).isEqualTo("SGGSGG");
  }

  @Test
  void fill_otherSeed_otherKeys() {
    RequestBatch one = new RequestBatch(SETTINGS, 4, 1);
    RequestBatch other = new RequestBatch(SETTINGS, 4, 2);
    one.fill(4);
    other.fill(4);
    assertThat(text(one)).isNotEqualTo(text(other));
  }
}
