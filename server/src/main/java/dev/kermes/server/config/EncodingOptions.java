package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.memory;
import static dev.kermes.server.config.OptionKinds.number;

import dev.kermes.server.data.EncodingLimits;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** The options for the limits of small values. */
final class EncodingOptions {

  private EncodingOptions() {}

  static void declare(EncodingLimits limits, OptionTable table) {
    table.mutable(
        "list-max-listpack-size",
        number(
            Integer.MIN_VALUE,
            Integer.MAX_VALUE,
            () -> limits.listMaxListpackSize,
            v -> limits.listMaxListpackSize = (int) v));
    table.mutable(
        "hll-sparse-max-bytes",
        memory(
            0, Long.MAX_VALUE, () -> limits.hllSparseMaxBytes, v -> limits.hllSparseMaxBytes = v));
    table.mutable(
        "hash-max-listpack-entries",
        entries(() -> limits.hashMaxListpackEntries, v -> limits.hashMaxListpackEntries = v));
    table.mutable(
        "hash-max-listpack-value",
        bytes(() -> limits.hashMaxListpackValue, v -> limits.hashMaxListpackValue = v));
    table.mutable(
        "set-max-intset-entries",
        entries(() -> limits.setMaxIntsetEntries, v -> limits.setMaxIntsetEntries = v));
    table.mutable(
        "set-max-listpack-entries",
        entries(() -> limits.setMaxListpackEntries, v -> limits.setMaxListpackEntries = v));
    table.mutable(
        "set-max-listpack-value",
        bytes(() -> limits.setMaxListpackValue, v -> limits.setMaxListpackValue = v));
    table.mutable(
        "zset-max-listpack-entries",
        entries(() -> limits.zsetMaxListpackEntries, v -> limits.zsetMaxListpackEntries = v));
    table.mutable(
        "zset-max-listpack-value",
        bytes(() -> limits.zsetMaxListpackValue, v -> limits.zsetMaxListpackValue = v));
    table.mutable(
        "stream-node-max-bytes",
        bytes(() -> limits.streamNodeMaxBytes, v -> limits.streamNodeMaxBytes = v));
    table.mutable(
        "stream-node-max-entries",
        entries(() -> limits.streamNodeMaxEntries, v -> limits.streamNodeMaxEntries = v));
    table.alias("list-max-ziplist-size", "list-max-listpack-size");
    for (String family : List.of("hash", "zset")) {
      table.alias(family + "-max-ziplist-entries", family + "-max-listpack-entries");
      table.alias(family + "-max-ziplist-value", family + "-max-listpack-value");
    }
  }

  private static Option.Kind entries(LongSupplier getter, IntConsumer setter) {
    return number(0, Integer.MAX_VALUE, getter, v -> setter.accept((int) v));
  }

  private static Option.Kind bytes(LongSupplier getter, IntConsumer setter) {
    return memory(0, Integer.MAX_VALUE, getter, v -> setter.accept((int) v));
  }
}
