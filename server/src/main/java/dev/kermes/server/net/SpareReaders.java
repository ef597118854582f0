package dev.kermes.server.net;

import dev.kermes.resp.RequestReader;
import dev.kermes.resp.SpareArrays;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Empty readers for connections whose commands arrive in parts. With values of 64 KB each command
 * needs one, and clearing a new array takes an eighth of the time of a SET. For one loop.
 */
final class SpareReaders {

  private static final int CAPACITY = 64 * 1024;

  /** 8: two megabytes at most. */
  private static final int KEPT_MAX = 8;

  /** 8 MiB: the arrays of large values that are under way on as many connections. */
  private static final long ARRAY_BYTES_MAX = 8 << 20;

  private final Deque<RequestReader> readers = new ArrayDeque<>(KEPT_MAX);
  private final SpareArrays arrays =
      new SpareArrays(Math.min(ARRAY_BYTES_MAX, Runtime.getRuntime().maxMemory() / 64));
  private final int capacityMax;

  /**
   * An empty collection.
   *
   * @param capacityMax of the readers that are kept
   */
  SpareReaders(int capacityMax) {
    this.capacityMax = capacityMax;
  }

  /** Takes a reader, or makes one. */
  RequestReader take() {
    RequestReader reader = readers.poll();
    return reader == null ? new RequestReader(CAPACITY, arrays) : reader;
  }

  /** Keeps a drained reader, unless it is small or large or there are enough. */
  void give(RequestReader reader) {
    assert !readers.contains(reader) : "given twice"; // two connections would share it
    boolean isUsual = reader.capacity() >= CAPACITY && reader.capacity() <= capacityMax;
    if (isUsual && readers.size() < KEPT_MAX) readers.push(reader);
    else reader.recycle();
  }

  /** Keeps an array that nothing else uses for the long bulks of readers. */
  void give(byte[] array) {
    arrays.give(array);
  }

  /** Makes a reader of another capacity, whose long bulks arrive in spare arrays as well. */
  RequestReader make(int capacity) {
    return new RequestReader(capacity, arrays);
  }
}
