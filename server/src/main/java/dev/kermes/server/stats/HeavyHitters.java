package dev.kermes.server.stats;

import dev.kermes.server.data.ByteKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the keys with the largest shares of a total in one pass and bounded memory, by the
 * algorithm of Misra and Gries: when there are too many keys, the median of their sums is
 * subtracted from each, and keys with nothing left are dropped. A sum is therefore never too large,
 * and too small by at most {@code 2 / keys} of the total. Guarded by the keyspace lock.
 */
final class HeavyHitters {

  private final int keysMax;
  private final Map<ByteKey, Long> sums = new HashMap<>();
  private long total;

  /** Creates an instance that keeps at most {@code keysMax} keys at once. */
  HeavyHitters(int keysMax) {
    this.keysMax = keysMax;
  }

  /** Adds to the sum of a key; O(1) over many calls. */
  void add(ByteKey key, long amount) {
    total += amount;
    sums.merge(key, amount, Long::sum);
    if (sums.size() > keysMax) shrink();
  }

  private void shrink() {
    long[] ascending = sums.values().stream().mapToLong(Long::longValue).sorted().toArray();
    long median = ascending[ascending.length / 2];
    sums.values().removeIf(sum -> sum <= median);
    sums.replaceAll((key, sum) -> sum - median);
  }

  /** The total of all added amounts. */
  long total() {
    return total;
  }

  /** The keys with the largest sums, the largest first. */
  List<Map.Entry<ByteKey, Long>> largest(int countMax) {
    return sums.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(countMax)
        .map(Map.Entry::copyOf)
        .toList();
  }
}
