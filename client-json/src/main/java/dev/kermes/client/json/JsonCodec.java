package dev.kermes.client.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.kermes.client.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Values of one type as JSON in UTF-8. What Jackson cannot write or read fails its own command.
 *
 * <pre>{@code
 * Codec<User> users = JsonCodec.of(User.class);
 * redis.blocking(Codec.utf8(), users).set("user:1", new User("Ann"));
 * }</pre>
 *
 * @param <T> the type, never null; the text {@code null} is not readable
 */
public final class JsonCodec<T> implements Codec<T> {
  private static final ObjectMapper STANDARD = new ObjectMapper().findAndRegisterModules();

  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JsonCodec(ObjectWriter writer, ObjectReader reader) {
    this.writer = writer;
    this.reader = reader;
  }

  /** Of {@code type}, as Jackson and the modules on the class path do it. */
  public static <T> JsonCodec<T> of(Class<T> type) {
    return of(STANDARD, type);
  }

  /** Of {@code type}, as {@code mapper} does it. */
  public static <T> JsonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JsonCodec<>(mapper.writerFor(type), mapper.readerFor(type));
  }

  /** Of a type with parameters, as {@code mapper} does it. */
  public static <T> JsonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
    return new JsonCodec<>(mapper.writerFor(type), mapper.readerFor(type));
  }

  @Override
  public byte[] encode(T value) {
    try {
      return writer.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public T decode(byte[] bytes, int offset, int length) {
    try {
      T value = reader.readValue(bytes, offset, length);
      if (value == null) throw new IOException("null is not a value");
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
