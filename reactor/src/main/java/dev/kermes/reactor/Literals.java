package dev.kermes.reactor;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map from texts to values that can look up a range of a longer text without creating a
 * substring: an open-addressing hash table, at most half full. Immutable.
 */
final class Literals<V> {

  private static final Literals<Object> NONE = new Literals<>(Map.of());

  private final Map<String, V> all;
  private final String[] texts;
  private final @Nullable Object[] values;
  private final int mask;

  private Literals(Map<String, V> all) {
    this.all = all;
    int capacity = all.isEmpty() ? 0 : Integer.highestOneBit(all.size()) * 4;
    texts = new String[capacity];
    values = new Object[capacity];
    mask = capacity - 1;
    all.forEach(this::put);
  }

  private void put(String text, V value) {
    int slot = hash(text, 0, text.length()) & mask;
    while (values[slot] != null) slot = slot + 1 & mask;
    texts[slot] = text;
    values[slot] = value;
  }

  @SuppressWarnings("unchecked") // the table has no values
  static <V> Literals<V> none() {
    return (Literals<V>) NONE;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  @Nullable V get(String text) {
    return all.get(text);
  }

  /** The value for the range of {@code text} from {@code start} to {@code end}; null if none. */
  @SuppressWarnings("unchecked") // only values of type V are added
  @Nullable V get(String text, int start, int end) {
    if (mask < 0) return null;
    int slot = hash(text, start, end) & mask;
    for (; values[slot] != null; slot = slot + 1 & mask) {
      String found = texts[slot];
      if (found.length() == end - start && text.startsWith(found, start)) return (V) values[slot];
    }
    return null;
  }

  private static int hash(String text, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) hash = 31 * hash + text.charAt(i);
    return hash ^ hash >>> 16;
  }

  Literals<V> with(String text, V value) {
    Map<String, V> more = new HashMap<>(all);
    more.put(text, value);
    return new Literals<>(more);
  }

  Literals<V> without(String text) {
    Map<String, V> fewer = new HashMap<>(all);
    fewer.remove(text);
    return new Literals<>(fewer);
  }
}
