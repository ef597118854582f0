package dev.kermes.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** maxmemory-policy: the keys that are evicted when memory is full. */
public enum EvictionPolicy {
  VOLATILE_LRU,
  VOLATILE_LFU,
  VOLATILE_RANDOM,
  VOLATILE_TTL,
  ALLKEYS_LRU,
  ALLKEYS_LFU,
  ALLKEYS_RANDOM,
  /** Least recently modified: reading a key does not keep it. */
  VOLATILE_LRM,
  ALLKEYS_LRM,
  NO_EVICTION;

  static final List<String> NAMES = Arrays.stream(values()).map(EvictionPolicy::text).toList();

  static EvictionPolicy named(String name) {
    return values()[NAMES.indexOf(name)];
  }

  /** The policy's name in redis.conf. */
  public String text() {
    return this == NO_EVICTION ? "noeviction" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether keys without an expiry may be evicted. */
  public boolean isForAllKeys() {
    return this == ALLKEYS_LRU
        || this == ALLKEYS_LFU
        || this == ALLKEYS_RANDOM
        || this == ALLKEYS_LRM;
  }

  /** Whether the access bits of keys count uses instead of keeping a time. */
  public boolean isLfu() {
    return this == VOLATILE_LFU || this == ALLKEYS_LFU;
  }

  /** Whether only changes count as uses. */
  public boolean isLrm() {
    return this == VOLATILE_LRM || this == ALLKEYS_LRM;
  }

  /** Whether the policy depends on when, or how often, a key was used. */
  public boolean isByUse() {
    return this != NO_EVICTION && this != VOLATILE_TTL && !isRandom();
  }

  public boolean isRandom() {
    return this == VOLATILE_RANDOM || this == ALLKEYS_RANDOM;
  }
}
