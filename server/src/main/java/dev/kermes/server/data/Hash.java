package dev.kermes.server.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A seeded 64-bit hash of bytes: 16 bytes a round, each folded by a 128-bit multiplication (the
 * construction of wyhash). Both constants depend on the seed, so that a client that does not know
 * it cannot choose colliding keys.
 */
final class Hash {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Hash() {}

  static long of(byte[] bytes, int offset, int length, long seed) {
    long salt = seed * GOLDEN ^ GOLDEN;
    if (length > 16) return longer(bytes, offset, length, seed, salt);
    long a;
    long b;
    if (length >= 8) {
      a = (long) LONG.get(bytes, offset);
      b = (long) LONG.get(bytes, offset + length - 8);
    } else if (length >= 4) {
      a = (int) INT.get(bytes, offset);
      b = (int) INT.get(bytes, offset + length - 4);
    } else {
      a = short3(bytes, offset, length);
      b = 0;
    }
    return fold(salt ^ length, fold(a ^ salt, b ^ seed));
  }

  private static long longer(byte[] bytes, int offset, int length, long seed, long salt) {
    long state = seed;
    int end = offset + length;
    for (int i = offset; i < end - 16; i += 16) {
      state = fold((long) LONG.get(bytes, i) ^ salt, (long) LONG.get(bytes, i + 8) ^ state);
    }
    long a = (long) LONG.get(bytes, end - 16);
    long b = (long) LONG.get(bytes, end - 8);
    return fold(salt ^ length, fold(a ^ salt, b ^ state));
  }

  private static int short3(byte[] bytes, int offset, int length) {
    if (length == 0) return 0;
    int first = bytes[offset] & 0xff;
    int middle = bytes[offset + (length >> 1)] & 0xff;
    int last = bytes[offset + length - 1] & 0xff;
    return first << 16 | middle << 8 | last;
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
