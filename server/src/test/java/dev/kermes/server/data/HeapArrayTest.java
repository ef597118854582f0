package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeapArrayTest {

  @ParameterizedTest
  @CsvSource({"0, 16", "1, 24", "8, 24", "9, 32", "100000, 100016", "524272, 524288"})
  void bytes_headerAndContent_inEights(int length, long bytes) {
    assertThat(HeapArray.bytes(length)).isEqualTo(bytes);
  }

  @Test
  void bytes_moreThanHalfARegion_wholeRegions() {
    long region =
        Long.parseLong(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("G1HeapRegionSize")
                .getValue());
    assertThat(region).as("the tests run with the G1 collector").isPositive();
    int half = Math.toIntExact(region / 2);
    assertThat(HeapArray.bytes(half - 16)).isEqualTo(half);
    assertThat(HeapArray.bytes(half)).isEqualTo(region);
    assertThat(HeapArray.bytes(2 * half - 16)).isEqualTo(region);
    assertThat(HeapArray.bytes(2 * half)).isEqualTo(2 * region);
  }
}
