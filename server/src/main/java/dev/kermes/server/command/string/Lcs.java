package dev.kermes.server.command.string;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Strings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * LCS: the longest common subsequence of two strings by dynamic programming, O(N*M) time. Of the
 * table of lengths only the last row is kept, and for each cell one bit for the way back: a 32nd of
 * Redis's memory.
 */
final class Lcs {

  private static final byte[] EMPTY = {};

  /** The bytes of a cell in Redis's table, whose size limit applies here, too. */
  private static final int CELL_BYTES = 4;

  private static final long TABLE_BYTES_MAX = (long) CELL_BYTES * Integer.MAX_VALUE;

  /** A common stretch of both strings: inclusive indexes in each. */
  private record Match(int startA, int endA, int startB, int endB) {
    int length() {
      return endA - startA + 1;
    }
  }

  private final byte[] a;
  private final byte[] b;

  /** The strings in the order of their lengths. */
  private final byte[] longer;

  private final byte[] shorter;

  /** The longs that have a bit for each byte of the longer string. */
  private final int words;

  /**
   * For each byte of the shorter string and each of the longer one, whether leaving out a's byte
   * yields more than leaving out b's, if the two differ.
   */
  private final long[] skipsA;

  private final int length;

  private Lcs(byte[] a, byte[] b) {
    this.a = a;
    this.b = b;
    longer = a.length >= b.length ? a : b;
    shorter = longer == a ? b : a;
    words = (longer.length + Long.SIZE - 1) / Long.SIZE;
    skipsA = new long[shorter.length * words];
    length = fill();
  }

  /**
   * Computes the table row by row, 64 cells at a time: a row is a bit for each byte of the longer
   * string, 0 where the length grows by one. An addition carries each match on to the next cell
   * with a growth. (Crochemore and others, "A fast and practical bit-vector algorithm for the
   * longest common subsequence problem", 2001.)
   *
   * @return the length of the subsequence
   */
  private int fill() {
    long[] @Nullable [] places = places();
    long[] row = new long[words];
    Arrays.fill(row, -1);
    for (int i = 0; i < shorter.length; i++) {
      long[] matches = places[shorter[i] & 0xff];
      long carry = 0;
      for (int w = 0; w < words; w++) {
        long old = row[w];
        long match = matches == null ? 0 : old & matches[w];
        long sum = old + match + carry;
        long carries = sum ^ old ^ match; // into each bit
        carry = (match | old & ~sum) >>> 63;
        long fresh = sum | old & ~match;
        row[w] = fresh;
        // The carry out of a bit is the growth from the row before; the other is that in the row.
        skipsA[i * words + w] = longer == a ? carries >>> 1 | carry << 63 : ~fresh;
      }
    }
    int grown = 0;
    for (long word : row) grown += Long.bitCount(~word);
    return grown;
  }

  /** For each byte of the shorter string, where it is in the longer one; null for others. */
  private long[] @Nullable [] places() {
    long[] @Nullable [] places = new long[1 << Byte.SIZE][];
    for (byte each : shorter) {
      if (places[each & 0xff] == null) places[each & 0xff] = new long[words];
    }
    for (int j = 0; j < longer.length; j++) {
      long[] bits = places[longer[j] & 0xff];
      if (bits != null) bits[j / Long.SIZE] |= 1L << j;
    }
    return places;
  }

  static void execute(Call call) {
    byte[] a = string(call, 1);
    byte[] b = a == null ? null : string(call, 2);
    if (a == null || b == null) return;
    boolean isLength = false;
    boolean isIndexes = false;
    boolean hasLengths = false;
    long lengthMin = 0;
    for (int i = 3; i < call.argc(); i++) {
      if (call.is(i, "LEN")) isLength = true;
      else if (call.is(i, "IDX")) isIndexes = true;
      else if (call.is(i, "WITHMATCHLEN")) hasLengths = true;
      else if (call.is(i, "MINMATCHLEN") && i + 1 < call.argc()) {
        lengthMin = Math.max(0, call.integer(++i));
        if (call.failed()) return;
      } else {
        call.syntaxError();
        return;
      }
    }
    if (isLength && isIndexes) {
      call.error("ERR If you want both the length and indexes, please just use IDX.");
      return;
    }
    long tableBytes = CELL_BYTES * (a.length + 1L) * (b.length + 1L);
    long bytesMax =
        Math.min(call.engine().settings().clientOptions().bulkLengthMax.value(), TABLE_BYTES_MAX);
    if (tableBytes > bytesMax) {
      call.error("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
      return;
    }
    Lcs lcs = new Lcs(a, b);
    if (isIndexes) lcs.replyIndexes(call.reply(), lengthMin, hasLengths);
    else if (isLength) call.reply().integer(lcs.length);
    else call.reply().bulk(lcs.subsequence());
  }

  private static byte @Nullable [] string(Call call, int keyArg) {
    Object slot = call.readSlot(keyArg);
    if (slot == null) return EMPTY;
    if (Strings.isString(slot)) return Strings.copy(slot);
    call.error("ERR The specified keys must contain string values");
    return null;
  }

  /** Whether the way back from a pair of lengths, whose last bytes differ, shortens a. */
  private boolean skipsA(int i, int j) {
    int row = longer == a ? j - 1 : i - 1;
    int bit = longer == a ? i - 1 : j - 1;
    return (skipsA[row * words + bit / Long.SIZE] >>> bit & 1) != 0;
  }

  private byte[] subsequence() {
    byte[] result = new byte[length];
    int k = result.length;
    int i = a.length;
    int j = b.length;
    while (k > 0) {
      if (a[i - 1] == b[j - 1]) {
        result[--k] = a[--i];
        j--;
      } else if (skipsA(i, j)) {
        i--;
      } else {
        j--;
      }
    }
    return result;
  }

  /** Stretches from the end of the strings to their beginning. */
  private List<Match> matches() {
    List<Match> matches = new ArrayList<>();
    int i = a.length;
    int j = b.length;
    while (i > 0 && j > 0) {
      if (a[i - 1] == b[j - 1]) {
        int endA = i - 1;
        int endB = j - 1;
        do {
          i--;
          j--;
        } while (i > 0 && j > 0 && a[i - 1] == b[j - 1]);
        matches.add(new Match(i, endA, j, endB));
      } else if (skipsA(i, j)) {
        i--;
      } else {
        j--;
      }
    }
    return matches;
  }

  private void replyIndexes(RespWriter reply, long lengthMin, boolean hasLengths) {
    List<Match> matches = matches();
    matches.removeIf(match -> match.length() < lengthMin);
    reply.map(2);
    reply.bulk("matches");
    reply.array(matches.size());
    for (Match match : matches) {
      reply.array(hasLengths ? 3 : 2);
      replyPair(reply, match.startA(), match.endA());
      replyPair(reply, match.startB(), match.endB());
      if (hasLengths) reply.integer(match.length());
    }
    reply.bulk("len");
    reply.integer(length);
  }

  private static void replyPair(RespWriter reply, int start, int end) {
    reply.array(2);
    reply.integer(start);
    reply.integer(end);
  }
}
