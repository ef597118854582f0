package dev.kermes.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Converts keys or values to bytes and back. Immutable; {@link #encode} runs on the caller's
 * thread, {@link #decode} on the event loop, where it must not block.
 *
 * @param <T> the type of the key or value, never null
 */
public interface Codec<T> {
  /** Encodes {@code value}. An exception fails this command only. */
  byte[] encode(T value);

  /** Decodes bytes [offset, offset + length); bytes to be kept must be copied. */
  T decode(byte[] bytes, int offset, int length);

  /** Strings as UTF-8; malformed bytes become U+FFFD. */
  static Codec<String> utf8() {
    return Utf8Codec.INSTANCE;
  }

  /** Bytes as they are. */
  static Codec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }

  /** Strings as UTF-8. */
  enum Utf8Codec implements Codec<String> {
    /** The only one. */
    INSTANCE;

    @Override
    public byte[] encode(String value) {
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes, int offset, int length) {
      return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
  }

  /** Bytes as they are. */
  enum BytesCodec implements Codec<byte[]> {
    /** The only one. */
    INSTANCE;

    @Override
    public byte[] encode(byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(byte[] bytes, int offset, int length) {
      return Arrays.copyOfRange(bytes, offset, offset + length);
    }
  }
}
