package dev.kermes.server.data;

/**
 * Up to which size a value keeps its compact encoding; each field carries the name of its
 * configuration option. One per server, changed by CONFIG SET by the holder of the keyspace lock; a
 * value notices when it grows next.
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

  /** Bytes and entries of one stream block; 0 is without limit. */
  public int streamNodeMaxBytes = 4096;

  public int streamNodeMaxEntries = 100;

  /** Bytes of a sparse HyperLogLog. */
  public long hllSparseMaxBytes = 3000;

  /** Redis's defaults. */
  public EncodingLimits() {}

  private static final int[] NODE_BYTES = {4096, 8192, 16384, 32768, 65536};

  /** However many elements a list node may have, it stays below this many bytes. */
  private static final int NODE_BYTES_SAFE = 8192;

  /** Whether a list node of so many bytes and elements is beyond list-max-listpack-size. */
  boolean exceedsListNode(long bytes, long elements) {
    return exceedsListNode(bytes, elements, 1);
  }

  /** The same against a fraction of the limit: {@code divisor} 2 asks for half of it. */
  boolean exceedsListNode(long bytes, long elements, int divisor) {
    if (listMaxListpackSize < 0) return bytes > nodeBytes() / divisor;
    return bytes > NODE_BYTES_SAFE || elements > Math.max(1, listMaxListpackSize) / divisor;
  }

  private int nodeBytes() {
    int level = -Math.max(listMaxListpackSize, -NODE_BYTES.length) - 1;
    return NODE_BYTES[level];
  }
}
