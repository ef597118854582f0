package dev.kermes.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes more data than a server with a small heap can hold. */
class EvictionTest {

  @TempDir private Path folder;

  @Test
  void smallHeap_withMaxmemoryAtItsLimit_evictsAndRefusesNothing() throws Exception {
    Eviction eviction = new Eviction(folder, "64m", 0, 1);
    eviction.run(8);
    assertThat(eviction.faults())
        .filteredOn(fault -> !fault.contains("full collection took")) // depends on the machine
        .as(eviction.report())
        .isEmpty();
  }
}
