package dev.kermes.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ReplyScannerTest {

  private static final byte[] REPLIES =
      "+OK\r\n$-1\r\n$5\r\nhe\r\no\r\n$0\r\n\r\n:12\r\n-ERR no\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  @Test
  void scan_everySplit_countsEachReplyOnce() {
    for (int step = 1; step <= REPLIES.length; step++) {
      ReplyScanner scanner = new ReplyScanner();
      ByteBuffer buffer = ByteBuffer.allocate(64);
      int count = 0;
      for (int i = 0; i < REPLIES.length; i += step) {
        buffer.put(REPLIES, i, Math.min(step, REPLIES.length - i));
        count += scanner.scan(buffer);
      }
      assertThat(count).as("step=%d", step).isEqualTo(6);
      assertThat(scanner.hits()).isEqualTo(2);
      assertThat(scanner.misses()).isEqualTo(1);
      assertThat(scanner.errors()).isEqualTo(1);
      assertThat(buffer.position()).isZero();
    }
  }

  @Test
  void scan_nestedArraysAtEverySplit_areOneReplyEach() {
    byte[] replies =
        "*0\r\n*-1\r\n*2\r\n:1\r\n*2\r\n$1\r\na\r\n*0\r\n*1\r\n-ERR in\r\n+OK\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    for (int step = 1; step <= replies.length; step++) {
      ReplyScanner scanner = new ReplyScanner();
      ByteBuffer buffer = ByteBuffer.allocate(64);
      int count = 0;
      for (int i = 0; i < replies.length; i += step) {
        buffer.put(replies, i, Math.min(step, replies.length - i));
        count += scanner.scan(buffer);
      }
      assertThat(count).as("step=%d", step).isEqualTo(5);
      assertThat(scanner.firstError()).isEqualTo("-ERR in");
    }
  }

  @Test
  void scan_unfinishedReply_isNotCounted() {
    ReplyScanner scanner = new ReplyScanner();
    ByteBuffer buffer = ByteBuffer.allocate(64);
    buffer.put("$3\r\nabc\r".getBytes(StandardCharsets.US_ASCII));
    assertThat(scanner.scan(buffer)).isZero();
    buffer.put((byte) '\n');
    assertThat(scanner.scan(buffer)).isEqualTo(1);
  }
}
