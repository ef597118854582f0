package dev.kermes.server.command;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What BITOP does with bytes; strings that are shorter count as followed by zero bytes. */
enum BitOperation {
  AND,
  OR,
  XOR,
  NOT;

  static @Nullable BitOperation at(Call call, int i) {
    for (BitOperation operation : values()) if (call.is(i, operation.name())) return operation;
    return null;
  }

  byte[] apply(byte[][] sources) {
    int length = 0;
    for (byte[] source : sources) length = Math.max(length, source.length);
    byte[] result = Arrays.copyOf(sources[0], length);
    if (this == NOT) for (int i = 0; i < length; i++) result[i] = (byte) ~result[i];
    for (int s = 1; s < sources.length; s++) combine(result, sources[s]);
    return result;
  }

  private void combine(byte[] result, byte[] source) {
    for (int i = 0; i < result.length; i++) {
      byte b = i < source.length ? source[i] : 0;
      switch (this) {
        case AND -> result[i] &= b;
        case OR -> result[i] |= b;
        default -> result[i] ^= b;
      }
    }
  }
}
