package dev.kermes.bench.alternatives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ByteRequestsTest {

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void add(ByteRequests requests, String text) {
    requests.add(ascii(text), text.length());
  }

  @Test
  void next_byteByByte_comesWithTheLastOne() throws IOException {
    String request = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n" + "x".repeat(20_000) + "\r\n";
    ByteRequests requests = new ByteRequests();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < request.length() - 1; i++) {
        add(requests, request.substring(i, i + 1));
        if (i % 1000 < 50) assertThat(requests.next()).isFalse();
      }
      add(requests, "\n");
      assertThat(requests.next()).isTrue();
      assertThat(requests.commandIs(ascii("SET"))).isTrue();
      assertThat(requests.argument(1)).isEqualTo(ascii("k"));
      assertThat(requests.argument(2)).hasSize(20_000);
      assertThat(requests.next()).isFalse();
    }
  }

  @Test
  void next_manyInOneRead_comeInOrder() throws IOException {
    ByteRequests requests = new ByteRequests();
    add(requests, "*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$0\r\n\r\n*1\r\n$4\r\nPI");
    assertThat(requests.next()).isTrue();
    assertThat(requests.commandIs(ascii("PING"))).isTrue();
    assertThat(requests.next()).isTrue();
    assertThat(requests.count()).isEqualTo(2);
    assertThat(requests.argument(1)).isEmpty();
    assertThat(requests.next()).isFalse();
    add(requests, "NG\r\n");
    assertThat(requests.next()).isTrue();
  }

  @Test
  void next_notAnArray_fails() {
    ByteRequests requests = new ByteRequests();
    add(requests, "PING\r\n");
    assertThatThrownBy(requests::next).isInstanceOf(IOException.class);
  }
}
