package dev.kermes.server.command.string;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * XXH3, the 64-bit hash of the xxHash family, with seed 0 and the default secret. Not
 * cryptographic.
 *
 * <pre>
 *   bytes   0        avalanche of the secret
 *     1..16          one multiplication or two
 *    17..240         pairs of words from both ends, each folded from a 128-bit product
 *   241..            eight accumulators; stripes of 64 bytes, scrambled after each block of 16
 * </pre>
 *
 * Per byte; allocates only the accumulators of long inputs.
 */
final class Xxh3 {

  private static final long PRIME32_1 = 0x9E3779B1L;
  private static final long PRIME32_2 = 0x85EBCA77L;
  private static final long PRIME32_3 = 0xC2B2AE3DL;
  private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME64_3 = 0x165667B19E3779F9L;
  private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_MIX_1 = 0x165667919E3779F9L;
  private static final long PRIME_MIX_2 = 0x9FB21C651E98DF25L;

  private static final byte[] SECRET =
      HexFormat.of()
          .parseHex(
              "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                  + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                  + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

  private static final int STRIPE_LENGTH = 64;
  private static final int STRIPES_PER_BLOCK = 16;
  private static final int BLOCK_LENGTH = STRIPE_LENGTH * STRIPES_PER_BLOCK;
  private static final int LAST_SECRET = SECRET.length - STRIPE_LENGTH;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Xxh3() {}

  /** The hash of a slice. */
  public static long hash(byte[] bytes, int offset, int length) {
    if (length > 240) return hashLong(bytes, offset, length);
    if (length > 128) return hashTo240(bytes, offset, length);
    if (length > 16) return hashTo128(bytes, offset, length);
    if (length > 8) return hashTo16(bytes, offset, length);
    if (length > 3) return hashTo8(bytes, offset, length);
    if (length > 0) return hashTo3(bytes, offset, length);
    return avalanche64(secret(56) ^ secret(64));
  }

  private static long hashTo3(byte[] bytes, int offset, int length) {
    int first = bytes[offset] & 0xff;
    int middle = bytes[offset + (length >> 1)] & 0xff;
    int last = bytes[offset + length - 1] & 0xff;
    int combined = first << 16 | middle << 24 | last | length << 8;
    return avalanche64((combined ^ int32(SECRET, 0) ^ int32(SECRET, 4)) & 0xffffffffL);
  }

  private static long hashTo8(byte[] bytes, int offset, int length) {
    long head = int32(bytes, offset);
    long tail = int32(bytes, offset + length - 4) & 0xffffffffL;
    long h = tail + (head << 32) ^ secret(8) ^ secret(16);
    h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
    h *= PRIME_MIX_2;
    h ^= (h >>> 35) + length;
    h *= PRIME_MIX_2;
    return h ^ h >>> 28;
  }

  private static long hashTo16(byte[] bytes, int offset, int length) {
    long low = int64(bytes, offset) ^ secret(24) ^ secret(32);
    long high = int64(bytes, offset + length - 8) ^ secret(40) ^ secret(48);
    return avalanche(length + Long.reverseBytes(low) + high + foldedProduct(low, high));
  }

  private static long hashTo128(byte[] bytes, int offset, int length) {
    long h = length * PRIME64_1;
    int end = offset + length;
    for (int pair = (length - 1) / 32; pair >= 0; pair--) {
      h += mix(bytes, offset + 16 * pair, 32 * pair);
      h += mix(bytes, end - 16 * (pair + 1), 32 * pair + 16);
    }
    return avalanche(h);
  }

  private static long hashTo240(byte[] bytes, int offset, int length) {
    long h = length * PRIME64_1;
    for (int i = 0; i < 8; i++) h += mix(bytes, offset + 16 * i, 16 * i);
    h = avalanche(h);
    for (int i = 8; i < length / 16; i++) h += mix(bytes, offset + 16 * i, 16 * (i - 8) + 3);
    return avalanche(h + mix(bytes, offset + length - 16, 136 - 17));
  }

  private static long mix(byte[] bytes, int offset, int secretOffset) {
    return foldedProduct(
        int64(bytes, offset) ^ secret(secretOffset),
        int64(bytes, offset + 8) ^ secret(secretOffset + 8));
  }

  private static long hashLong(byte[] bytes, int offset, int length) {
    long[] sums = {
      PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1
    };
    int end = offset + length;
    int at = offset;
    for (; at + BLOCK_LENGTH < end; at += BLOCK_LENGTH) {
      accumulate(sums, bytes, at, STRIPES_PER_BLOCK);
      scramble(sums);
    }
    accumulate(sums, bytes, at, (end - 1 - at) / STRIPE_LENGTH);
    accumulateStripe(sums, bytes, end - STRIPE_LENGTH, LAST_SECRET - 7);
    long h = length * PRIME64_1;
    for (int i = 0; i < sums.length; i += 2) {
      h += foldedProduct(sums[i] ^ secret(11 + 8 * i), sums[i + 1] ^ secret(19 + 8 * i));
    }
    return avalanche(h);
  }

  private static void accumulate(long[] sums, byte[] bytes, int offset, int stripes) {
    for (int i = 0; i < stripes; i++) {
      accumulateStripe(sums, bytes, offset + STRIPE_LENGTH * i, 8 * i);
    }
  }

  private static void accumulateStripe(long[] sums, byte[] bytes, int offset, int secretOffset) {
    for (int i = 0; i < sums.length; i++) {
      long value = int64(bytes, offset + 8 * i);
      long key = value ^ secret(secretOffset + 8 * i);
      sums[i ^ 1] += value;
      sums[i] += (key & 0xffffffffL) * (key >>> 32);
    }
  }

  private static void scramble(long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      long sum = sums[i];
      sums[i] = (sum ^ sum >>> 47 ^ secret(LAST_SECRET + 8 * i)) * PRIME32_1;
    }
  }

  /** The two halves of the 128-bit product, combined. */
  private static long foldedProduct(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }

  private static long avalanche(long hash) {
    long h = (hash ^ hash >>> 37) * PRIME_MIX_1;
    return h ^ h >>> 32;
  }

  /** The stronger avalanche of XXH64, for inputs that are hardly mixed. */
  private static long avalanche64(long hash) {
    long h = (hash ^ hash >>> 33) * PRIME64_2;
    h = (h ^ h >>> 29) * PRIME64_3;
    return h ^ h >>> 32;
  }

  private static long secret(int offset) {
    return int64(SECRET, offset);
  }

  private static long int64(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  private static int int32(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }
}
