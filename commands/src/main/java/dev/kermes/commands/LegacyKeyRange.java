package dev.kermes.commands;

import java.util.List;

/**
 * The key specs of a command reduced to first key, last key and step, for clients that predate key
 * specs; if something does not fit, the keys are "movable".
 *
 * @param firstKey 0 if no key is at a fixed position
 */
record LegacyKeyRange(int firstKey, int lastKey, int step, boolean hasMovableKeys) {
  private static final LegacyKeyRange NONE = new LegacyKeyRange(0, 0, 0, false);

  static LegacyKeyRange of(List<KeySpec> specs) {
    if (specs.isEmpty()) {
      return NONE;
    }
    return specs.size() == 1 && specs.get(0).isPlainRange() ? single(specs.get(0)) : merged(specs);
  }

  private static LegacyKeyRange single(KeySpec spec) {
    boolean movable = spec.flags().contains(KeyFlag.INCOMPLETE);
    return new LegacyKeyRange(first(spec), last(spec), range(spec).step(), movable);
  }

  /** Joins adjacent ranges with step 1. */
  private static LegacyKeyRange merged(List<KeySpec> specs) {
    int firstKey = 0;
    int lastKey = 0;
    boolean movable = false;
    for (KeySpec spec : specs) {
      boolean fits =
          spec.isPlainRange()
              && range(spec).step() == 1
              && (lastKey == 0 || lastKey == first(spec) - 1);
      movable |= !fits || spec.flags().contains(KeyFlag.INCOMPLETE);
      if (fits) {
        firstKey = firstKey == 0 ? first(spec) : Math.min(firstKey, first(spec));
        lastKey = last(spec);
      }
    }
    return firstKey == 0
        ? new LegacyKeyRange(0, 0, 0, true)
        : new LegacyKeyRange(firstKey, lastKey, 1, movable);
  }

  private static KeySpec.Range range(KeySpec spec) {
    return (KeySpec.Range) spec.findKeys();
  }

  private static int first(KeySpec spec) {
    return ((KeySpec.Index) spec.beginSearch()).position();
  }

  private static int last(KeySpec spec) {
    int last = range(spec).lastKey();
    return last < 0 ? last : first(spec) + last;
  }
}
