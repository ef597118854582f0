package dev.kermes.server.config;

import dev.kermes.server.data.EncodingLimits;

/**
 * The options for the sizes up to which values keep their compact encodings. The values read the
 * copy in {@link EncodingLimits}.
 */
public final class EncodingOptions extends OptionFamily {

  private static final int MAX = Integer.MAX_VALUE;

  private final EncodingLimits limits = new EncodingLimits();

  private final NumberOption listMaxListpackSize =
      option("list-max-listpack-size")
          .alias("list-max-ziplist-size")
          .means(
              "The elements of a list node, or, from -1 to -5, its bytes: 4 KiB, 8 KiB … 64 KiB.")
          .number(Integer.MIN_VALUE, MAX, limits.listMaxListpackSize());

  private final NumberOption hashMaxListpackEntries =
      option("hash-max-listpack-entries")
          .alias("hash-max-ziplist-entries")
          .means("The most fields of a hash that is a list pack.")
          .number(0, MAX, limits.hashMaxListpackEntries());

  private final NumberOption hashMaxListpackValue =
      option("hash-max-listpack-value")
          .alias("hash-max-ziplist-value")
          .means("The longest field or value of a hash that is a list pack.")
          .memory(0, MAX, limits.hashMaxListpackValue());

  private final NumberOption setMaxIntsetEntries =
      option("set-max-intset-entries")
          .means("The most members of a set that is an array of integers.")
          .number(0, MAX, limits.setMaxIntsetEntries());

  private final NumberOption setMaxListpackEntries =
      option("set-max-listpack-entries")
          .means("The most members of a set that is a list pack.")
          .number(0, MAX, limits.setMaxListpackEntries());

  private final NumberOption setMaxListpackValue =
      option("set-max-listpack-value")
          .means("The longest member of a set that is a list pack.")
          .memory(0, MAX, limits.setMaxListpackValue());

  private final NumberOption zsetMaxListpackEntries =
      option("zset-max-listpack-entries")
          .alias("zset-max-ziplist-entries")
          .means("The most members of a sorted set that is a list pack.")
          .number(0, MAX, limits.zsetMaxListpackEntries());

  private final NumberOption zsetMaxListpackValue =
      option("zset-max-listpack-value")
          .alias("zset-max-ziplist-value")
          .means("The longest member of a sorted set that is a list pack.")
          .memory(0, MAX, limits.zsetMaxListpackValue());

  private final NumberOption streamNodeMaxBytes =
      option("stream-node-max-bytes")
          .means("The size of a block of a stream; 0 for no limit.")
          .memory(0, MAX, limits.streamNodeMaxBytes());

  private final NumberOption streamNodeMaxEntries =
      option("stream-node-max-entries")
          .means("The entries of a block of a stream; 0 for no limit.")
          .number(0, MAX, limits.streamNodeMaxEntries());

  private final NumberOption hllSparseMaxBytes =
      option("hll-sparse-max-bytes")
          .means("The largest size of a HyperLogLog in its sparse form.")
          .memory(0, Long.MAX_VALUE, limits.hllSparseMaxBytes());

  EncodingOptions() {
    super("Encodings");
    for (Option each : options()) each.whenSet(this::apply);
  }

  /** The limits as values read them. */
  public EncodingLimits limits() {
    return limits;
  }

  private void apply() {
    limits.listMaxListpackSize(listMaxListpackSize.intValue());
    limits.hashMaxListpackEntries(hashMaxListpackEntries.intValue());
    limits.hashMaxListpackValue(hashMaxListpackValue.intValue());
    limits.setMaxIntsetEntries(setMaxIntsetEntries.intValue());
    limits.setMaxListpackEntries(setMaxListpackEntries.intValue());
    limits.setMaxListpackValue(setMaxListpackValue.intValue());
    limits.zsetMaxListpackEntries(zsetMaxListpackEntries.intValue());
    limits.zsetMaxListpackValue(zsetMaxListpackValue.intValue());
    limits.streamNodeMaxBytes(streamNodeMaxBytes.intValue());
    limits.streamNodeMaxEntries(streamNodeMaxEntries.intValue());
    limits.hllSparseMaxBytes(hllSparseMaxBytes.value());
  }
}
