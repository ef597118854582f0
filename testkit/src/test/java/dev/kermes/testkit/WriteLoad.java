package dev.kermes.testkit;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Threads that write rising numbers to many keys, and remember the last number of each key that was
 * acknowledged. Each key has one writer.
 */
final class WriteLoad implements AutoCloseable {

  private static final int THREADS = 4;
  private static final int KEYS = 1000;
  private static final long POLL_NANOS = 1_000_000;

  private final Store store;

  /** The master of a key. */
  private final Function<String, Object> masterOf;

  private final boolean waits;
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(KEYS);
  private final Deque<Throwable> errors = new ConcurrentLinkedDeque<>();
  private final LongAdder writes = new LongAdder();
  private final AtomicBoolean isEnding = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  private WriteLoad(Store store, Function<String, Object> masterOf, boolean waits) {
    this.store = store;
    this.masterOf = masterOf;
    this.waits = waits;
  }

  /**
   * Starts the threads.
   *
   * @param masterOf the master of a key at present
   * @param waits whether a write counts as acknowledged only when a replica has it
   */
  static WriteLoad start(Store store, Function<String, Object> masterOf, boolean waits) {
    WriteLoad load = new WriteLoad(store, masterOf, waits);
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      load.threads.add(Thread.ofPlatform().name("load-" + i).start(() -> load.run(first)));
    }
    return load;
  }

  private void run(int first) {
    for (int number = 1; !isEnding.get(); number++) {
      for (int key = first; key < KEYS && !isEnding.get(); key += THREADS) write(key, number);
    }
  }

  private void write(int index, int number) {
    try {
      String key = "key" + index;
      String value = Integer.toString(number);
      Object master = masterOf.apply(key);
      if (!waits) store.set(key, value);
      else if (!store.setReplicated(key, value)) return;
      if (waits && masterOf.apply(key) != master) return; // another one may have replied to WAIT
      acknowledged.set(index, number);
      writes.increment();
    } catch (RuntimeException e) {
      errors.add(e);
    }
  }

  /**
   * Waits until this many more writes have been acknowledged.
   *
   * @throws IllegalStateException if the test is interrupted by its time limit
   */
  void awaitWrites(int count) {
    long wanted = writes.sum() + count;
    while (writes.sum() < wanted) {
      if (Thread.interrupted()) {
        throw new IllegalStateException(
            "missing writes: " + (wanted - writes.sum()), errors.peekLast());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  void stop() {
    isEnding.set(true);
    for (Thread each : threads) {
      try {
        each.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  List<Throwable> errors() {
    return List.copyOf(errors);
  }

  /** The keys whose value is older than the last acknowledged one. */
  List<String> lost() {
    List<String> lost = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      int wanted = acknowledged.get(key);
      if (wanted == 0) continue;
      String value = store.get("key" + key);
      if (value == null || Integer.parseInt(value) < wanted) {
        lost.add("key" + key + ": acknowledged=" + wanted + ", found=" + value);
      }
    }
    return lost;
  }

  @Override
  public void close() {
    stop();
  }
}
