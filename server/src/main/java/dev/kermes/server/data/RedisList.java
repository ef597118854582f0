package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list. A small one is one {@link ListPack}. Beyond list-max-listpack-size it is a quicklist, a
 * {@link Ring} of packs, each within that limit:
 *
 * <pre>
 *   listpack    |a b c|
 *   quicklist   |a b c d| |e f g h| |i j|      an element larger than the limit has its own node
 * </pre>
 *
 * Access at both ends is O(1). An index is found in O(nodes + elements of one node), from the
 * nearer end. No node is empty, except that an empty list has one.
 */
public final class RedisList extends Value {

  /** Redis's estimate of the bytes that one more entry takes besides its text. */
  private static final int ENTRY_OVERHEAD = 8;

  /**
   * 2: a pack that is added as it is may be that many times as long as the limit. One that was the
   * whole list can exceed it by what is around its texts, as {@link #growing} counts only those.
   */
  private static final int EXCESS_MAX = 2;

  private final Ring<ListPack> nodes = new Ring<>();
  private long size;
  private boolean quicklist;

  public RedisList() {
    nodes.add(new ListPack());
  }

  private RedisList(RedisList other) {
    for (int i = 0; i < other.nodes.size(); i++) nodes.add(other.nodes.get(i).share());
    size = other.size;
    quicklist = other.quicklist;
  }

  @Override
  public String type() {
    return "list";
  }

  @Override
  public String encoding() {
    return quicklist ? "quicklist" : "listpack";
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long contentBytes() {
    return nodes.heapBytes(ListPack::heapBytes);
  }

  @Override
  public RedisList copy() {
    return new RedisList(this);
  }

  // Encoding

  /**
   * Must be called before elements are pushed or inserted: makes the list a quicklist if necessary.
   */
  public void growing(int elements, long bytes, EncodingLimits limits) {
    if (quicklist) return;
    ListPack pack = nodes.first();
    quicklist = limits.exceedsListNode(pack.redisLength() + bytes, pack.size() + (long) elements);
  }

  /**
   * Must be called after a removal: makes a single node of at most half the limit a listpack again.
   * Half, so that a list at the limit does not change back and forth.
   */
  public void shrunk(EncodingLimits limits) {
    if (!quicklist || nodes.size() != 1) return;
    ListPack only = nodes.first();
    quicklist = limits.exceedsListNode(only.redisLength(), only.size(), 2);
  }

  private boolean fits(ListPack node, int length, EncodingLimits limits) {
    if (!quicklist || node.size() == 0) return true;
    return !limits.exceedsListNode(
        node.redisLength() + (long) length + ENTRY_OVERHEAD, node.size() + 1L);
  }

  // Ends

  public void pushHead(Slice element, EncodingLimits limits) {
    ListPack node = nodes.first();
    if (!fits(node, element.length(), limits)) {
      node.trim();
      node = newNode(0);
    }
    node.prepend(element.array(), element.offset(), element.length());
    size++;
  }

  public void pushTail(Slice element, EncodingLimits limits) {
    tailFor(element.length(), limits).append(element.array(), element.offset(), element.length());
    size++;
  }

  /** Like {@link #pushTail(Slice, EncodingLimits)} with the text of an integer. */
  public void pushTail(long element, EncodingLimits limits) {
    tailFor(Decimals.length(element), limits).append(element);
    size++;
  }

  /** The node at whose end an element of that length belongs. */
  private ListPack tailFor(int length, EncodingLimits limits) {
    ListPack node = nodes.last();
    if (fits(node, length, limits)) return node;
    node.trim();
    return newNode(nodes.size());
  }

  /** Adds the elements of a pack, which must not be used afterwards. */
  public void pushTail(ListPack pack, EncodingLimits limits) {
    ListPack last = nodes.last();
    boolean joins =
        size > 0
            && !limits.exceedsListNode(
                last.redisLength() + (long) pack.length(), last.size() + (long) pack.size());
    if (joins || limits.exceedsListNode(pack.redisLength() / EXCESS_MAX, pack.size())) {
      Slice element = new Slice();
      pack.visitAll((array, offset, length) -> {
        growing(1, length, limits);
        pushTail(element.wrap(array, offset, length), limits);
      });
      return;
    }
    if (size == 0) nodes.remove(0);
    nodes.add(pack);
    size += pack.size();
    quicklist |= nodes.size() > 1 || limits.exceedsListNode(pack.redisLength(), pack.size());
  }

  /** Whether an element of this length has a node for itself. */
  public boolean isOwnNode(int length, EncodingLimits limits) {
    return quicklist && limits.exceedsListNode((long) length + ENTRY_OVERHEAD, 1);
  }

  /** Adds a pack of an element that {@link #isOwnNode}; it must not be used afterwards. */
  public void push(ListPack pack, boolean head) {
    if (size == 0) nodes.remove(0);
    else (head ? nodes.first() : nodes.last()).trim();
    nodes.insert(head ? 0 : nodes.size(), pack);
    size++;
  }

  private ListPack newNode(int index) {
    ListPack node = new ListPack();
    nodes.insert(index, node);
    return node;
  }

  /** Removes the first element and writes it; the list must not be empty. */
  public void popHead(RespWriter out) {
    ListPack node = nodes.first();
    node.writeLast(node.first(), out);
    removeAt(0, node.first());
  }

  /** Removes the last element and writes it; the list must not be empty. */
  public void popTail(RespWriter out) {
    ListPack node = nodes.last();
    node.writeLast(node.last(), out);
    removeAt(nodes.size() - 1, node.last());
  }

  /** Removes the first or last element; the list must not be empty. */
  public byte[] pop(boolean head) {
    ListPack node = head ? nodes.first() : nodes.last();
    int at = head ? node.first() : node.last();
    byte[] element = node.get(at);
    removeAt(head ? 0 : nodes.size() - 1, at);
    return element;
  }

  private int removeAt(int nodeIndex, int at) {
    ListPack node = nodes.get(nodeIndex);
    int next = node.delete(at);
    size--;
    dropIfEmpty(nodeIndex);
    return next;
  }

  private void dropIfEmpty(int nodeIndex) {
    if (nodes.get(nodeIndex).size() == 0 && nodes.size() > 1) nodes.remove(nodeIndex);
  }

  // By index

  /**
   * A cursor on the element with that index, counted from the end if negative; may be off the list.
   */
  public Cursor seek(long index) {
    if (index < 0) index += size;
    if (index < 0 || index >= size) return new Cursor(0, ListPack.NONE);
    return index <= size / 2 ? seekForward(index) : seekBackward(size - 1 - index);
  }

  private Cursor seekForward(long index) {
    int node = 0;
    while (index >= nodes.get(node).size()) index -= nodes.get(node++).size();
    return new Cursor(node, nodes.get(node).seek(index));
  }

  private Cursor seekBackward(long indexFromEnd) {
    int node = nodes.size() - 1;
    while (indexFromEnd >= nodes.get(node).size()) indexFromEnd -= nodes.get(node--).size();
    return new Cursor(node, nodes.get(node).seek(-1 - indexFromEnd));
  }

  /** Visits up to {@code count} elements from that index on. */
  public void forEach(long index, long count, BytesVisitor visitor) {
    Cursor cursor = seek(index);
    for (long i = 0; i < count && cursor.isOn(); i++) {
      cursor.visit(visitor);
      cursor.next();
    }
  }

  /** The elements if all are integers; otherwise null. */
  public long @Nullable [] integers() {
    if (size > 0 && !nodes.first().isInteger(nodes.first().first())) return null;
    long[] integers = new long[(int) size];
    int index = 0;
    for (int i = 0; i < nodes.size(); i++) {
      if (!nodes.get(i).copyIntegers(integers, index)) return null;
      index += nodes.get(i).size();
    }
    return integers;
  }

  /** The number of packs in the list; none of them is empty unless the list is. */
  public int packCount() {
    return nodes.size();
  }

  /** One of the packs in the list, which must not be changed. */
  public ListPack pack(int index) {
    return nodes.get(index);
  }

  /** Writes {@code count} elements from that index on; they must exist. */
  public void write(long index, long count, RespWriter out) {
    Cursor cursor = seek(index);
    for (long i = 0; i < count; i++) {
      cursor.write(out);
      cursor.next();
    }
  }

  /** Like {@link #write(long, long, RespWriter)}, but piece by piece, even if the list changes. */
  public FrozenList freeze(long index, long count) {
    Cursor first = seek(index);
    List<ListPack> packs = new ArrayList<>();
    long missing = first.pack().size() + count; // at most one pack too many
    for (int i = first.node; i < nodes.size() && missing > 0; i++) {
      packs.add(nodes.get(i).freeze());
      missing -= nodes.get(i).size();
    }
    return new FrozenList(packs, first.at, count);
  }

  /** Writes {@code count} elements backwards from that index on; they must exist. */
  public void writeBackwards(long index, long count, RespWriter out) {
    Cursor cursor = seek(index);
    for (long i = 0; i < count; i++) {
      cursor.write(out);
      cursor.previous();
    }
  }

  /** Removes up to {@code count} elements from the head; whole nodes at once. */
  public void dropHead(long count) {
    while (count > 0 && size > 0) {
      ListPack node = nodes.first();
      int part = (int) Math.min(count, node.size());
      size -= part;
      count -= part;
      dropFrom(0, node.first(), part);
    }
  }

  /** Removes up to {@code count} elements from the tail; whole nodes at once. */
  public void dropTail(long count) {
    while (count > 0 && size > 0) {
      ListPack node = nodes.last();
      int part = (int) Math.min(count, node.size());
      size -= part;
      count -= part;
      dropFrom(nodes.size() - 1, part == node.size() ? node.first() : node.seek(-part), part);
    }
  }

  /** Removes {@code count} elements of a node; a whole node without visiting its elements. */
  private void dropFrom(int index, int at, int count) {
    ListPack node = nodes.get(index);
    if (count == node.size() && nodes.size() > 1) {
      nodes.remove(index);
      return;
    }
    int unused = node.delete(at, count);
    dropIfEmpty(index);
  }

  /**
   * A place in the list: on an element, or off either end. Any change of the list other than
   * through this cursor makes it invalid.
   */
  public final class Cursor {

    private int node;
    private int at;

    private Cursor(int node, int at) {
      this.node = node;
      this.at = at;
    }

    public boolean isOn() {
      return at != ListPack.NONE;
    }

    public void next() {
      at = pack().next(at);
      if (at == ListPack.NONE && node + 1 < nodes.size()) at = nodes.get(++node).first();
    }

    public void previous() {
      at = pack().previous(at);
      if (at == ListPack.NONE && node > 0) at = nodes.get(--node).last();
    }

    private ListPack pack() {
      return nodes.get(node);
    }

    /** Moves to the next element that is sought, from this one on; off the list if none is. */
    public void find(ListPack.Search search) {
      while (isOn()) {
        at = search.find(pack(), at);
        if (isOn() || search.isOver() || node + 1 == nodes.size()) return;
        at = nodes.get(++node).first();
      }
    }

    /** Like {@link #find}, towards the head. */
    public void findBackwards(ListPack.Search search) {
      while (isOn()) {
        if (search.isOver()) at = ListPack.NONE;
        else if (search.matches(pack(), at)) return;
        else previous();
      }
    }

    public void write(RespWriter out) {
      pack().lend(at, out);
    }

    public void visit(BytesVisitor visitor) {
      pack().visit(at, visitor);
    }

    /** Removes the element; afterwards the cursor is on the following one. */
    public void removeThenNext() {
      boolean dropsNode = pack().size() == 1 && nodes.size() > 1;
      at = removeAt(node, at);
      if (at != ListPack.NONE) return;
      int following = dropsNode ? node : node + 1;
      if (following < nodes.size()) {
        node = following;
        at = pack().first();
      } else {
        node = nodes.size() - 1;
      }
    }

    /** Removes the element; afterwards the cursor is on the preceding one. */
    public void removeThenPrevious() {
      removeThenNext();
      if (isOn()) {
        previous();
      } else {
        node = nodes.size() - 1;
        at = pack().last();
      }
    }

    /** Replaces the element at the cursor. */
    public void replace(Slice element, EncodingLimits limits) {
      ListPack pack = pack();
      if (!quicklist || pack.size() == 1 || fits(pack, element.length(), limits)) {
        at = pack.replace(at, element.array(), element.offset(), element.length());
        return;
      }
      insertBefore(element, limits);
      removeThenNext();
    }

    /** Inserts before the element at the cursor, which stays on it. */
    public void insertBefore(Slice element, EncodingLimits limits) {
      ListPack pack = pack();
      if (fits(pack, element.length(), limits)) {
        at = pack.next(pack.insert(at, element.array(), element.offset(), element.length()));
      } else {
        splitHere();
        insertNodeBefore(element, limits);
      }
      size++;
    }

    /** Inserts after the element at the cursor, which moves to the new one. */
    public void insertAfter(Slice element, EncodingLimits limits) {
      ListPack pack = pack();
      if (fits(pack, element.length(), limits)) {
        at = pack.insertAfter(at, element.array(), element.offset(), element.length());
        size++;
        return;
      }
      next();
      if (isOn()) {
        insertBefore(element, limits);
        previous();
      } else {
        pushTail(element, limits);
        node = nodes.size() - 1;
        at = pack().last();
      }
    }

    /** Makes the element at the cursor the first of its node. */
    private void splitHere() {
      if (at == pack().first()) return;
      ListPack tail = pack().split(at);
      nodes.insert(++node, tail);
      at = tail.first();
    }

    /**
     * Inserts before the first element of a node: at the end of the node before it, or in a new
     * one.
     */
    private void insertNodeBefore(Slice element, EncodingLimits limits) {
      if (node == 0 || !fits(nodes.get(node - 1), element.length(), limits)) {
        nodes.insert(node, new ListPack());
        node++;
      }
      nodes.get(node - 1).append(element.array(), element.offset(), element.length());
    }
  }
}
