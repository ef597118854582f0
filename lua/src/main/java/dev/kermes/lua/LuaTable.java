package dev.kermes.lua;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table: an array part for the keys 1 to n, a hash part for all others.
 *
 * <pre>
 *   array         value of key 1 | key 2 | ...        numbers in a parallel array
 *   nodes         key, value | key, value | ...       2^k nodes, numbers of both in parallel arrays
 *   next          node with the next key of the same chain, or -1
 * </pre>
 *
 * The hash part is a chained scatter table with Brent's variation, and the parts are sized by the
 * rules of Lua 5.1. So traversal has the order of the reference implementation, and {@code #} finds
 * the same border. Numbers are not boxed: the object array holds {@link LuaValues#NUMBER}, and the
 * double array the number.
 *
 * <p>Weak references are not implemented: {@code __mode} is accepted and has no effect.
 */
public final class LuaTable {

  private static final @Nullable Object[] NO_OBJECTS = new @Nullable Object[0];
  private static final @Nullable Object[] NO_NODES = new @Nullable Object[2];
  private static final double[] NO_NUMBERS = {};
  private static final int[] NO_CHAINS = {-1};

  private static final int SIZE_BITS_MAX = 26;
  private static final int SLOT_BYTES = 12;
  private static final int NODE_BYTES = 28;
  static final int TABLE_BYTES = 64;

  private final MemoryEstimate memory;
  private @Nullable Object[] array = NO_OBJECTS;
  private double[] arrayNumbers = NO_NUMBERS;
  private @Nullable Object[] nodes = NO_NODES;
  private double[] keyNumbers = NO_NUMBERS;
  private double[] valueNumbers = NO_NUMBERS;
  private int[] next = NO_CHAINS;
  private int lastFree;
  private @Nullable LuaTable metatable;
  private boolean isReadOnly;
  int mark;

  LuaTable(MemoryEstimate memory, int arraySize, int hashSize) {
    this.memory = memory;
    memory.add(TABLE_BYTES);
    if (arraySize > 0) resizeArray(arraySize);
    if (hashSize > 0) allocateNodes(hashSize);
  }

  // For embedders: numbers are Doubles

  /** The value of a key without metatables; null for nil. */
  public @Nullable Object get(Object key) {
    int node = key instanceof Double number ? find(number) : find(key, 0);
    return valueAt(node);
  }

  /** The value of a string key without metatables; null for nil. */
  public @Nullable Object get(String key) {
    return valueAt(findString(LuaString.of(key)));
  }

  /** Returns the value of an integer key. */
  public @Nullable Object get(int key) {
    return valueAt(find(key));
  }

  /** Sets a value without metatables; null removes it. Returns this table. */
  public LuaTable put(Object key, @Nullable Object value) {
    if (key instanceof Double number) putAny(LuaValues.NUMBER, number, value);
    else putAny(key, 0, value);
    return this;
  }

  /** Sets the value of a string key; null removes it. Returns this table. */
  public LuaTable put(String key, @Nullable Object value) {
    return put(LuaString.of(key), value);
  }

  /** Sets the value of an integer key; null removes it. Returns this table. */
  public LuaTable put(int key, @Nullable Object value) {
    putAny(LuaValues.NUMBER, key, value);
    return this;
  }

  private void putAny(Object key, double keyNumber, @Nullable Object value) {
    if (value instanceof Double number) set(key, keyNumber, LuaValues.NUMBER, number);
    else set(key, keyNumber, value, 0);
  }

  /** Its metatable, or null. */
  public @Nullable LuaTable metatable() {
    return metatable;
  }

  /** Sets its metatable; null for none. */
  public void metatable(@Nullable LuaTable table) {
    refuseIfReadOnly();
    metatable = table;
  }

  /**
   * Makes the table read-only, or writable again: a script that changes a read-only table gets an
   * error.
   */
  public LuaTable readOnly(boolean on) {
    isReadOnly = on;
    return this;
  }

  /** Whether scripts may not change it. */
  public boolean isReadOnly() {
    return isReadOnly;
  }

  void refuseIfReadOnly() {
    if (isReadOnly) throw new LuaError(LuaString.of("Attempt to modify a readonly table"));
  }

  /**
   * The length if it ends within the array part, else -1. Without a call, for the interpreter's
   * loop.
   */
  int arrayLength() {
    int size = array.length;
    return size > 0 && array[size - 1] == null ? Border.in(array) : -1;
  }

  /** Returns a {@link Border}, the length of the table if it has no holes. */
  public int length() {
    int size = array.length;
    if (size > 0 && array[size - 1] == null) return Border.in(array);
    return nodes == NO_NODES ? size : Border.beyond(this, size);
  }

  // Slots: 0 to array.length - 1 are the array part, then come the nodes; -1 means no slot

  /** Returns the slot of a key, or -1. Number keys pass {@link LuaValues#NUMBER} and the number. */
  int find(Object key, double number) {
    if (key == LuaValues.NUMBER) return find(number);
    if (key instanceof LuaString string) return findString(string);
    return findNode(key);
  }

  int find(double key) {
    int index = (int) key;
    if (index == key && index > 0 && index <= array.length) return index - 1;
    int node = MainPlace.of(key, next.length);
    do {
      if (nodes[2 * node] == LuaValues.NUMBER && keyNumbers[node] == key) {
        return array.length + node;
      }
      node = next[node];
    } while (node >= 0);
    return -1;
  }

  int findString(LuaString key) {
    @Nullable Object[] n = nodes;
    int node = key.hashCode() & (next.length - 1);
    do {
      Object k = n[2 * node];
      if (k == key || k instanceof LuaString string && string.isSame(key)) {
        return array.length + node;
      }
      node = next[node];
    } while (node >= 0);
    return -1;
  }

  /**
   * The slot of a key that is this very object; -1 if there is none, although an equal one may be
   * there. Without a call, for the interpreter's loop.
   */
  int findSame(LuaString key) {
    @Nullable Object[] n = nodes;
    int node = key.knownHash() & (next.length - 1);
    do {
      if (n[2 * node] == key) return array.length + node;
      node = next[node];
    } while (node >= 0);
    return -1;
  }

  private int findNode(Object key) {
    int node = MainPlace.of(key, 0, next.length);
    do {
      if (nodes[2 * node] == key) return array.length + node;
      node = next[node];
    } while (node >= 0);
    return -1;
  }

  /** Returns the object in a slot: null for nil, {@link LuaValues#NUMBER} for a number. */
  @Nullable Object objectAt(int place) {
    if (place < 0) return null;
    int node = place - array.length;
    return node < 0 ? array[place] : nodes[2 * node + 1];
  }

  double numberAt(int place) {
    int node = place - array.length;
    return node < 0 ? arrayNumbers[place] : valueNumbers[node];
  }

  @Nullable Object valueAt(int place) {
    Object value = objectAt(place);
    return value == LuaValues.NUMBER ? (Object) numberAt(place) : value;
  }

  /** Returns the object of a small integer key; null for nil and for keys of the hash part. */
  @Nullable Object inArray(int index) {
    return index >= 0 && index < array.length ? array[index] : null;
  }

  double numberInArray(int index) {
    return arrayNumbers[index];
  }

  /**
   * Sets a value of the array part; returns false if the key is not there, or if a metamethod may
   * have a say.
   */
  boolean setInArray(int index, @Nullable Object value, double number) {
    if (index < 0 || index >= array.length || isReadOnly) return false;
    Object old = array[index];
    if (metatable != null && old == null) return false;
    if (old != value) array[index] = value; // a store into an old array costs a fence
    arrayNumbers[index] = number;
    return true;
  }

  /** Changes the value of a slot. */
  void setAt(int place, @Nullable Object value, double number) {
    if (isReadOnly) refuseIfReadOnly();
    int node = place - array.length;
    if (node < 0) {
      if (array[place] != value) array[place] = value;
      arrayNumbers[place] = number;
    } else {
      setNode(node, value, number);
    }
  }

  /**
   * Replaces the value of a slot that has one; returns false if more than that is to be done.
   * Without a call, for the interpreter's loop.
   */
  boolean replaceAt(int place, @Nullable Object value, double number) {
    int at = 2 * (place - array.length) + 1;
    if (at < 0 || isReadOnly || nodes[at] == null) return false;
    if (value == LuaValues.NUMBER) {
      if (valueNumbers == NO_NUMBERS) return false;
      valueNumbers[at >> 1] = number;
    }
    if (nodes[at] != value) nodes[at] = value;
    return true;
  }

  private void setNode(int node, @Nullable Object value, double number) {
    if (nodes[2 * node + 1] != value) nodes[2 * node + 1] = value;
    if (value != LuaValues.NUMBER) return;
    if (valueNumbers == NO_NUMBERS) valueNumbers = new double[next.length];
    valueNumbers[node] = number;
  }

  /** Performs a raw assignment. The key must be neither nil nor NaN. */
  void set(Object key, double keyNumber, @Nullable Object value, double number) {
    if (isReadOnly) refuseIfReadOnly();
    int place = find(key, keyNumber);
    if (place >= 0) setAt(place, value, number);
    else insert(key, keyNumber, value, number);
  }

  /** Adds a missing key. */
  void insert(Object key, double keyNumber, @Nullable Object value, double number) {
    if (isReadOnly) refuseIfReadOnly();
    int node = nodes == NO_NODES ? -1 : claim(key, keyNumber);
    if (node < 0) {
      rehash(key, keyNumber);
      set(key, keyNumber, value, number);
      return;
    }
    nodes[2 * node] = key;
    if (key == LuaValues.NUMBER) {
      if (keyNumbers == NO_NUMBERS) keyNumbers = new double[next.length];
      keyNumbers[node] = keyNumber;
    }
    setNode(node, value, number);
  }

  /** Returns a node for a new key, linked into its chain; -1 if all nodes are used. */
  private int claim(Object key, double keyNumber) {
    int main = MainPlace.of(key, keyNumber, next.length);
    if (nodes[2 * main + 1] == null) return main;
    int free = freeNode();
    if (free < 0) return -1;
    Object resident = Objects.requireNonNull(nodes[2 * main]);
    double residentNumber = resident == LuaValues.NUMBER ? keyNumbers[main] : 0;
    int home = MainPlace.of(resident, residentNumber, next.length);
    if (home == main) {
      next[free] = next[main];
      next[main] = free;
      return free;
    }
    while (next[home] != main) home = next[home];
    next[home] = free;
    moveNode(main, free);
    return main;
  }

  private int freeNode() {
    while (lastFree > 0) {
      if (nodes[2 * --lastFree] == null) return lastFree;
    }
    return -1;
  }

  private void moveNode(int from, int to) {
    nodes[2 * to] = nodes[2 * from];
    nodes[2 * to + 1] = nodes[2 * from + 1];
    if (keyNumbers != NO_NUMBERS) keyNumbers[to] = keyNumbers[from];
    if (valueNumbers != NO_NUMBERS) valueNumbers[to] = valueNumbers[from];
    next[to] = next[from];
    next[from] = -1;
    nodes[2 * from + 1] = null;
  }

  // Sizes

  private void rehash(Object key, double keyNumber) {
    IntegerKeys integers = new IntegerKeys();
    integers.addAll(array);
    int used = 1 + integers.total();
    for (int i = 0; i < next.length; i++) {
      if (nodes[2 * i + 1] == null) continue;
      used++;
      if (nodes[2 * i] == LuaValues.NUMBER) integers.add(keyNumbers[i]);
    }
    if (key == LuaValues.NUMBER) integers.add(keyNumber);
    int size = integers.bestArraySize();
    resize(size, used - integers.countUpTo(size));
  }

  private void resize(int arraySize, int hashSize) {
    @Nullable Object[] oldNodes = nodes;
    double[] oldKeyNumbers = keyNumbers;
    double[] oldValueNumbers = valueNumbers;
    @Nullable Object[] oldArray = array;
    double[] oldArrayNumbers = arrayNumbers;
    int oldSize = next.length;
    if (arraySize > oldArray.length) resizeArray(arraySize);
    allocateNodes(hashSize);
    if (arraySize < oldArray.length) {
      resizeArray(arraySize);
      for (int i = arraySize; i < oldArray.length; i++) {
        if (oldArray[i] != null) set(LuaValues.NUMBER, i + 1, oldArray[i], oldArrayNumbers[i]);
      }
    }
    for (int i = oldSize - 1; i >= 0; i--) {
      Object key = oldNodes[2 * i];
      Object value = oldNodes[2 * i + 1];
      if (key == null || value == null) continue;
      double keyNumber = key == LuaValues.NUMBER ? oldKeyNumbers[i] : 0;
      set(key, keyNumber, value, value == LuaValues.NUMBER ? oldValueNumbers[i] : 0);
    }
  }

  /** Makes the array part at least {@code length} long. */
  void growArray(int size) {
    if (size > array.length) resize(size, nodes == NO_NODES ? 0 : next.length);
  }

  private void resizeArray(int size) {
    memory.reserve((long) SLOT_BYTES * (size - array.length));
    array = Arrays.copyOf(array, size);
    arrayNumbers = Arrays.copyOf(arrayNumbers, size);
  }

  private void allocateNodes(int count) {
    keyNumbers = NO_NUMBERS;
    valueNumbers = NO_NUMBERS;
    if (count == 0) {
      nodes = NO_NODES;
      next = NO_CHAINS;
      lastFree = 0;
      return;
    }
    int bits = IntegerKeys.ceilLog2(count);
    if (bits > SIZE_BITS_MAX) throw new LuaError(LuaString.of("table overflow"));
    int size = 1 << bits;
    memory.reserve((long) NODE_BYTES * size);
    nodes = new @Nullable Object[2 * size];
    next = new int[size];
    Arrays.fill(next, -1);
    lastFree = size;
  }

  /** The approximate size in memory. */
  long bytes() {
    return TABLE_BYTES + (long) SLOT_BYTES * array.length + (long) NODE_BYTES * (nodes.length / 2);
  }

  // Traversal

  /** Returns the first slot with a value after that of a key, or -1. */
  int placeAfter(@Nullable Object key, double number) {
    int place = -1;
    if (key != null) {
      place = find(key, number);
      if (place < 0) throw new LuaError(LuaString.of("invalid key to 'next'"));
    }
    int end = places();
    while (++place < end) {
      if (objectAt(place) != null) return place;
    }
    return -1;
  }

  /** The number of slots; those that hold null have no value. */
  int places() {
    return array.length + (nodes.length >> 1);
  }

  /** Returns the key of a slot: {@link LuaValues#NUMBER} for a number. */
  @Nullable Object keyAt(int place) {
    return place < array.length ? LuaValues.NUMBER : nodes[2 * (place - array.length)];
  }

  double keyNumberAt(int place) {
    return place < array.length ? place + 1 : keyNumbers[place - array.length];
  }

  /** Returns the first key of the traversal, or the one after {@code key}; null at the end. */
  public @Nullable Object nextKey(@Nullable Object key) {
    int place =
        key instanceof Double number ? placeAfter(LuaValues.NUMBER, number) : placeAfter(key, 0);
    if (place < 0) return null;
    Object found = keyAt(place);
    return found == LuaValues.NUMBER ? (Object) keyNumberAt(place) : found;
  }
}
