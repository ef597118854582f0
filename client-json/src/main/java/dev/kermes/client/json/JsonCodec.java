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
 * Encodes values of one type as JSON in UTF-8. A value that Jackson cannot write or read fails only
 * its own command.
 *
 * <pre>{@code
 * Codec<User> users = JsonCodec.of(User.class);
 * redis.blocking(Codec.utf8(), users).set("user:1", new User("Ann"));
 * }</pre>
 *
 * @param <T> the type, never null; the JSON text {@code null} cannot be decoded
 */
public final class JsonCodec<T> implements Codec<T> {
  private static final ObjectMapper STANDARD = new ObjectMapper().findAndRegisterModules();

  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JsonCodec(ObjectWriter writer, ObjectReader reader) {
    this.writer = writer;
    this.reader = reader;
  }

  /** A codec for {@code type}, using Jackson with the modules on the class path. */
  public static <T> JsonCodec<T> of(Class<T> type) {
    return of(STANDARD, type);
  }

  /** A codec for {@code type}, using {@code mapper}. */
  public static <T> JsonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JsonCodec<>(mapper.writerFor(type), mapper.readerFor(type));
  }

  /** A codec for a type with parameters, using {@code mapper}. */
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
