package dev.kermes.bench.load;

/**
 * The requests of memtier_benchmark, with its names.
 *
 * @param sets the SETs in a cycle of {@code sets + gets} requests; they come first
 * @param gets the GETs in a cycle
 * @param dataSize bytes of a value
 * @param keyMaximum keys are {@code memtier-0} up to {@code memtier-keyMaximum}, drawn evenly
 * @param seed of the keys; each connection derives its own seed from it
 */
public record MemtierRequests(int sets, int gets, int dataSize, long keyMaximum, long seed)
    implements Requests.Source {

  @Override
  public RequestBatch forConnection(int connection, int requestsMax) {
    return new RequestBatch(this, requestsMax, seed + connection);
  }
}
