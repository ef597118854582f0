package dev.kermes.groovydsl;

import dev.kermes.client.Codec;
import java.nio.charset.StandardCharsets;

/**
 * Encodes Groovy objects as keys and values: GStrings and other text in UTF-8, byte[] unchanged,
 * numbers and booleans as text, and any other object with the codec of the view. Replies are
 * decoded by that codec.
 *
 * @param <T> the type of decoded replies
 */
final class ObjectCodec<T> implements Codec<Object> {
  private final Codec<T> codec;

  private ObjectCodec(Codec<T> codec) {
    this.codec = codec;
  }

  /** Creates a codec with the type of its replies; it encodes objects of any type. */
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
