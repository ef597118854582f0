package dev.kermes.server.data;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * The segments of a {@link Dict}, found by the upper bits of a hash. Several entries may share a
 * segment: a full segment splits in two, and the directory doubles when it has only one entry left.
 *
 * <pre>
 *   [seg0][seg0][seg1][seg2] ...
 * </pre>
 */
final class Directory {

  /** 800 keys per segment on average: a segment rarely reaches 896, at which it is full. */
  private static final int SEGMENT_EXPECTED = 800;

  /** 2^26 segments of up to 1,024 slots: more than a Java array of references could hold. */
  private static final int DEPTH_MAX = 26;

  private final Arena arena;
  private final boolean hasTimes;
  private final ToLongFunction<Object> hashOf;
  private Segment[] segments;
  private int depth;

  /** One small segment, of entries whose hashes {@code hashOf} computes. */
  Directory(Arena arena, boolean hasTimes, ToLongFunction<Object> hashOf) {
    this.arena = arena;
    this.hasTimes = hasTimes;
    this.hashOf = hashOf;
    segments = new Segment[] {segment(0, Segment.GROUP)};
  }

  private Segment segment(int depth, int capacity) {
    return new Segment(depth, capacity, arena, hasTimes);
  }

  void clear() {
    segments = new Segment[] {segment(0, Segment.GROUP)};
    depth = 0;
  }

  /** Makes an empty directory large enough for that many keys. */
  void expect(int keys) {
    int count = keys / SEGMENT_EXPECTED;
    if (count == 0) return;
    depth = Math.min(Integer.SIZE - Integer.numberOfLeadingZeros(count), DEPTH_MAX);
    segments = new Segment[1 << depth];
    Arrays.setAll(segments, i -> segment(depth, Segment.CAPACITY_MAX));
  }

  /** Makes this the directory of a table whose arena is a copy of that of another one. */
  void copy(Directory other) {
    depth = other.depth;
    segments = new Segment[other.segments.length];
    for (int i = 0; i < segments.length; i++) {
      boolean isSame = i > 0 && other.segments[i] == other.segments[i - 1];
      segments[i] = isSame ? segments[i - 1] : new Segment(other.segments[i], arena);
    }
  }

  /** The segments, in the order of their hashes; the same one may follow itself. */
  Segment[] segments() {
    return segments;
  }

  Segment of(long hash) {
    return segments[index(hash)];
  }

  private int index(long hash) {
    return (int) (hash >>> 1 >>> 63 - depth);
  }

  /** The segment for a new entry of that hash, which has room for it. */
  Segment withRoom(long hash) {
    Segment segment = of(hash);
    while (segment.isFull()) {
      makeRoom(segment, hash);
      segment = of(hash);
    }
    return segment;
  }

  /** Gives the entry of a key, if there is one, the new address of its record. */
  void readdress(long hash, byte[] key, int offset, int length, int address) {
    Segment segment = of(hash);
    int at = segment.locate(hash, key, offset, length);
    if (at >= 0) segment.fill(at, address, segment.time(at));
  }

  private void makeRoom(Segment segment, long hash) {
    if (segment.hasManyTombstones()) replace(segment, resized(segment, segment.capacity()), hash);
    else if (segment.capacity() < Segment.CAPACITY_MAX || segment.depth == DEPTH_MAX) {
      replace(segment, resized(segment, segment.capacity() * 2), hash);
    } else {
      split(segment, hash);
    }
  }

  /** Halves a segment that has become almost empty. */
  void shrink(Segment segment, long hash) {
    if (segment.isSparse()) replace(segment, resized(segment, segment.capacity() / 2), hash);
  }

  private Segment resized(Segment segment, int capacity) {
    Segment copy = segment(segment.depth, capacity);
    long[] hashes = hashesOf(segment);
    for (int i = 0; i < hashes.length; i++) {
      if (segment.has(i)) copy.insert(hashes[i], segment, i);
    }
    return copy;
  }

  /** Computes all hashes before the first is used, so that the loads of the keys overlap. */
  private long[] hashesOf(Segment segment) {
    long[] hashes = new long[segment.capacity()];
    Record view = Record.view(arena);
    for (int i = 0; i < hashes.length; i++) {
      if (segment.has(i)) hashes[i] = hashOf.applyAsLong(segment.slot(i, view));
    }
    return hashes;
  }

  private void split(Segment segment, long hash) {
    if (segment.depth == depth) doubleSize();
    Segment low = segment(segment.depth + 1, Segment.CAPACITY_MAX);
    Segment high = segment(segment.depth + 1, Segment.CAPACITY_MAX);
    long[] hashes = hashesOf(segment);
    for (int i = 0; i < hashes.length; i++) {
      if (!segment.has(i)) continue;
      (hashes[i] << segment.depth < 0 ? high : low).insert(hashes[i], segment, i);
    }
    int count = 1 << depth - segment.depth;
    int first = index(hash) & -count;
    Arrays.fill(segments, first, first + count / 2, low);
    Arrays.fill(segments, first + count / 2, first + count, high);
  }

  private void doubleSize() {
    Segment[] doubled = new Segment[segments.length * 2];
    for (int i = 0; i < doubled.length; i++) doubled[i] = segments[i / 2];
    segments = doubled;
    depth++;
  }

  private void replace(Segment old, Segment fresh, long hash) {
    int count = 1 << depth - old.depth;
    int first = index(hash) & -count;
    Arrays.fill(segments, first, first + count, fresh);
  }
}
