package dev.kermes.server.keyspace;

import dev.kermes.server.config.MemoryOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The account of memory: the bytes of keys, values and clients by the sizes of their arrays and
 * objects, kept up to date as they change. maxmemory is compared with this account.
 *
 * <p>The JVM's heap holds more: objects that await collection, the program itself, and the buffers
 * of the event loops. INFO shows both. The account may use only a share of the heap: when the heap
 * is full, the collector takes all the processors, and threads end. Guarded by the keyspace lock.
 */
public final class MemoryAccount {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryAccount.class);

  /** 24 MB: a server without data uses 6; the rest is for the input that clients are sending. */
  private static final long PROGRAM_BYTES = 24 << 20;

  /** 75 percent: below it, the collector keeps up with every size and type of value, decision 9. */
  private static final int HEAP_PERCENT_MAX = 75;

  /** 2 MiB and an eighth of the limit: new records use it before the heap grows. */
  private static final long BETWEEN_USUAL = 2 << 20;

  private static final int BETWEEN_SHARE = 8;

  /** 1 MiB of input between two checks, so that usage can exceed the limit by that much. */
  private static final long LOOK_EACH = 1 << 20;

  /** One warning a minute at most: at the limit, usage crosses it many times a second. */
  private static final long WARN_EACH_MILLIS = 60_000;

  /**
   * 80% of the heap's limit: with more data that are evicted all the time, G1 cannot evacuate what
   * survives in a heap of 256 MB, and collects all of it every ten seconds.
   */
  private static final int EVICTING_PERCENT_MAX = 80;

  private final Keyspace keyspace;

  /** Data that are being loaded to replace the served ones; null most of the time. */
  private @Nullable Dataset beside;

  private long clientBytes;
  private long peakBytes;
  private volatile long heapLimit =
      Math.max(0, Runtime.getRuntime().maxMemory() - PROGRAM_BYTES) / 100 * HEAP_PERCENT_MAX;
  private long inputSinceLook;
  private boolean isNearLimit;
  private long nextWarningMillis;

  MemoryAccount(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  /** Bytes of keys, values, clients and scripts. */
  public long usedBytes() {
    return dataBytes() + clientBytes + keyspace.scripting().bytes();
  }

  /** Bytes of keys and values, including data that are being loaded to replace the served ones. */
  public long dataBytes() {
    long bytes = beside == null ? 0 : beside.bytes();
    for (Database database : keyspace.databases()) bytes += database.dataBytes();
    return bytes;
  }

  /** Sets the data that are being loaded to replace the served ones; null for none. */
  void beside(@Nullable Dataset fresh) {
    beside = fresh;
  }

  /** Bytes of clients when last measured. */
  public long clientBytes() {
    return clientBytes;
  }

  /** The highest measured use so far. */
  public long peakBytes() {
    return Math.max(peakBytes, usedBytes());
  }

  // The heap

  /** The upper limit of the account, whatever maxmemory says. Any thread. */
  public long heapLimit() {
    return heapLimit;
  }

  /** The highest {@code maxmemory} with which the collector keeps up with constant eviction. */
  public long recommendedMax() {
    return heapLimit / 100 * EVICTING_PERCENT_MAX;
  }

  /** The heap's limit, less the memory between records if there is more than usual of it. */
  long dataLimit() {
    long between = 0;
    for (Database database : keyspace.databases()) {
      if (database.size() > 0) between += database.keys().unusedBytes(); // most are empty
    }
    return heapLimit - Math.max(0, between - BETWEEN_USUAL - heapLimit / BETWEEN_SHARE);
  }

  /**
   * The limit for all clients together: half of the heap that the data leave free, since a value
   * exists twice while it is stored, and at least a quarter of the heap's limit.
   */
  public long clientLimit() {
    return Math.max(clientLimitLeast(), (heapLimit - dataBytes()) / 2);
  }

  private long clientLimitLeast() {
    return Math.max(heapLimit / 4, MemoryOptions.CLIENTS_MAX_LEAST);
  }

  /** Whether all clients together hold more than their limit; seldom adds up the data. */
  public boolean clientsExceedLimit() {
    return clientBytes > clientLimitLeast() && clientBytes > clientLimit();
  }

  /** The growth of clients' memory after which all clients are measured again. Any thread. */
  public long clientStep() {
    return heapLimit / 64;
  }

  /** Replaces the heap's limit, for tests. */
  public void heapLimit(long bytes) {
    heapLimit = bytes;
    look();
  }

  /** Whether the heap has no room for more data. */
  public boolean isHeapFull() {
    return usedBytes() > dataLimit();
  }

  /** Counts the bytes of commands that have been executed. */
  public void came(long bytes) {
    inputSinceLook += bytes;
    if (inputSinceLook >= LOOK_EACH) look();
  }

  /** Whether commands must be checked one by one to protect the heap. */
  public boolean isNearLimit() {
    return isNearLimit;
  }

  private void look() {
    inputSinceLook = 0;
    boolean was = isNearLimit;
    isNearLimit = isHeapFull();
    if (isNearLimit == was) return;
    keyspace.restrictions().set(Restriction.HEAP_FULL, isNearLimit);
  }

  /** Logs that commands are refused for the heap's limit, at most once a minute. */
  void warnOfRefusals() {
    long now = keyspace.clock().millis();
    if (now < nextWarningMillis) return;
    nextWarningMillis = now + WARN_EACH_MILLIS;
    LOG.warn(
        "heap full: commands that need memory are refused: used_memory={}, limit={}, -Xmx={}",
        usedBytes(),
        heapLimit,
        Runtime.getRuntime().maxMemory());
  }

  // Measuring

  /** Adds a change of the memory that clients hold. */
  public void addClientBytes(long change) {
    clientBytes += change;
  }

  /** Notes that all clients have just been measured. */
  public void clientsMeasured() {
    peakBytes = peakBytes();
    look();
  }
}
