package dev.kermes.server.data;

/**
 * The entries of a packed array that have been seen, by which one that comes twice is found: an
 * open hash table of positions, half full at most. Equal integers count as equal however they are
 * encoded.
 */
final class DistinctEntries {

  /** A seed would be useless: a pack is small enough for a search from end to end. */
  private static final long NO_SEED = 0;

  private final byte[] pack;

  /** One more than the position of an entry; 0 is free. */
  private final int[] places;

  /** For up to {@code count} entries of the array. */
  DistinctEntries(byte[] pack, int count) {
    this.pack = pack;
    places = new int[4 * Integer.highestOneBit(Math.max(1, count))];
  }

  /** Takes the entry at a position; false if an equal one has been taken. */
  boolean add(int at) {
    int mask = places.length - 1;
    int place = hash(at) & mask;
    for (; places[place] != 0; place = place + 1 & mask) {
      if (isSame(places[place] - 1, at)) return false;
    }
    places[place] = at + 1;
    return true;
  }

  private int hash(int at) {
    if (PackEntry.isInteger(pack, at)) return Long.hashCode(PackEntry.integer(pack, at));
    int offset = PackEntry.stringOffset(pack, at);
    return (int) Hash.of(pack, offset, PackEntry.stringLength(pack, at), NO_SEED);
  }

  private boolean isSame(int a, int b) {
    if (PackEntry.isInteger(pack, b)) return PackEntry.equals(pack, a, PackEntry.integer(pack, b));
    int offset = PackEntry.stringOffset(pack, b);
    return PackEntry.equalsString(pack, a, pack, offset, PackEntry.stringLength(pack, b));
  }
}
