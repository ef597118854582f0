package dev.kermes.resp;

/**
 * What a peer may make us hold or count. Crossing a limit is a {@link ProtocolException}.
 *
 * @param bulkLengthMax longest bulk, simple string, error or number, in bytes
 * @param elementsMax most elements of one aggregate; a map counts its keys and its values
 * @param depthMax deepest nesting of aggregates, 1 to 1024
 */
public record RespLimits(long bulkLengthMax, int elementsMax, int depthMax) {
  /** For replies: bulks of 512 MB, any number of elements, nesting of 128. */
  public static final RespLimits REPLIES =
      new RespLimits(512L * 1024 * 1024, Integer.MAX_VALUE, 128);

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
}
