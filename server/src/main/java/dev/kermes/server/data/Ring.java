package dev.kermes.server.data;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An array that grows, shrinks and is filled at both ends: the nodes of a list, the blocks of a
 * stream.
 *
 * <pre>
 *   |e|f|    |a|b|c|d|      capacity a power of two, index i is slot (head + i) mod capacity
 *             ^head
 * </pre>
 *
 * O(1) at both ends and by index; in the middle O(distance to the nearer end).
 */
public final class Ring<T> {

  /** The number of elements that are measured to estimate the size of all. */
  private static final int SAMPLES = 8;

  private @Nullable Object[] slots = new Object[1];
  private int head;
  private int size;

  /** Creates an empty ring. */
  public Ring() {}

  /** The approximate size of all elements, from up to eight of them. */
  public long heapBytes(ToLongFunction<T> bytesOf) {
    int samples = Math.min(size, SAMPLES);
    long bytes = 0;
    for (int i = 0; i < samples; i++) {
      bytes += bytesOf.applyAsLong(get((int) ((long) i * (size - 1) / Math.max(1, samples - 1))));
    }
    return 16 + 4L * slots.length + (samples == 0 ? 0 : bytes * size / samples);
  }

  public int size() {
    return size;
  }

  @SuppressWarnings("unchecked")
  public T get(int index) {
    Object there = slots[slot(index)];
    if (index < 0 || index >= size || there == null) {
      throw new IndexOutOfBoundsException("ring: index=" + index + ", size=" + size);
    }
    return (T) there;
  }

  public T first() {
    return get(0);
  }

  public T last() {
    return get(size - 1);
  }

  /** Inserts an element at an index. */
  public void insert(int index, T element) {
    if (size == slots.length) resize(size * 2);
    if (index < size - index) {
      head = slot(-1);
      for (int i = 0; i < index; i++) slots[slot(i)] = slots[slot(i + 1)];
    } else {
      for (int i = size; i > index; i--) slots[slot(i)] = slots[slot(i - 1)];
    }
    slots[slot(index)] = element;
    size++;
  }

  public void add(T element) {
    insert(size, element);
  }

  public void remove(int index) {
    if (index < size - 1 - index) {
      for (int i = index; i > 0; i--) slots[slot(i)] = slots[slot(i - 1)];
      slots[head] = null;
      head = slot(1);
    } else {
      for (int i = index; i < size - 1; i++) slots[slot(i)] = slots[slot(i + 1)];
      slots[slot(size - 1)] = null;
    }
    size--;
    if (size < slots.length / 4) resize(slots.length / 2);
  }

  private int slot(int index) {
    return (head + index) & (slots.length - 1);
  }

  private void resize(int capacity) {
    @Nullable Object[] resized = new Object[capacity];
    for (int i = 0; i < size; i++) resized[i] = slots[slot(i)];
    slots = resized;
    head = 0;
  }
}
