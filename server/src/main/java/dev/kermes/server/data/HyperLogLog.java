package dev.kermes.server.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts distinct elements in at most 12 KB, with an error of 0.81%: a string in the two layouts of
 * Redis, byte for byte.
 *
 * <pre>
 *   |HYLL|encoding 1|unused 3|cardinality 8|registers|
 *
 *   dense   16,384 registers of 6 bits, the first one in the lowest bits of the first byte
 *   sparse  runs of equal registers, see {@link SparseRegisters}
 * </pre>
 *
 * The cardinality is the last one computed; the highest bit of its last byte says that registers
 * have changed since. The estimate follows Otmar Ertl, "New cardinality estimation algorithms for
 * HyperLogLog sketches", arXiv:1702.01284.
 */
public final class HyperLogLog {

  /** The effect of adding an element. */
  public enum Change {
    NONE,
    SOME,
    CORRUPT
  }

  public static final int REGISTERS = 1 << 14;

  static final int HEADER = 16;
  static final int REGISTER_BITS = 6;

  /** The values that a register may have. */
  static final int VALUES = 1 << REGISTER_BITS;

  private static final int DENSE = 0;
  private static final int SPARSE = 1;
  private static final int ENCODING_AT = 4;
  private static final int CARDINALITY_AT = 8;
  private static final int STALE_AT = 15;
  private static final int STALE = 0x80;

  private static final int DENSE_LENGTH = HEADER + REGISTERS * REGISTER_BITS / 8;

  /** The bits of a hash that choose the register, and the number of the remaining ones. */
  private static final int INDEX_BITS = 14;

  private static final int PATTERN_BITS = 64 - INDEX_BITS;

  private static final double ALPHA_INFINITY = 0.7213475204444817;

  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The registers that are read and written together, and their bytes in a dense string. */
  private static final int EIGHT = 8;

  private static final int EIGHT_BYTES = EIGHT * REGISTER_BITS / Byte.SIZE;

  /** The registers for which a loop runs before the next one takes its results from the cache. */
  private static final int BLOCK = 2048;

  /** 8: walking through the runs of more strings at once would take longer than expanding them. */
  private static final int WALKED_MAX = 8;

  static final long HIGHS = 0x8080808080808080L;

  // Registers that are compared as they lie in dense strings: 32 of them take three longs, and two
  // of those lie across the ends of longs.
  //
  //   long      |0           |1           |2           |
  //   register  |0 … 9     |10 |11 … 20  |21 |22 … 31  |

  private static final int BLOCK_LONGS = BLOCK * REGISTER_BITS / Long.SIZE;

  /** For each long of a block, the highest bits of the registers that it has whole. */
  private static final long[] TOPS = new long[BLOCK_LONGS];

  /** For each half of a long and half of the next one, the bits of the register across the end. */
  private static final long[] ACROSS = new long[BLOCK_LONGS];

  static {
    for (int register = 0; register < BLOCK; register++) {
      int first = register * REGISTER_BITS;
      int last = first + REGISTER_BITS - 1;
      int at = first / Long.SIZE;
      if (last / Long.SIZE == at) TOPS[at] |= 1L << last;
      else ACROSS[at] = VALUES - 1L << first - Integer.SIZE;
    }
  }

  private HyperLogLog() {}

  /** Creates an empty, sparse HyperLogLog. */
  public static RawString create() {
    byte[] bytes = new byte[HEADER + 2];
    bytes[0] = 'H';
    bytes[1] = 'Y';
    bytes[2] = 'L';
    bytes[3] = 'L';
    bytes[ENCODING_AT] = SPARSE;
    int end = SparseRegisters.putZeros(bytes, HEADER, REGISTERS);
    return new RawString(bytes, 0, end);
  }

  /** Whether a string has the header of a HyperLogLog; its registers may still be corrupt. */
  public static boolean isOne(byte[] array, int offset, int length) {
    if (length < HEADER
        || array[offset] != 'H'
        || array[offset + 1] != 'Y'
        || array[offset + 2] != 'L'
        || array[offset + 3] != 'L') {
      return false;
    }
    int encoding = array[offset + ENCODING_AT];
    return encoding == SPARSE || encoding == DENSE && length == DENSE_LENGTH;
  }

  public static boolean isSparse(byte[] array, int offset) {
    return array[offset + ENCODING_AT] == SPARSE;
  }

  /** Whether the registers of a string are not corrupt. */
  public static boolean isSound(byte[] array, int offset, int length) {
    return !isSparse(array, offset)
        || SparseRegisters.areSound(array, offset + HEADER, offset + length);
  }

  // Counting

  /** Raises registers, a byte each, to those of a string; false if it is corrupt. */
  public static boolean merge(byte[] array, int offset, int length, byte[] registers) {
    if (isSparse(array, offset)) {
      return SparseRegisters.merge(array, offset + HEADER, offset + length, registers);
    }
    long[] eights = new long[BLOCK / EIGHT];
    for (int from = 0; from < REGISTERS; from += BLOCK) {
      load(array, offset + HEADER + from * REGISTER_BITS / Byte.SIZE, eights);
      for (int i = 0; i < eights.length; i++) {
        int at = from + EIGHT * i;
        LONG.set(registers, at, greater((long) LONG.get(registers, at), spread(eights[i])));
      }
    }
    return true;
  }

  /**
   * Reads a block of dense registers by eight, into the lower 48 bits of a long each. The JIT
   * compiler vectorizes only a loop whose steps are as long as its words, so the steps of 6 bytes
   * have a loop of their own.
   */
  private static void load(byte[] array, int from, long[] eights) {
    int last = eights.length - 1;
    int at = from;
    for (int i = 0; i < last; i++, at += EIGHT_BYTES) eights[i] = (long) LONG.get(array, at);
    eights[last] = (long) LONG.get(array, at - 2) >>> 16; // there may be no byte after it
  }

  /** Gives each of eight registers of 6 bits a byte. */
  private static long spread(long packed) {
    long x = packed & 0xffffffL | (packed & 0xffffff000000L) << 8;
    x = x & 0x00000fff00000fffL | (x & 0x00fff00000fff000L) << 4;
    return x & 0x003f003f003f003fL | (x & 0x0fc00fc00fc00fc0L) << 2;
  }

  /** The reverse of {@link #spread}. */
  private static long packed(long bytes) {
    long x = bytes & 0x003f003f003f003fL | bytes >>> 2 & 0x0fc00fc00fc00fc0L;
    x = x & 0x00000fff00000fffL | x >>> 4 & 0x00fff00000fff000L;
    return x & 0xffffffL | x >>> 8 & 0xffffff000000L;
  }

  /** The greater one of each two bytes, which are below 128. */
  private static long greater(long a, long b) {
    long isNotLess = (a | HIGHS) - b & HIGHS;
    long mask = (isNotLess << 1) - (isNotLess >>> 7); // all bits of a byte; modulo 2^64
    return a & mask | b & ~mask;
  }

  /** The cardinality stored in a string, or -1 if it is stale. */
  public static long counted(byte[] array, int offset) {
    return array[offset + STALE_AT] < 0 ? -1 : (long) LONG.get(array, offset + CARDINALITY_AT);
  }

  /** Stores a computed cardinality. */
  public static void counted(RawString string, long cardinality) {
    LONG.set(string.bytes(), CARDINALITY_AT, cardinality);
  }

  /** Marks the stored cardinality as stale: registers have changed. */
  public static void stale(RawString string) {
    string.bytes()[STALE_AT] |= (byte) STALE;
  }

  /** The estimated number of distinct elements of several sound strings together. */
  public static long count(List<Slice> strings) {
    if (strings.size() <= WALKED_MAX && areSparse(strings)) {
      return count(SparseRegisters.histogram(strings));
    }
    byte[] registers = new byte[REGISTERS];
    for (Slice string : strings) {
      boolean unused = merge(string.array(), string.offset(), string.length(), registers);
    }
    return count(registers);
  }

  private static boolean areSparse(List<Slice> strings) {
    for (Slice string : strings) if (!isSparse(string.array(), string.offset())) return false;
    return true;
  }

  /** The estimated number of distinct elements for these registers. */
  public static long count(byte[] registers) {
    return count(histogram(registers));
  }

  private static long count(int[] histogram) {
    double m = REGISTERS;
    double z = m * tau((m - histogram[PATTERN_BITS + 1]) / m);
    for (int i = PATTERN_BITS; i >= 1; i--) z = (z + histogram[i]) * 0.5;
    z += m * sigma(histogram[0] / m);
    return Math.round(ALPHA_INFINITY * m * m / z);
  }

  /**
   * The number of registers with each value. Eight of them are counted in tables of their own: most
   * neighbours are equal, and in one table each would wait for the other's count.
   */
  private static int[] histogram(byte[] registers) {
    int[] counts = new int[EIGHT * VALUES];
    int zeros = 0; // most of a sparse string
    for (int i = 0; i < REGISTERS; i += EIGHT) {
      long eight = (long) LONG.get(registers, i);
      if (eight == 0) {
        zeros += EIGHT;
        while (i < REGISTERS - 4 * EIGHT && areZero(registers, i + EIGHT)) {
          zeros += 4 * EIGHT;
          i += 4 * EIGHT;
        }
        continue;
      }
      counts[(int) eight & 0x3f]++;
      counts[VALUES + ((int) (eight >>> 8) & 0x3f)]++;
      counts[2 * VALUES + ((int) (eight >>> 16) & 0x3f)]++;
      counts[3 * VALUES + ((int) (eight >>> 24) & 0x3f)]++;
      counts[4 * VALUES + ((int) (eight >>> 32) & 0x3f)]++;
      counts[5 * VALUES + ((int) (eight >>> 40) & 0x3f)]++;
      counts[6 * VALUES + ((int) (eight >>> 48) & 0x3f)]++;
      counts[7 * VALUES + ((int) (eight >>> 56) & 0x3f)]++;
    }
    int[] sums = new int[VALUES];
    for (int from = 0; from < counts.length; from += VALUES) {
      for (int value = 0; value < VALUES; value++) sums[value] += counts[from + value];
    }
    sums[0] += zeros;
    return sums;
  }

  /** Whether the four times eight registers from an index on are zero. */
  private static boolean areZero(byte[] registers, int i) {
    long first = (long) LONG.get(registers, i) | (long) LONG.get(registers, i + EIGHT);
    int third = i + 2 * EIGHT;
    return (first | (long) LONG.get(registers, third) | (long) LONG.get(registers, third + EIGHT))
        == 0;
  }

  private static double sigma(double share) {
    if (share == 1) return Double.POSITIVE_INFINITY;
    double x = share;
    double y = 1;
    double z = x;
    double before;
    do {
      x *= x;
      before = z;
      z += x * y;
      y += y;
    } while (before != z);
    return z;
  }

  private static double tau(double share) {
    if (share == 0 || share == 1) return 0;
    double x = share;
    double y = 1;
    double z = 1 - x;
    double before;
    do {
      x = Math.sqrt(x);
      before = z;
      y *= 0.5;
      z -= (1 - x) * (1 - x) * y;
    } while (before != z);
    return z / 3;
  }

  // Changing

  /** Adds an element. A sparse string that would become longer than the limit becomes dense. */
  public static Change add(RawString string, Slice element, long sparseBytesMax) {
    return add(string, element, sparseBytesMax, null);
  }

  /** Like the other one; {@code known} has the registers, a byte each, if they were expanded. */
  public static Change add(
      RawString string, Slice element, long sparseBytesMax, byte @Nullable [] known) {
    long hash = murmur(element.array(), element.offset(), element.length());
    int index = (int) hash & REGISTERS - 1;
    int value = 1 + Long.numberOfTrailingZeros(hash >>> INDEX_BITS | 1L << PATTERN_BITS);
    if (known == null) return raise(string, index, value, sparseBytesMax);
    if (known[index] >= value) return Change.NONE;
    known[index] = (byte) value;
    return raise(string, index, value, sparseBytesMax);
  }

  /**
   * The registers, a byte each, to find out quickly which of many elements are new: in a sparse
   * string each element is a walk over its runs. Null if the string is dense, or corrupt.
   */
  public static byte @Nullable [] expanded(RawString string) {
    if (!isSparse(string.bytes(), 0)) return null;
    byte[] registers = new byte[REGISTERS];
    return merge(string.bytes(), 0, string.length(), registers) ? registers : null;
  }

  /** Raises one register to a value if it is lower. */
  public static Change raise(RawString string, int index, int value, long sparseBytesMax) {
    if (isSparse(string.bytes(), 0)) {
      Change change = SparseRegisters.raise(string, index, value, sparseBytesMax);
      if (change != null) return change;
      if (!makeDense(string)) return Change.CORRUPT;
    }
    if (dense(string.bytes(), HEADER, index) >= value) return Change.NONE;
    dense(string.bytes(), HEADER, index, value);
    return Change.SOME;
  }

  /** Makes a sparse string dense; false if it is corrupt. */
  public static boolean makeDense(RawString string) {
    if (!isSparse(string.bytes(), 0)) return true;
    byte[] registers = new byte[REGISTERS];
    if (!merge(string.bytes(), 0, string.length(), registers)) return false;
    string.splice(HEADER, string.length() - HEADER, DENSE_LENGTH - HEADER);
    string.bytes()[ENCODING_AT] = DENSE;
    putDense(string, registers);
    return true;
  }

  /** Sets all registers of a string to those of an array with a byte each, none of them lower. */
  public static void putAll(RawString string, byte[] registers, long sparseBytesMax) {
    boolean isSparse = isSparse(string.bytes(), 0);
    if (isSparse && SparseRegisters.raiseAll(string, registers, sparseBytesMax)) return;
    boolean unused = makeDense(string);
    putDense(string, registers);
  }

  /**
   * Raises the registers of a string to those of other ones, all of them sound. The string becomes
   * dense if another one is.
   */
  public static void raise(RawString string, List<Slice> others, long sparseBytesMax) {
    boolean hasDense = !areSparse(others) && makeDense(string);
    boolean isDense = hasDense || !isSparse(string.bytes(), 0);
    if (hasDense) raiseDense(string, others);
    byte[] ofSparse = null;
    for (Slice other : others) {
      if (!isSparse(other.array(), other.offset())) continue;
      if (ofSparse == null) ofSparse = new byte[REGISTERS];
      boolean unused = merge(other.array(), other.offset(), other.length(), ofSparse);
    }
    if (ofSparse == null) return;
    if (isDense) {
      raiseDense(string, ofSparse);
    } else {
      boolean unused = merge(string.bytes(), 0, string.length(), ofSparse);
      putAll(string, ofSparse, sparseBytesMax);
    }
  }

  /** Makes a string dense and raises its registers to those of an array with a byte each. */
  public static void raiseDense(RawString string, byte[] registers) {
    boolean unused = makeDense(string) && merge(string.bytes(), 0, string.length(), registers);
    putDense(string, registers);
  }

  /**
   * Raises the registers of a dense string to those of the dense ones among others. First those
   * that a long has whole, then, in longs that begin four bytes later, those across the ends of the
   * first ones. By block and not by string, so that a block is read and written once.
   */
  private static void raiseDense(RawString string, List<Slice> others) {
    byte[] bytes = string.bytes();
    long[] block = new long[BLOCK_LONGS];
    for (int from = HEADER; from < DENSE_LENGTH; from += BLOCK_LONGS * Long.BYTES) {
      read(bytes, from, block, BLOCK_LONGS);
      for (Slice other : others) {
        if (isSparse(other.array(), other.offset())) continue;
        raiseWhole(block, other.array(), other.offset() + from);
      }
      write(block, bytes, from, BLOCK_LONGS);
      int across = from + Integer.BYTES;
      read(bytes, across, block, BLOCK_LONGS - 1);
      for (Slice other : others) {
        if (isSparse(other.array(), other.offset())) continue;
        raiseAcross(block, other.array(), other.offset() + across);
      }
      write(block, bytes, across, BLOCK_LONGS - 1);
    }
  }

  // The JIT compiler vectorizes these loops. It does not vectorize one that reads two arrays of
  // bytes at different places, or writes to an array of the type that it reads elsewhere.

  private static void read(byte[] bytes, int from, long[] longs, int count) {
    for (int i = 0; i < count; i++) longs[i] = (long) LONG.get(bytes, from + Long.BYTES * i);
  }

  private static void write(long[] longs, byte[] bytes, int from, int count) {
    for (int i = 0; i < count; i++) LONG.set(bytes, from + Long.BYTES * i, longs[i]);
  }

  private static void raiseWhole(long[] block, byte[] others, int from) {
    for (int i = 0; i < BLOCK_LONGS; i++) {
      block[i] = greater(block[i], (long) LONG.get(others, from + Long.BYTES * i), TOPS[i]);
    }
  }

  /**
   * The greater one of each two registers whose highest bits are given; other bits are those of a.
   */
  private static long greater(long a, long b, long tops) {
    long lows = tops - (tops >>> REGISTER_BITS - 1);
    long difference = (a | tops) - (b & lows); // of the lower bits; the top says: not negative
    long isLess = (~a & b | ~(a ^ b) & ~difference) & tops;
    long mask = (isLess << 1) - (isLess >>> REGISTER_BITS - 1); // as in the other method
    return a & ~mask | b & mask;
  }

  private static void raiseAcross(long[] block, byte[] others, int from) {
    for (int i = 0; i < BLOCK_LONGS - 1; i++) {
      long bits = ACROSS[i];
      long one = block[i] & bits;
      long other = (long) LONG.get(others, from + Long.BYTES * i) & bits;
      block[i] += Math.max(one, other) - one;
    }
  }

  /** The first register from one on that is not zero, or the number of registers. */
  static int nextRaised(byte[] registers, int from) {
    int i = from;
    while (i < REGISTERS && registers[i] == 0) {
      i += i % EIGHT == 0 && (long) LONG.get(registers, i) == 0 ? EIGHT : 1;
    }
    return i;
  }

  private static void putDense(RawString string, byte[] registers) {
    long[] eights = new long[BLOCK / EIGHT];
    for (int from = 0; from < REGISTERS; from += BLOCK) {
      for (int i = 0; i < eights.length; i++) {
        eights[i] = packed((long) LONG.get(registers, from + EIGHT * i));
      }
      store(eights, string.bytes(), HEADER + from * REGISTER_BITS / Byte.SIZE);
    }
  }

  /** The reverse of {@link #load}. */
  private static void store(long[] eights, byte[] array, int from) {
    int last = eights.length - 1;
    int at = from;
    for (int i = 0; i < last; i++, at += EIGHT_BYTES) {
      LONG.set(array, at, eights[i]); // the next eight replace two bytes
    }
    for (int j = 0; j < EIGHT_BYTES; j++) array[at + j] = (byte) (eights[last] >>> Byte.SIZE * j);
  }

  private static int dense(byte[] array, int from, int index) {
    int bit = index * REGISTER_BITS;
    int at = from + (bit >> 3);
    int low = array[at] & 0xff;
    // The last register ends at the end of its byte.
    int high = (bit & 7) > 2 ? array[at + 1] & 0xff : 0;
    return (high << 8 | low) >> (bit & 7) & (1 << REGISTER_BITS) - 1;
  }

  private static void dense(byte[] array, int from, int index, int value) {
    int bit = index * REGISTER_BITS;
    int at = from + (bit >> 3);
    int shift = bit & 7;
    int mask = (1 << REGISTER_BITS) - 1 << shift;
    array[at] = (byte) (array[at] & ~mask | value << shift);
    if (shift > 2) array[at + 1] = (byte) (array[at + 1] & ~(mask >> 8) | value << shift >> 8);
  }

  /** The runs of a sparse string as PFDEBUG DECODE shows them; null if it is dense. */
  public static @Nullable String decode(byte[] array, int offset, int length) {
    if (!isSparse(array, offset)) return null;
    return SparseRegisters.decode(array, offset + HEADER, offset + length);
  }

  /** The 64-bit MurmurHash2 with Redis's seed. */
  private static long murmur(byte[] array, int offset, int length) {
    long m = 0xc6a4a7935bd1e995L;
    long hash = 0xadc83b19L ^ length * m;
    int at = offset;
    for (int end = offset + (length & -8); at < end; at += 8) {
      long k = (long) LONG.get(array, at) * m;
      hash = (hash ^ (k ^ k >>> 47) * m) * m;
    }
    int rest = length & 7;
    for (int i = rest - 1; i >= 0; i--) hash ^= (array[at + i] & 0xffL) << 8 * i;
    if (rest > 0) hash *= m;
    hash = (hash ^ hash >>> 47) * m;
    return hash ^ hash >>> 47;
  }
}
