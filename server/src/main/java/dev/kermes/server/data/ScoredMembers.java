package dev.kermes.server.data;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.DoubleBinaryOperator;

/**
 * Members with scores that are being collected: the result of ZUNION and its like. They refer to
 * the arrays of their sources, which must not change until the result is complete.
 *
 * <pre>
 *   members   |c 3|a 1|b 1|          in the order of addition, until they are sorted
 *   places    |.|2|.|1|.|.|3|.|      one more than an index, by the hash of the member
 * </pre>
 */
public final class ScoredMembers {

  private static final class Member {

    private final byte[] array;
    private final int offset;
    private final int length;
    private double score;

    Member(byte[] array, int offset, int length, double score) {
      this.array = array;
      this.offset = offset;
      this.length = length;
      this.score = score;
    }

    boolean is(byte[] otherArray, int otherOffset, int otherLength) {
      int otherEnd = otherOffset + otherLength;
      return length == otherLength
          && Arrays.equals(array, offset, offset + length, otherArray, otherOffset, otherEnd);
    }

    int compareTo(Member other) {
      if (score != other.score) return score < other.score ? -1 : 1;
      int otherEnd = other.offset + other.length;
      return Arrays.compareUnsigned(
          array, offset, offset + length, other.array, other.offset, otherEnd);
    }
  }

  private static final Comparator<Member> ORDER = Member::compareTo;

  private final long hashSeed;
  private Member[] members = new Member[16];
  private int[] places = {};
  private int size;

  public ScoredMembers(long hashSeed) {
    this.hashSeed = hashSeed;
  }

  public int size() {
    return size;
  }

  /** Adds a member that is known to be absent; {@link #merge} does not find it. */
  public void add(byte[] array, int offset, int length, double score) {
    if (size == members.length) members = Arrays.copyOf(members, 2 * size);
    members[size++] = new Member(array, offset, length, score);
  }

  /** Adds a member, or replaces its score by that of {@code merger} with the old and this one. */
  public void merge(
      byte[] array, int offset, int length, double score, DoubleBinaryOperator merger) {
    if (2 * size >= places.length) growPlaces();
    int place = placeOf(array, offset, length);
    if (places[place] == 0) {
      add(array, offset, length, score);
      places[place] = size;
    } else {
      Member known = members[places[place] - 1];
      known.score = merger.applyAsDouble(known.score, score);
    }
  }

  private void growPlaces() {
    places = new int[Math.max(32, 4 * Integer.highestOneBit(size))];
    for (int i = 0; i < size; i++) {
      Member member = members[i];
      places[placeOf(member.array, member.offset, member.length)] = i + 1;
    }
  }

  /** The place of a member, or the free one where it belongs. */
  private int placeOf(byte[] array, int offset, int length) {
    int mask = places.length - 1;
    int place = (int) Hash.of(array, offset, length, hashSeed) & mask;
    while (places[place] != 0 && !members[places[place] - 1].is(array, offset, length)) {
      place = place + 1 & mask;
    }
    return place;
  }

  /** Brings the members into the order of a sorted set; none may be added afterwards. */
  public ScoredMembers sorted() {
    if (!isSorted()) Arrays.sort(members, 0, size, ORDER);
    return this;
  }

  /** Whether the members are in the order of a sorted set. */
  public boolean isSorted() {
    for (int i = 1; i < size; i++) if (members[i - 1].compareTo(members[i]) > 0) return false;
    return true;
  }

  /** The length of the longest member in bytes; 0 if there are none. */
  int longest() {
    int longest = 0;
    for (int i = 0; i < size; i++) longest = Math.max(longest, members[i].length);
    return longest;
  }

  /** Visits the members in their present order. */
  public void forEach(RedisSortedSet.MemberVisitor visitor) {
    for (int i = 0; i < size; i++) {
      Member member = members[i];
      visitor.visit(member.array, member.offset, member.length, member.score);
    }
  }
}
