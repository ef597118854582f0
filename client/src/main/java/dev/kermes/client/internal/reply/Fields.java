package dev.kermes.client.internal.reply;

import dev.kermes.client.Decoder;
import dev.kermes.client.Replies;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyTypeException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The named fields of a reply: a map, or alternating names and values in RESP2. Fields that a newer
 * server adds are ignored.
 */
public final class Fields {
  private final Map<String, @Nullable Object> values;

  private Fields(Map<String, @Nullable Object> values) {
    this.values = values;
  }

  /** Reads all fields; {@code special} holds the decoders of fields that are not plain values. */
  public static Fields read(
      ReplyReader in, Map<String, ? extends Decoder<? extends @Nullable Object>> special) {
    int count = Shapes.present(in.readMap());
    Map<String, @Nullable Object> values = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = Shapes.text(in);
      Decoder<? extends @Nullable Object> decoder = special.get(name);
      values.put(name, decoder == null ? Replies.any().decode(in) : decoder.decode(in));
    }
    return new Fields(values);
  }

  public static Fields read(ReplyReader in) {
    return read(in, Map.of());
  }

  public String text(String name) {
    return needed(name, textOrNull(name));
  }

  public @Nullable String textOrNull(String name) {
    Object value = values.get(name);
    return value == null ? null : value.toString();
  }

  public long integer(String name) {
    return needed(name, integerOrNull(name));
  }

  public @Nullable Long integerOrNull(String name) {
    return numberOrNull(name, Long::valueOf);
  }

  public double decimal(String name) {
    return needed(name, numberOrNull(name, Double::valueOf));
  }

  private <N> @Nullable N numberOrNull(String name, Function<String, N> parse) {
    String text = textOrNull(name);
    try {
      return text == null ? null : parse.apply(text);
    } catch (NumberFormatException e) {
      throw new ReplyTypeException("not a number: " + name + "=" + text);
    }
  }

  /** The value read by a special decoder, or null. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that decoder's
  public <T> @Nullable T special(String name) {
    return (T) values.get(name);
  }

  public <T> T needed(String name, @Nullable T value) {
    if (value == null) throw new ReplyTypeException("field expected: name=" + name);
    return value;
  }
}
