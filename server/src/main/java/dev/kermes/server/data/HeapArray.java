package dev.kermes.server.data;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The size of byte arrays on the heap. */
final class HeapArray {

  /** The size of a {@link Keyed} object's fields. */
  private static final int KEYED = 40;

  /** The header, plus 7 to round up to a multiple of eight bytes. */
  private static final int HEADER = 16 + 7;

  /** 512 KiB: half of a region of the G1 collector at the smallest region size. */
  private static final int LARGE = 512 * 1024;

  private HeapArray() {}

  static long bytes(int length) {
    long bytes = HEADER + (long) length & -8;
    return bytes <= LARGE ? bytes : Regions.bytes(bytes);
  }

  /** The size of a table's object on the heap, with its key. */
  static long keyedBytes(Object object) {
    return KEYED
        + (object instanceof Record large ? large.bytes() : bytes(((Keyed) object).key().length));
  }

  /**
   * G1 gives whole regions to objects larger than half a region; the rest of the last one stays
   * empty.
   */
  private static final class Regions {

    private static final String OPTION = "G1HeapRegionSize";

    /** The size in bytes; 0 with other collectors, and in a JVM that does not report it. */
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
