package dev.kermes.bench.tails;

import dev.kermes.bench.load.MemtierRequests;
import java.util.List;

/**
 * A load on the large data set, and what happens in the middle of it.
 *
 * @param clients connections for each of the two threads
 * @param dataSize bytes of a value
 * @param keys keys that the load draws from; 0 for all
 * @param seconds counted load
 */
record TailCase(
    String name,
    int clients,
    int pipeline,
    int dataSize,
    int keys,
    double seconds,
    Disturbance disturbance) {

  private static final int SIZE = 256;
  private static final int LARGE = 64 * 1024;

  /** All cases; FLUSHALL comes last because it removes the data of the others. */
  static List<TailCase> all() {
    return List.of(
        new TailCase("steady writes", 32, 16, SIZE, 0, 7, Disturbance.NONE),
        new TailCase("values of 64 KB", 8, 1, LARGE, 1000, 5, Disturbance.NONE),
        disturbed("a million keys expire at once", 6, new ExpiryStorm()),
        disturbed("DEL of a set of 5 million", 4, new LargeSet("DEL", LargeSet.KEY)),
        disturbed("UNLINK of a set of 5 million", 4, new LargeSet("UNLINK", LargeSet.KEY)),
        disturbed("BGSAVE", 10, Disturbance.BGSAVE),
        disturbed("BGREWRITEAOF", 10, new AppendOnlyRewrite()),
        disturbed("full sync", 15, new FullSync()),
        new TailCase("10,000 connections", 5000, 1, SIZE, 0, 5, Disturbance.NONE),
        disturbed("FLUSHALL with a set of 5 million", 4, new LargeSet("FLUSHALL")));
  }

  /** 32 connections that wait for each reply: the server has some time for the disturbance. */
  private static TailCase disturbed(String name, double seconds, Disturbance disturbance) {
    return new TailCase(name, 16, 1, SIZE, 0, seconds, disturbance);
  }

  MemtierRequests requests(int allKeys, long seed) {
    int drawn = keys == 0 ? allKeys : Math.min(keys, allKeys);
    return new MemtierRequests(1, 1, dataSize, drawn - 1, seed);
  }
}
