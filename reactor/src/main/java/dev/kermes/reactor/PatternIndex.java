package dev.kermes.reactor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An index from patterns to values that finds, for a key, the values of all matching patterns: a
 * tree with one level per segment. Nothing is cached per key.
 *
 * <pre>
 *   orders --literal--> 42 --> [values]
 *          --one------> *  --> [values]
 *          --rest-----> [values]
 * </pre>
 *
 * <p>A look-up visits at most two nodes per segment and level, never more nodes than there are
 * patterns, and allocates nothing. Any thread; look-ups never wait.
 */
public final class PatternIndex<T> {

  /** A tree node. Its lists are replaced, never modified, so readers need no lock. */
  private static final class Node<T> {
    volatile Literals<Node<T>> literals = Literals.none();
    volatile @Nullable Node<T> one;
    volatile List<T> values = List.of();
    volatile List<T> rest = List.of();

    boolean isEmpty() {
      return literals.isEmpty() && one == null && values.isEmpty() && rest.isEmpty();
    }
  }

  private final Node<T> root = new Node<>();

  /** Creates an empty index. */
  public PatternIndex() {}

  /** Adds a value; equal values may be added several times. */
  public synchronized void add(RoutePattern pattern, T value) {
    Node<T> node = root;
    for (RoutePattern.Segment segment : pattern.segments()) {
      if (segment.kind() == RoutePattern.Kind.REST) {
        node.rest = with(node.rest, value);
        return;
      }
      node = childOrNew(node, segment);
    }
    node.values = with(node.values, value);
  }

  private static <T> Node<T> childOrNew(Node<T> node, RoutePattern.Segment segment) {
    if (segment.kind() == RoutePattern.Kind.LITERAL) {
      Node<T> known = node.literals.get(segment.text());
      if (known != null) return known;
      Node<T> made = new Node<>();
      node.literals = node.literals.with(segment.text(), made);
      return made;
    }
    Node<T> one = node.one;
    if (one == null) node.one = one = new Node<>();
    return one;
  }

  /** Removes one occurrence of a value; returns false if there is none. */
  public synchronized boolean remove(RoutePattern pattern, T value) {
    return remove(root, pattern.segments(), 0, value);
  }

  private static <T> boolean remove(
      Node<T> node, List<RoutePattern.Segment> segments, int index, T value) {
    if (index == segments.size()) {
      List<T> left = without(node.values, value);
      if (left == null) return false;
      node.values = left;
      return true;
    }
    RoutePattern.Segment segment = segments.get(index);
    if (segment.kind() == RoutePattern.Kind.REST) {
      List<T> left = without(node.rest, value);
      if (left == null) return false;
      node.rest = left;
      return true;
    }
    boolean isLiteral = segment.kind() == RoutePattern.Kind.LITERAL;
    Node<T> child = isLiteral ? node.literals.get(segment.text()) : node.one;
    if (child == null || !remove(child, segments, index + 1, value)) return false;
    if (child.isEmpty()) {
      if (isLiteral) node.literals = node.literals.without(segment.text());
      else node.one = null;
    }
    return true;
  }

  private static <T> List<T> with(List<T> values, T value) {
    List<T> more = new ArrayList<>(values);
    more.add(value);
    return List.copyOf(more);
  }

  private static <T> @Nullable List<T> without(List<T> values, T value) {
    List<T> left = new ArrayList<>(values);
    return left.remove(value) ? List.copyOf(left) : null;
  }

  /**
   * Passes the values whose patterns match {@code key} to {@code visitor}, the most specific ones
   * first, until it returns true; returns whether it did.
   */
  public boolean find(String key, Predicate<? super T> visitor) {
    return find(root, key, 0, visitor);
  }

  private static <T> boolean find(
      Node<T> node, String key, int start, Predicate<? super T> visitor) {
    int end = RoutePattern.endOf(key, start);
    Node<T> literal = node.literals.get(key, start, end);
    if (literal != null && below(literal, key, end, visitor)) return true;
    Node<T> one = end > start ? node.one : null;
    if (one != null && below(one, key, end, visitor)) return true;
    return visit(node.rest, visitor);
  }

  private static <T> boolean below(
      Node<T> node, String key, int end, Predicate<? super T> visitor) {
    return end == key.length() ? visit(node.values, visitor) : find(node, key, end + 1, visitor);
  }

  private static <T> boolean visit(List<T> values, Predicate<? super T> visitor) {
    for (int i = 0; i < values.size(); i++) if (visitor.test(values.get(i))) return true;
    return false;
  }
}
