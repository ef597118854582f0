package dev.kermes.server.data;

import dev.kermes.server.data.HyperLogLog.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registers of a sparse {@link HyperLogLog}: runs of equal ones, 16,384 in total.
 *
 * <pre>
 *   00llllll            l + 1 registers of zero
 *   01llllll llllllll   l + 1 registers of zero
 *   1vvvvvll            l + 1 registers of v + 1
 * </pre>
 *
 * Runs stay in the order and the form in which Redis would leave them. A string whose runs do not
 * add up to 16,384 registers is corrupt.
 */
final class SparseRegisters {

  private static final int VALUE_MAX = 32;
  private static final int VALUE_RUN_MAX = 4;
  private static final int SHORT_ZEROS_MAX = 64;

  /** The number of runs after a change in which equal neighbours are joined. */
  private static final int JOIN_RUNS = 5;

  /** The bits for the length of a short run of zeros, in each byte. */
  private static final long ZEROS_LENGTHS = 0x3f3f3f3f3f3f3f3fL;

  private final byte[] bytes;
  private final int end;

  /** The start of the run before the current one, and of the run before that, if there are such. */
  private int before;

  private int earlier;
  private int beforeFirst;
  private int earlierFirst;

  /** The start of the current run, its first register, its number of registers, and their value. */
  private int at;

  private int first;
  private int count;
  private int value;

  private SparseRegisters(byte[] bytes, int from, int end) {
    this(bytes, from, 0, end);
  }

  private SparseRegisters(byte[] bytes, int from, int first, int end) {
    this.bytes = bytes;
    this.end = end;
    this.first = first;
    at = from;
    before = from;
    earlier = from;
    beforeFirst = first;
    earlierFirst = first;
    read();
  }

  private boolean isAtEnd() {
    return at >= end;
  }

  private int size() {
    return value == 0 && (bytes[at] & 0x40) != 0 ? 2 : 1;
  }

  private void next() {
    at += size();
    first += count;
    read();
  }

  private void read() {
    if (at >= end) return;
    int head = bytes[at] & 0xff;
    value = isValue(head) ? (head >> 2 & 0x1f) + 1 : 0;
    if (value > 0) count = (head & 3) + 1;
    else if ((head & 0x40) == 0) count = (head & 0x3f) + 1;
    else count = ((head & 0x3f) << 8 | (at + 1 < end ? bytes[at + 1] & 0xff : 0)) + 1;
  }

  private static boolean isValue(int head) {
    return (head & 0x80) != 0;
  }

  /** Raises registers, a byte each, to those of the runs; false if the runs are corrupt. */
  static boolean merge(byte[] bytes, int from, int end, byte[] registers) {
    SparseRegisters run = new SparseRegisters(bytes, from, end);
    for (; !run.isAtEnd(); run.next()) {
      if (run.first + run.count > registers.length) return false;
      if (run.value == 0) continue; // most registers
      for (int i = run.first; i < run.first + run.count; i++) {
        if (run.value > registers[i]) registers[i] = (byte) run.value;
      }
    }
    return run.first == registers.length;
  }

  /** Whether the runs add up to all registers. */
  static boolean areSound(byte[] bytes, int from, int end) {
    SparseRegisters run = new SparseRegisters(bytes, from, end);
    while (!run.isAtEnd() && run.first < HyperLogLog.REGISTERS) run.next();
    return run.isAtEnd() && run.first == HyperLogLog.REGISTERS;
  }

  /**
   * The number of registers with each value, the highest one of several sound strings. Walks
   * through the runs of all strings at once.
   */
  static int[] histogram(List<Slice> strings) {
    SparseRegisters[] runs = new SparseRegisters[strings.size()];
    for (int i = 0; i < runs.length; i++) {
      Slice string = strings.get(i);
      int from = string.offset() + HyperLogLog.HEADER;
      runs[i] = new SparseRegisters(string.array(), from, string.offset() + string.length());
    }
    int[] counts = new int[HyperLogLog.VALUES];
    for (int register = 0; register < HyperLogLog.REGISTERS; ) {
      int end = HyperLogLog.REGISTERS;
      int highest = 0;
      for (SparseRegisters run : runs) {
        if (run.first + run.count <= register) run.next();
        end = Math.min(end, run.first + run.count);
        highest = Math.max(highest, run.value);
      }
      counts[highest] += end - register;
      register = end;
    }
    return counts;
  }

  /**
   * The runs as {@code Z:16383 v:1,1}: long and short runs of zero, and values with their counts.
   */
  static String decode(byte[] bytes, int from, int end) {
    StringBuilder text = new StringBuilder();
    SparseRegisters run = new SparseRegisters(bytes, from, end);
    for (; !run.isAtEnd(); run.next()) {
      if (!text.isEmpty()) text.append(' ');
      if (run.value > 0) text.append("v:").append(run.value).append(',').append(run.count);
      else text.append(run.size() == 2 ? "Z:" : "z:").append(run.count);
    }
    return text.toString();
  }

  /**
   * Raises one register if it is lower. Null if the string must become dense for that, because of
   * the value or because it would be longer than the limit.
   */
  static @Nullable Change raise(RawString string, int index, int value, long bytesMax) {
    return of(string).raiseOne(string, index, value, bytesMax);
  }

  private static SparseRegisters of(RawString string) {
    return new SparseRegisters(string.bytes(), HyperLogLog.HEADER, string.length());
  }

  /**
   * Raises registers to those of an array with a byte each, in the form that {@link #raise} for
   * each of them would leave; false if the string must become dense for that. A change is looked
   * for from two runs before the last one on: nothing before them can have changed.
   */
  static boolean raiseAll(RawString string, byte[] registers, long bytesMax) {
    SparseRegisters run = of(string);
    int i = HyperLogLog.nextRaised(registers, 0);
    for (; i < registers.length; i = HyperLogLog.nextRaised(registers, i + 1)) {
      run = new SparseRegisters(string.bytes(), run.earlier, run.earlierFirst, string.length());
      if (run.raiseOne(string, i, registers[i], bytesMax) == null) return false;
    }
    return true;
  }

  private @Nullable Change raiseOne(RawString string, int index, int newValue, long bytesMax) {
    if (newValue > VALUE_MAX) return null;
    seek(index);
    if (isAtEnd()) return Change.CORRUPT;
    if (value >= newValue) return Change.NONE;
    byte[] runs = new byte[5];
    int length = split(index, newValue, runs);
    int growth = length - size();
    if (growth > 0 && string.length() + growth > bytesMax) return null;
    string.splice(at, size(), length);
    System.arraycopy(runs, 0, string.bytes(), at, length);
    joinRuns(string, before);
    HyperLogLog.stale(string);
    return Change.SOME;
  }

  /** Moves on to the run with a register. */
  private void seek(int index) {
    skip(index);
    int run = at;
    int runFirst = first;
    int one = before;
    int oneFirst = beforeFirst;
    int two = earlier;
    int twoFirst = earlierFirst;
    while (run < end) {
      int head = bytes[run];
      int size = 1;
      int registers = (head & 0x3f) + 1;
      if (head < 0) {
        registers = (head & 3) + 1;
      } else if ((head & 0x40) != 0) {
        registers = ((head & 0x3f) << 8 | (run + 1 < end ? bytes[run + 1] & 0xff : 0)) + 1;
        size = 2;
      }
      if (index < runFirst + registers) break;
      two = one;
      twoFirst = oneFirst;
      one = run;
      oneFirst = runFirst;
      run += size;
      runFirst += registers;
    }
    at = run;
    first = runFirst;
    before = one;
    beforeFirst = oneFirst;
    earlier = two;
    earlierFirst = twoFirst;
    read();
  }

  /**
   * Moves on by groups of eight bytes whose runs are all before that of a register. It stays before
   * the last one of them: its four runs or more include the two before the register's.
   *
   * <p>This is the time of PFADD. The registers of a group are counted without a branch: the bytes
   * of a string are as random as the hashes.
   */
  private void skip(int index) {
    int group = at;
    int groupFirst = first;
    int last = at;
    int lastFirst = first;
    while (group + Long.BYTES <= end) {
      long heads = (long) HyperLogLog.LONG.get(bytes, group);
      long longs = heads << 1 & ~heads & HyperLogLog.HIGHS; // of bytes that are 01xxxxxx
      if ((longs & longs << 8 & longs << 16) != 0) break; // it is not seen at once which are starts
      long starts = longs & ~(longs << 8); // of runs of two bytes, unlike the second bytes
      int registers = registers(heads, starts);
      if (groupFirst + registers > index) break;
      last = group;
      lastFirst = groupFirst;
      group += Long.BYTES + (int) (starts >> 63); // a run that begins in the last byte is left
      groupFirst += registers;
    }
    at = last;
    first = lastFirst;
  }

  /** The registers of the runs that a group of eight bytes has whole. */
  private static int registers(long heads, long starts) {
    long ofStarts = (starts << 1) - (starts >>> 7); // all bits of a byte; modulo 2^64
    long ofSeconds = ofStarts << 8;
    long values = heads & HyperLogLog.HIGHS & ~ofSeconds;
    long lengths = (ZEROS_LENGTHS - (values >>> 7) * 0x3c | ofSeconds) & ~ofStarts;
    long low = heads & lengths;
    long pairs = (low & 0x00ff00ff00ff00ffL) + (low >>> 8 & 0x00ff00ff00ff00ffL);
    long high = heads & ofStarts & ZEROS_LENGTHS >>> 8;
    int runs = Long.BYTES - Long.bitCount(starts);
    return (int) (pairs * 0x0001000100010001L >>> 48)
        + ((int) (high * 0x0101010101010101L >>> 56) << 8)
        + runs;
  }

  /** Writes the runs that replace this one when one of its registers gets another value. */
  private int split(int index, int newValue, byte[] runs) {
    int length = put(runs, 0, value, index - first);
    length = put(runs, length, newValue, 1);
    return put(runs, length, value, first + count - index - 1);
  }

  private static int put(byte[] runs, int at, int value, int count) {
    if (count == 0) return at;
    if (value == 0) return putZeros(runs, at, count);
    runs[at] = (byte) (0x80 | value - 1 << 2 | count - 1);
    return at + 1;
  }

  /** Writes a run of zeros; returns the position of its end. */
  static int putZeros(byte[] runs, int at, int count) {
    if (count <= SHORT_ZEROS_MAX) {
      runs[at] = (byte) (count - 1);
      return at + 1;
    }
    runs[at] = (byte) (0x40 | count - 1 >> 8);
    runs[at + 1] = (byte) (count - 1);
    return at + 2;
  }

  /** Joins neighbours of the same value as far as one run can hold them. */
  private static void joinRuns(RawString string, int from) {
    int at = from;
    for (int i = 0; i < JOIN_RUNS && at < string.length(); i++) {
      byte[] bytes = string.bytes();
      int head = bytes[at] & 0xff;
      if (!isValue(head)) {
        at += (head & 0x40) != 0 ? 2 : 1;
        continue;
      }
      int next = at + 1 < string.length() ? bytes[at + 1] & 0xff : 0;
      int count = (head & 3) + (next & 3) + 2;
      boolean joins = isValue(next) && next >> 2 == head >> 2 && count <= VALUE_RUN_MAX;
      if (joins) {
        string.splice(at, 1, 0);
        string.bytes()[at] = (byte) (head & ~3 | count - 1);
      } else {
        at++;
      }
    }
  }
}
