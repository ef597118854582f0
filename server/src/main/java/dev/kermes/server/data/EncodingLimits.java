package dev.kermes.server.data;

/**
 * The sizes up to which values keep their compact encodings; each field has the name of its
 * configuration option. One object per server. The holder of the keyspace lock changes it for
 * CONFIG SET; a value applies the change when it next grows.
 */
public final class EncodingLimits {

  /** Elements per list node, or, from -1 to -5, bytes per node: 4 KB, 8 KB … 64 KB. */
  public int listMaxListpackSize = -2;

  public int hashMaxListpackEntries = 512;
  public int hashMaxListpackValue = 64;

  public int setMaxIntsetEntries = 512;
  public int setMaxListpackEntries = 128;
  public int setMaxListpackValue = 64;

  public int zsetMaxListpackEntries = 128;
  public int zsetMaxListpackValue = 64;

  /** Bytes and entries of one stream block; 0 is unlimited. */
  public int streamNodeMaxBytes = 4096;

  public int streamNodeMaxEntries = 100;

  /** Bytes of a sparse HyperLogLog. */
  public long hllSparseMaxBytes = 3000;

  /** Creates the limits with Redis's defaults. */
  public EncodingLimits() {}

  private static final int[] NODE_BYTES = {4096, 8192, 16384, 32768, 65536};

  /** The most bytes of a list node whose limit is a number of elements. */
  private static final int NODE_BYTES_SAFE = 8192;

  /** Whether a list node with that many bytes and elements exceeds list-max-listpack-size. */
  boolean exceedsListNode(long bytes, long elements) {
    return exceedsListNode(bytes, elements, 1);
  }

  /** Like {@link #exceedsListNode(long, long)}, for the limit divided by {@code divisor}. */
  boolean exceedsListNode(long bytes, long elements, int divisor) {
    if (listMaxListpackSize < 0) return bytes > nodeBytes() / divisor;
    return bytes > NODE_BYTES_SAFE || elements > Math.max(1, listMaxListpackSize) / divisor;
  }

  private int nodeBytes() {
    int level = -Math.max(listMaxListpackSize, -NODE_BYTES.length) - 1;
    return NODE_BYTES[level];
  }
}
