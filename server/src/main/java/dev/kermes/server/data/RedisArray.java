package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import java.util.Arrays;

/**
 * An array: elements at unsigned 64-bit indexes up to 2^64-2, with holes that take no memory.
 *
 * <pre>
 *   slices  |0: a b c|7: x|2^50: y z|       sorted; each for 4,096 indexes, see {@link ArraySlice}
 * </pre>
 *
 * An element is found by at most two binary searches; adding a slice moves the slices after it. All
 * indexes and positions are unsigned.
 */
public final class RedisArray extends Value {

  /** Receives elements one after the other; their bytes are valid during the call only. */
  @FunctionalInterface
  public interface ElementVisitor {

    /** Visits an element; returns whether to continue. */
    boolean visit(long index, byte[] array, int offset, int length);
  }

  /** The value of {@link #lastInserted} before the first insert: the index before 0. */
  private static final long NOT_INSERTED = -1;

  private static final int OFFSET_MASK = ArraySlice.SIZE - 1;
  private static final int DIRECTORY_MIN = 4;

  private ArraySlice[] slices = new ArraySlice[DIRECTORY_MIN];
  private int sliceCount;
  private long count;
  private long sliceBytes;
  private long lastInserted = NOT_INSERTED;

  public RedisArray() {}

  @Override
  public String type() {
    return "array";
  }

  @Override
  public String encoding() {
    return "sliced-array";
  }

  /** The number of elements, without holes. */
  @Override
  public long size() {
    return count;
  }

  @Override
  public long contentBytes() {
    return sliceBytes + 4L * slices.length;
  }

  @Override
  public RedisArray copy() {
    RedisArray copy = new RedisArray();
    copy.slices = Arrays.copyOf(slices, slices.length);
    for (int i = 0; i < sliceCount; i++) {
      copy.slices[i] = slices[i].copy();
      copy.sliceBytes += copy.slices[i].heapBytes();
    }
    copy.sliceCount = sliceCount;
    copy.count = count;
    copy.lastInserted = lastInserted;
    return copy;
  }

  /** Takes over the content of another array, which must not be used afterwards. */
  void become(RedisArray other) {
    slices = other.slices;
    sliceCount = other.sliceCount;
    count = other.count;
    sliceBytes = other.sliceBytes;
    lastInserted = other.lastInserted;
  }

  // Reading

  /** The highest index plus one; 0 if there is no element. */
  public long length() {
    if (sliceCount == 0) return 0;
    ArraySlice last = slices[sliceCount - 1];
    return index(last, last.count() - 1) + 1;
  }

  private static long index(ArraySlice slice, int place) {
    return slice.id << ArraySlice.BITS | slice.offset(place);
  }

  public boolean has(long index) {
    int at = find(index >>> ArraySlice.BITS);
    return at >= 0 && slices[at].place((int) index & OFFSET_MASK) >= 0;
  }

  /** Writes the element at an index as a bulk, or nil. */
  public void write(long index, RespWriter out) {
    int at = find(index >>> ArraySlice.BITS);
    int place = at < 0 ? -1 : slices[at].place((int) index & OFFSET_MASK);
    if (place < 0) out.nil();
    else slices[at].write(place, out);
  }

  /**
   * Visits the elements from one index to another, both included; backwards if {@code end} is
   * lower.
   */
  public void forEach(long start, long end, ElementVisitor visitor) {
    if (Long.compareUnsigned(start, end) <= 0) forEachUp(start, end, visitor);
    else forEachDown(end, start, visitor);
  }

  private void forEachUp(long low, long high, ElementVisitor visitor) {
    for (int at = firstFrom(low); at < sliceCount; at++) {
      ArraySlice slice = slices[at];
      int to = placeAfter(slice, high);
      for (int place = placeFrom(slice, low); place < to; place++) {
        if (!show(slice, place, visitor)) return;
      }
      if (to < slice.count()) return;
    }
  }

  private void forEachDown(long low, long high, ElementVisitor visitor) {
    for (int at = Math.min(firstFrom(high), sliceCount - 1); at >= 0; at--) {
      ArraySlice slice = slices[at];
      int from = placeFrom(slice, low);
      for (int place = placeAfter(slice, high) - 1; place >= from; place--) {
        if (!show(slice, place, visitor)) return;
      }
      if (from > 0) return;
    }
  }

  private static boolean show(ArraySlice slice, int place, ElementVisitor visitor) {
    boolean[] goesOn = new boolean[1];
    slice.visit(
        place,
        (array, offset, length) ->
            goesOn[0] = visitor.visit(index(slice, place), array, offset, length));
    return goesOn[0];
  }

  /** The first slice that may have an element at that index or a higher one. */
  private int firstFrom(long index) {
    int at = find(index >>> ArraySlice.BITS);
    return at >= 0 ? at : -1 - at;
  }

  private static int placeFrom(ArraySlice slice, long low) {
    int order = Long.compareUnsigned(slice.id, low >>> ArraySlice.BITS);
    if (order == 0) return slice.placeFrom((int) low & OFFSET_MASK);
    return order > 0 ? 0 : slice.count();
  }

  private static int placeAfter(ArraySlice slice, long high) {
    int order = Long.compareUnsigned(slice.id, high >>> ArraySlice.BITS);
    if (order == 0) return slice.placeFrom(((int) high & OFFSET_MASK) + 1);
    return order < 0 ? slice.count() : 0;
  }

  /** The place of the slice with an id; if there is none, -1 minus the place it would have. */
  private int find(long id) {
    int low = 0;
    int high = sliceCount - 1;
    if (high >= 0 && slices[high].id == id) return high; // arrays mostly grow at their end
    while (low <= high) {
      int middle = low + high >>> 1;
      int order = Long.compareUnsigned(slices[middle].id, id);
      if (order == 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1 - low;
  }

  // Writing

  /** Sets the element at an index; returns whether it was empty. */
  public boolean set(long index, Slice element) {
    long id = index >>> ArraySlice.BITS;
    int at = find(id);
    if (at < 0) {
      at = -1 - at;
      addSlice(at, new ArraySlice(id));
    }
    ArraySlice slice = slices[at];
    sliceBytes -= slice.heapBytes();
    boolean isNew =
        slice.set((int) index & OFFSET_MASK, element.array(), element.offset(), element.length());
    sliceBytes += slice.heapBytes();
    if (isNew) count++;
    return isNew;
  }

  private void addSlice(int at, ArraySlice slice) {
    if (sliceCount == slices.length) slices = Arrays.copyOf(slices, sliceCount + sliceCount / 2);
    System.arraycopy(slices, at, slices, at + 1, sliceCount - at);
    slices[at] = slice;
    sliceCount++;
    sliceBytes += slice.heapBytes();
  }

  /** Removes the elements between two indexes, both included; returns their number. */
  public long removeRange(long low, long high) {
    long before = count;
    int from = firstFrom(low);
    int kept = from;
    int at = from;
    for (; at < sliceCount && isUpTo(slices[at], high); at++) {
      ArraySlice slice = slices[at];
      removeFrom(slice, low, high);
      if (slice.count() > 0) slices[kept++] = slice;
    }
    System.arraycopy(slices, at, slices, kept, sliceCount - at);
    int removed = at - kept;
    Arrays.fill(slices, sliceCount - removed, sliceCount, null);
    sliceCount -= removed;
    return before - count;
  }

  private static boolean isUpTo(ArraySlice slice, long high) {
    return Long.compareUnsigned(slice.id, high >>> ArraySlice.BITS) <= 0;
  }

  private void removeFrom(ArraySlice slice, long low, long high) {
    sliceBytes -= slice.heapBytes();
    int from = placeFrom(slice, low);
    int to = placeAfter(slice, high);
    slice.remove(from, to);
    count -= to - from;
    if (slice.count() > 0) sliceBytes += slice.heapBytes();
  }

  // The insert position

  /** The index of the next insert; if inserts are exhausted, an index that no element can have. */
  public long nextInsert() {
    return lastInserted + 1;
  }

  /** Whether the last insert was at the highest index. */
  public boolean isInsertExhausted() {
    return lastInserted == NOT_INSERTED - 1;
  }

  public void nextInsert(long index) {
    lastInserted = index - 1;
  }

  /** Whether the next insert is the first one, or starts again at the beginning. */
  public boolean isInsertReset() {
    return lastInserted == NOT_INSERTED;
  }

  // Facts

  /** The memory layout, for ARINFO. */
  public record Layout(
      int slices, int runs, long runCapacity, long runCount, long scatteredCapacity) {

    public int scattered() {
      return slices - runs;
    }
  }

  public Layout layout() {
    int runs = 0;
    long runCapacity = 0;
    long runCount = 0;
    long scatteredCapacity = 0;
    for (int i = 0; i < sliceCount; i++) {
      ArraySlice slice = slices[i];
      if (slice.isRun()) {
        runs++;
        runCapacity += slice.capacity();
        runCount += slice.count();
      } else {
        scatteredCapacity += slice.capacity();
      }
    }
    return new Layout(sliceCount, runs, runCapacity, runCount, scatteredCapacity);
  }

  public static int sliceSize() {
    return ArraySlice.SIZE;
  }
}
