package dev.kermes.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.kermes.server.data.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class RdbInputTest {

  /** 64 MB, four times as much as a reader may assume before the bytes arrive. */
  private static final long ALLOCATED_MAX = 1 << 26;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * A key of one byte if {@code hasKey}, and a string that claims to be 2 GB, compressed to 500 MB;
   * the input ends there.
   */
  private static RdbInput input(boolean hasKey) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    if (hasKey) bytes.put((byte) 1).put((byte) 'k');
    bytes.put((byte) 0xc3);
    bytes.put((byte) 0x80).putInt(500_000_000);
    bytes.put((byte) 0x80).putInt(2_000_000_000);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes.array(), 0, bytes.position());
    return RdbInput.arriving(in, Long.MAX_VALUE);
  }

  private static void assertEndsEarly(ThrowingCallable read) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(read)
        .isInstanceOf(RdbException.class)
        .hasMessageContaining("ends too early");
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(ALLOCATED_MAX);
  }

  @Test
  void compressed_longerThanWhatComes_takesNoMoreMemoryThanThat() throws IOException {
    RdbInput record = input(true);
    assertEndsEarly(() -> record.getRecord(Value.NEVER));
    RdbInput string = input(false);
    assertEndsEarly(string::getString);
    RdbInput pack = input(false);
    assertEndsEarly(pack::getPack);
  }
}
