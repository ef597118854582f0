package dev.kermes.server.data;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Members ordered by score, then bytes. Every forward link knows how many members it spans, so that
 * ranks are found as fast as members.
 *
 * <pre>
 *   head ------------3----------> c ------------> end     higher[1], spans[1]
 *   head ------2-----> b ----1--> c ----2-------> end     higher[0], spans[0]
 *   head -> a -------> b -------> c -> d -> e --> end     next (span 1), previous
 * </pre>
 *
 * Three of four nodes are in the lowest level only, which needs no arrays. Ranks count from 0.
 */
public final class SkipList {

  /** Enough for 4^32 members. */
  private static final int LEVELS_MAX = 32;

  /** 8: to walk farther takes longer than to search from the highest level of a large list. */
  static final int NEAR = 8;

  private static final int[] NO_SPANS = {};
  private static final byte[] NO_MEMBER = {};

  /**
   * A boundary in the order of members: it is after the first ones, and not after any later one.
   */
  @FunctionalInterface
  public interface Boundary {

    boolean isAfter(double score, byte[] member, int offset, int length);
  }

  /** A member and its score; the slots of a {@link Dict} of members. */
  public static final class Node extends Keyed {

    private double score;
    private @Nullable Node next;
    private @Nullable Node previous;
    private @Nullable Node @Nullable [] higher;
    private int[] spans = NO_SPANS;

    private Node(byte[] member, double score, int levels) {
      super(member);
      this.score = score;
      if (levels > 1) {
        higher = new Node[levels - 1];
        spans = new int[levels - 1];
      }
    }

    public double score() {
      return score;
    }

    public @Nullable Node next() {
      return next;
    }

    public @Nullable Node previous() {
      return previous;
    }

    private int levels() {
      return spans.length + 1;
    }

    private @Nullable Node forward(int level) {
      return level == 0 || higher == null ? next : higher[level - 1];
    }

    private int span(int level) {
      return level == 0 ? 1 : spans[level - 1];
    }

    private void link(int level, @Nullable Node to, int span) {
      if (level == 0 || higher == null) {
        next = to;
      } else {
        higher[level - 1] = to;
        spans[level - 1] = span;
      }
    }

    private boolean isBefore(double otherScore, byte[] member) {
      if (score != otherScore) return score < otherScore;
      return Arrays.compareUnsigned(key(), member) < 0;
    }

    private boolean isBefore(Boundary boundary) {
      return boundary.isAfter(score, key(), 0, key().length);
    }
  }

  private final Node head = new Node(NO_MEMBER, Double.NEGATIVE_INFINITY, LEVELS_MAX);
  private @Nullable Node tail;
  private int levels = 1;
  private int size;

  /** State of a xorshift generator, for the levels of new nodes. Never 0. */
  private long random;

  // The place found last: on each level the last node before it, and how many nodes are up to that
  // one. It stays one when a node at the place comes or goes; any other change finds its own first.
  private final Node[] path = new Node[LEVELS_MAX];
  private final int[] ranks = new int[LEVELS_MAX];

  public SkipList(long seed) {
    random = seed | 1;
    Arrays.fill(path, head);
  }

  public int size() {
    return size;
  }

  /** The approximate size of the nodes without their members, which a {@link Dict} has counted. */
  public long heapBytes() {
    return 56L * size;
  }

  public @Nullable Node first() {
    return head.next;
  }

  public @Nullable Node last() {
    return tail;
  }

  /** Adds a member that is not in the list yet. O(log n). */
  public Node insert(double score, byte[] member) {
    if (tail != null && tail.isBefore(score, member)) return append(score, member);
    int nodeLevels = randomLevels();
    Node node = new Node(member, score, nodeLevels);
    place(node);
    return node;
  }

  /** Adds a member that belongs after all others. O(1) after another one, otherwise O(log n). */
  Node append(double score, byte[] member) {
    Node node = new Node(member, score, randomLevels());
    int nodeLevels = node.levels();
    raise(nodeLevels);
    if (ranks[0] != size) findEnd();
    link(node);
    Arrays.fill(path, 0, nodeLevels, node);
    Arrays.fill(ranks, 0, nodeLevels, size);
    return node;
  }

  /** Stores in {@link #path} the last node of each level. */
  private void findEnd() {
    Node at = head;
    int rank = 0;
    for (int level = levels - 1; level >= 0; level--) {
      for (Node next = at.forward(level); next != null; next = at.forward(level)) {
        rank += at.span(level);
        at = next;
      }
      path[level] = at;
      ranks[level] = rank;
    }
  }

  private int randomLevels() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    long mixed = random * 0x9E3779B97F4A7C15L;
    return Math.min(LEVELS_MAX, 1 + Long.numberOfLeadingZeros(mixed) / 2);
  }

  private void place(Node node) {
    raise(node.levels());
    findPath(node.score, node.key());
    link(node);
  }

  private void raise(int nodeLevels) {
    for (; levels < nodeLevels; levels++) {
      head.link(levels, null, size);
      path[levels] = head;
      ranks[levels] = 0;
    }
  }

  /** Links a node behind the {@link #path}. */
  private void link(Node node) {
    int nodeLevels = node.levels();
    for (int level = 0; level < nodeLevels; level++) linkAfter(path[level], level, node);
    for (int level = nodeLevels; level < levels; level++) widen(path[level], level, 1);
    node.previous = path[0] == head ? null : path[0];
    if (node.next == null) tail = node;
    else node.next.previous = node;
    size++;
  }

  private void linkAfter(Node before, int level, Node node) {
    int passed = ranks[0] - ranks[level];
    node.link(level, before.forward(level), before.span(level) - passed);
    before.link(level, node, passed + 1);
  }

  private static void widen(Node node, int level, int by) {
    if (level > 0) node.spans[level - 1] += by;
  }

  /** Stores in {@link #path} the last node of each level before that place. */
  private void findPath(double score, byte[] member) {
    Node at = head;
    int rank = 0;
    for (int level = levels - 1; level >= 0; level--) {
      Node next = at.forward(level);
      while (next != null && next.isBefore(score, member)) {
        rank += at.span(level);
        at = next;
        next = at.forward(level);
      }
      path[level] = at;
      ranks[level] = rank;
    }
  }

  /** Removes a node of this list. O(log n), O(1) for the one at the place found last. */
  public void remove(Node node) {
    if (path[0].next != node) findPath(node.score, node.key());
    unlink(node);
  }

  private void unlink(Node node) {
    for (int level = 0; level < levels; level++) {
      Node before = path[level];
      if (before.forward(level) == node) {
        before.link(level, node.forward(level), before.span(level) + node.span(level) - 1);
      } else {
        widen(before, level, -1);
      }
    }
    if (node.next == null) tail = node.previous;
    else node.next.previous = node.previous;
    while (levels > 1 && head.forward(levels - 1) == null) levels--;
    size--;
  }

  /** Gives a node of this list another score. O(log n), O(1) if its place stays the same. */
  public void score(Node node, double score) {
    if (staysInPlace(node, score)) {
      node.score = score;
      return;
    }
    remove(node);
    node.score = score;
    place(node);
  }

  private static boolean staysInPlace(Node node, double score) {
    Node previous = node.previous;
    Node next = node.next;
    return (previous == null || previous.isBefore(score, node.key()))
        && (next == null || !next.isBefore(score, node.key()));
  }

  /** The rank of a node of this list. O(log n). */
  public int rank(Node node) {
    findPath(node.score, node.key());
    return ranks[0];
  }

  /** The node with that rank, or null past the last. O(log n), O(1) at the place found last. */
  public @Nullable Node get(long rank) {
    if (rank < 0 || rank >= size) return null;
    if (rank == ranks[0]) return path[0].next;
    Node at = head;
    long left = rank + 1;
    for (int level = levels - 1; level >= 0; level--) {
      Node next = at.forward(level);
      while (next != null && at.span(level) <= left) {
        left -= at.span(level);
        at = next;
        next = at.forward(level);
      }
    }
    return at;
  }

  /** The first node with at least that score, or null. O(log n). */
  public @Nullable Node firstFrom(double score) {
    Node at = head;
    for (int level = levels - 1; level >= 0; level--) {
      Node next = at.forward(level);
      while (next != null && next.score < score) {
        at = next;
        next = at.forward(level);
      }
    }
    return at.next;
  }

  /**
   * Finds the place at a boundary. Returns how many members are before it: the rank of the first
   * one after it. O(log n).
   */
  public int find(Boundary boundary) {
    Node at = head;
    int rank = 0;
    for (int level = levels - 1; level >= 0; level--) {
      Node next = at.forward(level);
      while (next != null && next.isBefore(boundary)) {
        rank += at.span(level);
        at = next;
        next = at.forward(level);
      }
      path[level] = at;
      ranks[level] = rank;
    }
    return rank;
  }

  /** The number of members from the place found last up to a boundary. O(log n), O(1) if few. */
  public int countUpTo(Boundary boundary) {
    Node node = path[0].next;
    for (int count = 0; count < NEAR; count++) {
      if (node == null || !node.isBefore(boundary)) return count;
      node = node.next;
    }
    return countBefore(boundary) - ranks[0];
  }

  private int countBefore(Boundary boundary) {
    if (tail != null && tail.isBefore(boundary)) return size;
    Node at = head;
    int rank = 0;
    for (int level = levels - 1; level >= 0; level--) {
      Node next = at.forward(level);
      while (next != null && next.isBefore(boundary)) {
        rank += at.span(level);
        at = next;
        next = at.forward(level);
      }
    }
    return rank;
  }
}
