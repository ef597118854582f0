package dev.kermes.server.data;

/**
 * The sizes up to which values keep their compact encodings; each has the name of its configuration
 * option. One object per server. The holder of the keyspace lock changes it for CONFIG SET; a value
 * applies the change when it next grows.
 */
public final class EncodingLimits {

  /** Elements per list node, or, from -1 to -5, bytes per node: 4 KB, 8 KB … 64 KB. */
  private int listMaxListpackSize = -2;

  private int hashMaxListpackEntries = 512;
  private int hashMaxListpackValue = 64;

  private int setMaxIntsetEntries = 512;
  private int setMaxListpackEntries = 128;
  private int setMaxListpackValue = 64;

  private int zsetMaxListpackEntries = 128;
  private int zsetMaxListpackValue = 64;

  /** Bytes and entries of one stream block; 0 is unlimited. */
  private int streamNodeMaxBytes = 4096;

  private int streamNodeMaxEntries = 100;

  /** Bytes of a sparse HyperLogLog. */
  private long hllSparseMaxBytes = 3000;

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

  public int listMaxListpackSize() {
    return listMaxListpackSize;
  }

  public void listMaxListpackSize(int limit) {
    listMaxListpackSize = limit;
  }

  public int hashMaxListpackEntries() {
    return hashMaxListpackEntries;
  }

  public void hashMaxListpackEntries(int limit) {
    hashMaxListpackEntries = limit;
  }

  public int hashMaxListpackValue() {
    return hashMaxListpackValue;
  }

  public void hashMaxListpackValue(int limit) {
    hashMaxListpackValue = limit;
  }

  public int setMaxIntsetEntries() {
    return setMaxIntsetEntries;
  }

  public void setMaxIntsetEntries(int limit) {
    setMaxIntsetEntries = limit;
  }

  public int setMaxListpackEntries() {
    return setMaxListpackEntries;
  }

  public void setMaxListpackEntries(int limit) {
    setMaxListpackEntries = limit;
  }

  public int setMaxListpackValue() {
    return setMaxListpackValue;
  }

  public void setMaxListpackValue(int limit) {
    setMaxListpackValue = limit;
  }

  public int zsetMaxListpackEntries() {
    return zsetMaxListpackEntries;
  }

  public void zsetMaxListpackEntries(int limit) {
    zsetMaxListpackEntries = limit;
  }

  public int zsetMaxListpackValue() {
    return zsetMaxListpackValue;
  }

  public void zsetMaxListpackValue(int limit) {
    zsetMaxListpackValue = limit;
  }

  public int streamNodeMaxBytes() {
    return streamNodeMaxBytes;
  }

  public void streamNodeMaxBytes(int limit) {
    streamNodeMaxBytes = limit;
  }

  public int streamNodeMaxEntries() {
    return streamNodeMaxEntries;
  }

  public void streamNodeMaxEntries(int limit) {
    streamNodeMaxEntries = limit;
  }

  public long hllSparseMaxBytes() {
    return hllSparseMaxBytes;
  }

  public void hllSparseMaxBytes(long limit) {
    hllSparseMaxBytes = limit;
  }
}
