package dev.kermes.server.command.bitmap;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.Slice;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The operations of BITOP on bytes; shorter strings are padded with zero bytes. */
enum BitOperation {
  AND,
  OR,
  XOR,
  NOT,
  /** The bits that only the first string has. */
  DIFF,
  /** The bits that some other string has and the first one does not. */
  DIFF1,
  /** The bits that the first string and some other string have. */
  ANDOR,
  /** The bits that exactly one string has. */
  ONE;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** 256 bytes: 1 KB is no faster, and strings of less than 1 KB would have no block. */
  private static final int BLOCK = 256;

  static @Nullable BitOperation at(Call call, int i) {
    for (BitOperation operation : values()) if (call.is(i, operation.name())) return operation;
    return null;
  }

  /** Whether it combines the first string with others, so that others are required. */
  boolean needsOthers() {
    return this == DIFF || this == DIFF1 || this == ANDOR;
  }

  /** The length of the result: that of the longest source. */
  static int length(Slice[] sources) {
    int length = 0;
    for (Slice source : sources) length = Math.max(length, source.length());
    return length;
  }

  /** The result; {@code room}, of its length and no source, is filled with it if there is any. */
  byte[] apply(Slice[] sources, byte @Nullable [] room) {
    int length = length(sources);
    byte[] first = grown(sources[0], length, room);
    Slice[] others = Arrays.copyOfRange(sources, 1, sources.length);
    return switch (this) {
      case AND -> and(first, others);
      case OR -> or(first, others);
      case XOR -> xor(first, others);
      case NOT -> not(first);
      case DIFF -> and(first, whole(not(or(new byte[length], others))));
      case DIFF1 -> and(not(first), whole(or(new byte[length], others)));
      case ANDOR -> and(first, whole(or(new byte[length], others)));
      case ONE -> and(xor(first, others), whole(not(repeated(sources, length))));
    };
  }

  /** A copy with zero bytes after it; a source of full length is copied without zeroing first. */
  private static byte[] grown(Slice source, int length, byte @Nullable [] room) {
    if (room == null && source.length() == length) return source.copy();
    byte[] grown = room == null ? new byte[length] : room;
    System.arraycopy(source.array(), source.offset(), grown, 0, source.length());
    if (room != null) Arrays.fill(room, source.length(), length, (byte) 0);
    return grown;
  }

  private static Slice whole(byte[] bytes) {
    return new Slice().wrap(bytes);
  }

  // Each of these changes and returns its first operand. HotSpot makes vector instructions of
  // loops over longs whose length is a constant; with a variable length, only if the first strings
  // that it saw were long. It makes none of loops over the bytes of two arrays whose offsets
  // differ.

  private static byte[] and(byte[] result, Slice... operands) {
    for (Slice operand : operands) {
      byte[] bytes = operand.array();
      int from = operand.offset();
      int length = operand.length();
      int i = 0;
      for (; i <= length - BLOCK; i += BLOCK) andBlock(result, i, bytes, from + i);
      for (; i < length - 7; i += 8) LONG.set(result, i, at(result, i) & at(bytes, from + i));
      for (; i < length; i++) result[i] &= bytes[from + i];
      Arrays.fill(result, length, result.length, (byte) 0);
    }
    return result;
  }

  private static void andBlock(byte[] result, int to, byte[] bytes, int from) {
    for (int i = 0; i < BLOCK; i += 8) {
      LONG.set(result, to + i, at(result, to + i) & at(bytes, from + i));
    }
  }

  private static byte[] or(byte[] result, Slice... operands) {
    for (Slice operand : operands) {
      byte[] bytes = operand.array();
      int from = operand.offset();
      int length = operand.length();
      int i = 0;
      for (; i <= length - BLOCK; i += BLOCK) orBlock(result, i, bytes, from + i);
      for (; i < length - 7; i += 8) LONG.set(result, i, at(result, i) | at(bytes, from + i));
      for (; i < length; i++) result[i] |= bytes[from + i];
    }
    return result;
  }

  private static void orBlock(byte[] result, int to, byte[] bytes, int from) {
    for (int i = 0; i < BLOCK; i += 8) {
      LONG.set(result, to + i, at(result, to + i) | at(bytes, from + i));
    }
  }

  private static byte[] xor(byte[] result, Slice... operands) {
    for (Slice operand : operands) {
      byte[] bytes = operand.array();
      int from = operand.offset();
      int length = operand.length();
      int i = 0;
      for (; i <= length - BLOCK; i += BLOCK) xorBlock(result, i, bytes, from + i);
      for (; i < length - 7; i += 8) LONG.set(result, i, at(result, i) ^ at(bytes, from + i));
      for (; i < length; i++) result[i] ^= bytes[from + i];
    }
    return result;
  }

  private static void xorBlock(byte[] result, int to, byte[] bytes, int from) {
    for (int i = 0; i < BLOCK; i += 8) {
      LONG.set(result, to + i, at(result, to + i) ^ at(bytes, from + i));
    }
  }

  private static byte[] not(byte[] result) {
    int i = 0;
    for (; i <= result.length - BLOCK; i += BLOCK) notBlock(result, i);
    for (; i < result.length - 7; i += 8) LONG.set(result, i, ~at(result, i));
    for (; i < result.length; i++) result[i] = (byte) ~result[i];
    return result;
  }

  private static void notBlock(byte[] result, int to) {
    for (int i = 0; i < BLOCK; i += 8) LONG.set(result, to + i, ~at(result, to + i));
  }

  /** The bits that more than one string has. */
  private static byte[] repeated(Slice[] sources, int length) {
    byte[] seen = new byte[length];
    byte[] repeated = new byte[length];
    for (Slice source : sources) {
      byte[] bytes = source.array();
      int from = source.offset();
      int end = source.length();
      int i = 0;
      for (; i <= end - BLOCK; i += BLOCK) noteBlock(repeated, seen, i, bytes, from + i);
      for (; i < end - 7; i += 8) note(repeated, seen, i, at(bytes, from + i));
      for (; i < end; i++) {
        byte bits = bytes[from + i];
        repeated[i] |= (byte) (seen[i] & bits);
        seen[i] |= bits;
      }
    }
    return repeated;
  }

  private static void noteBlock(byte[] repeated, byte[] seen, int to, byte[] bytes, int from) {
    for (int i = 0; i < BLOCK; i += 8) note(repeated, seen, to + i, at(bytes, from + i));
  }

  private static void note(byte[] repeated, byte[] seen, int to, long bits) {
    LONG.set(repeated, to, at(repeated, to) | at(seen, to) & bits);
    LONG.set(seen, to, at(seen, to) | bits);
  }

  private static long at(byte[] bytes, int index) {
    return (long) LONG.get(bytes, index);
  }
}
