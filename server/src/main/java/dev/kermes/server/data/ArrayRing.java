package dev.kermes.server.data;

/**
 * The ring that ARRING makes of an array. It uses the indexes from 0 up to its size; the element at
 * the insert position is the oldest. If a change of the size would lose the order, the newest
 * elements are moved to the beginning, the oldest of them first. Moving stops at the first hole.
 *
 * <pre>
 *   size 4   |e|b|c|d|       to 3   |c|d|e|      to 6   |b|c|d|e| | |
 *               ^next                ^next                      ^next
 * </pre>
 */
public final class ArrayRing {

  private final RedisArray array;
  private final long size;

  /** The size before the change. */
  private final long span;

  public ArrayRing(RedisArray array, long size) {
    this.array = array;
    this.size = size;
    span = array.length();
    long kept = elementsToMove();
    if (kept > 0) move(kept);
  }

  /** The greatest number of elements to move; 0 if all may stay where they are. */
  private long elementsToMove() {
    if (Long.compareUnsigned(size, span) < 0) return size;
    boolean hasWrapped =
        !array.isInsertReset() && Long.compareUnsigned(array.nextInsert(), span) < 0;
    return size == span || !hasWrapped ? 0 : span;
  }

  private void move(long most) {
    long newest =
        array.isInsertReset() ? span - 1 : Long.remainderUnsigned(array.nextInsert() - 1, span);
    long count = 0;
    long oldest = newest;
    for (long at = newest; count < most && array.has(at); at = before(at)) {
      oldest = at;
      count++;
    }
    RedisArray moved = new RedisArray();
    long at = oldest;
    for (long target = 0; target < count; target++) {
      copy(at, moved, target);
      at = at + 1 == span ? 0 : at + 1;
    }
    moved.nextInsert(count);
    array.become(moved);
  }

  private long before(long index) {
    return (index == 0 ? span : index) - 1;
  }

  private void copy(long from, RedisArray target, long to) {
    Slice element = new Slice();
    array.forEach(
        from,
        from,
        (index, bytes, offset, length) -> target.set(to, element.wrap(bytes, offset, length)));
  }

  /** Sets the next element; returns its index. */
  public long insert(Slice element) {
    long index = Long.remainderUnsigned(array.nextInsert(), size);
    boolean unused = array.set(index, element);
    array.nextInsert(index + 1);
    return index;
  }
}
