package dev.kermes.server.command.bitmap;

import dev.kermes.server.command.Call;
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

  static @Nullable BitOperation at(Call call, int i) {
    for (BitOperation operation : values()) if (call.is(i, operation.name())) return operation;
    return null;
  }

  /** Whether it combines the first string with others, so that others are required. */
  boolean needsOthers() {
    return this == DIFF || this == DIFF1 || this == ANDOR;
  }

  byte[] apply(byte[][] sources) {
    int length = 0;
    for (byte[] source : sources) length = Math.max(length, source.length);
    byte[] first = Arrays.copyOf(sources[0], length);
    byte[][] others = Arrays.copyOfRange(sources, 1, sources.length);
    return switch (this) {
      case AND -> and(first, others);
      case OR -> or(first, others);
      case XOR -> xor(first, others);
      case NOT -> not(first);
      case DIFF -> and(first, not(or(new byte[length], others)));
      case DIFF1 -> and(not(first), or(new byte[length], others));
      case ANDOR -> and(first, or(new byte[length], others));
      case ONE -> and(xor(first, others), not(repeated(sources, length)));
    };
  }

  // Each of these changes and returns its first operand

  private static byte[] and(byte[] result, byte[]... operands) {
    for (byte[] operand : operands) {
      for (int i = 0; i < operand.length; i++) result[i] &= operand[i];
      Arrays.fill(result, operand.length, result.length, (byte) 0);
    }
    return result;
  }

  private static byte[] or(byte[] result, byte[]... operands) {
    for (byte[] operand : operands) {
      for (int i = 0; i < operand.length; i++) result[i] |= operand[i];
    }
    return result;
  }

  private static byte[] xor(byte[] result, byte[]... operands) {
    for (byte[] operand : operands) {
      for (int i = 0; i < operand.length; i++) result[i] ^= operand[i];
    }
    return result;
  }

  private static byte[] not(byte[] result) {
    for (int i = 0; i < result.length; i++) result[i] = (byte) ~result[i];
    return result;
  }

  /** The bits that more than one string has. */
  private static byte[] repeated(byte[][] sources, int length) {
    byte[] seen = new byte[length];
    byte[] repeated = new byte[length];
    for (byte[] source : sources) {
      for (int i = 0; i < source.length; i++) {
        repeated[i] |= (byte) (seen[i] & source[i]);
        seen[i] |= source[i];
      }
    }
    return repeated;
  }
}
