package dev.kermes.resp;

/**
 * Limits of what a peer can make us allocate. Immutable.
 *
 * @param bulkLengthMax the longest bulk string accepted, in bytes
 * @param elementsMax the most elements of one aggregate, or arguments of one command; storage grows
 *     only as they arrive
 * @param depthMax the deepest nesting of aggregates in a reply
 */
public record RespLimits(long bulkLengthMax, int elementsMax, int depthMax) {

  /** Redis's own limits: 512 MB bulks, 2,147,483,647 arguments. */
  public static final RespLimits DEFAULT = new RespLimits(512L << 20, Integer.MAX_VALUE, 128);

  /** The limits of a client for a server's replies. */
  public static final RespLimits REPLIES = DEFAULT;

  /** Redis's limits for a client that has yet to authenticate: 10 arguments of 16,384 bytes. */
  public static final RespLimits UNAUTHENTICATED = new RespLimits(16_384, 10, 1);

  /** Rejects limits that could not be enforced. */
  public RespLimits {
    if (bulkLengthMax < 0 || elementsMax < 0) {
      throw new IllegalArgumentException(
          "negative limit: bulkLengthMax=" + bulkLengthMax + ", elementsMax=" + elementsMax);
    }
    if (depthMax < 1 || depthMax > 1024) {
      throw new IllegalArgumentException("depthMax must be 1 to 1024: depthMax=" + depthMax);
    }
  }

  /** Returns the same limits with a different bulk length (Redis: proto-max-bulk-len). */
  public RespLimits withBulkLengthMax(long bytes) {
    return new RespLimits(bytes, elementsMax, depthMax);
  }
}
