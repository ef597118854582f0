package dev.kermes.server.data;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** What arrays of bytes take of the heap. */
final class HeapArray {

  /** Header, and what rounds up to eight bytes. */
  private static final int HEADER = 16 + 7;

  /** 512 KiB: half of a region of the G1 collector, where regions are smallest. */
  private static final int LARGE = 512 * 1024;

  private HeapArray() {}

  static long bytes(int length) {
    long bytes = HEADER + (long) length & -8;
    return bytes <= LARGE ? bytes : Regions.bytes(bytes);
  }

  /** G1 gives what is larger than half a region whole regions, of which the rest stays empty. */
  private static final class Regions {

    private static final String OPTION = "G1HeapRegionSize";

    /** Bytes; 0 with other collectors, and in a JVM that does not say. */
    private static final long SIZE = size();

    private static long size() {
      HotSpotDiagnosticMXBean vm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      if (vm == null) return 0;
      try {
        return Long.parseLong(vm.getVMOption(OPTION).getValue());
      } catch (IllegalArgumentException e) {
        return 0; // this JVM was built without that collector
      }
    }

    static long bytes(long needed) {
      return needed <= SIZE / 2 || SIZE == 0 ? needed : (needed + SIZE - 1) / SIZE * SIZE;
    }
  }
}
