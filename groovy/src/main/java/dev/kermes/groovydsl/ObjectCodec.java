package dev.kermes.groovydsl;

import dev.kermes.client.Codec;
import java.nio.charset.StandardCharsets;

/**
 * Encodes whatever Groovy has for keys and values: GStrings and other texts as UTF-8, byte[] as it
 * is, numbers and booleans in words; anything else is left to the codec of the view. Replies are
 * decoded by that codec.
 *
 * @param <T> what a reply is
 */
final class ObjectCodec<T> implements Codec<Object> {
  private final Codec<T> codec;

  private ObjectCodec(Codec<T> codec) {
    this.codec = codec;
  }

  /** Typed by its replies; what it encodes need not be of that type. */
  @SuppressWarnings("unchecked")
  static <T> Codec<T> of(Codec<T> codec) {
    return (Codec<T>) new ObjectCodec<>(codec);
  }

  @Override
  @SuppressWarnings("unchecked")
  public byte[] encode(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes;
      case CharSequence text -> text.toString().getBytes(StandardCharsets.UTF_8);
      case Number number -> number.toString().getBytes(StandardCharsets.UTF_8);
      case Boolean truth -> truth.toString().getBytes(StandardCharsets.UTF_8);
      default -> codec.encode((T) value);
    };
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    return codec.decode(bytes, offset, length);
  }
}
