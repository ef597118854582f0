package dev.kermes.server.engine;

import static dev.kermes.server.engine.OptionKinds.memory;
import static dev.kermes.server.engine.OptionKinds.number;

import dev.kermes.server.data.EncodingLimits;
import java.util.List;

/** The options for the limits of small values. */
final class EncodingOptions {

  private EncodingOptions() {}

  static void declare(EncodingLimits limits, OptionTable table) {
    int max = Integer.MAX_VALUE;
    table.mutable(
        "list-max-listpack-size",
        number(
            Integer.MIN_VALUE,
            max,
            () -> limits.listMaxListpackSize,
            v -> limits.listMaxListpackSize = (int) v));
    table.mutable(
        "hll-sparse-max-bytes",
        memory(
            0, Long.MAX_VALUE, () -> limits.hllSparseMaxBytes, v -> limits.hllSparseMaxBytes = v));
    table.mutable(
        "hash-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.hashMaxListpackEntries,
            v -> limits.hashMaxListpackEntries = (int) v));
    table.mutable(
        "hash-max-listpack-value",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.hashMaxListpackValue,
            v -> limits.hashMaxListpackValue = (int) v));
    table.mutable(
        "set-max-intset-entries",
        number(
            0, max, () -> limits.setMaxIntsetEntries, v -> limits.setMaxIntsetEntries = (int) v));
    table.mutable(
        "set-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.setMaxListpackEntries,
            v -> limits.setMaxListpackEntries = (int) v));
    table.mutable(
        "set-max-listpack-value",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.setMaxListpackValue,
            v -> limits.setMaxListpackValue = (int) v));
    table.mutable(
        "zset-max-listpack-entries",
        number(
            0,
            max,
            () -> limits.zsetMaxListpackEntries,
            v -> limits.zsetMaxListpackEntries = (int) v));
    table.mutable(
        "zset-max-listpack-value",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.zsetMaxListpackValue,
            v -> limits.zsetMaxListpackValue = (int) v));
    table.mutable(
        "stream-node-max-bytes",
        memory(
            0,
            Integer.MAX_VALUE,
            () -> limits.streamNodeMaxBytes,
            v -> limits.streamNodeMaxBytes = (int) v));
    table.mutable(
        "stream-node-max-entries",
        number(
            0, max, () -> limits.streamNodeMaxEntries, v -> limits.streamNodeMaxEntries = (int) v));
    table.alias("list-max-ziplist-size", "list-max-listpack-size");
    for (String family : List.of("hash", "zset")) {
      table.alias(family + "-max-ziplist-entries", family + "-max-listpack-entries");
      table.alias(family + "-max-ziplist-value", family + "-max-listpack-value");
    }
  }
}
