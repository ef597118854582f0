package dev.kermes.events;

import dev.kermes.client.Codec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A codec of payloads with one codec of the client per type: texts, bytes, and types that are added
 * with a name. Immutable.
 *
 * <pre>{@code
 * PayloadTypes.standard().with("order", Order.class, JsonCodec.of(Order.class))
 * }</pre>
 */
public final class PayloadTypes implements PayloadCodec {

  private record Entry<T>(String name, Class<T> type, Codec<T> codec) {
    byte[] encode(Object payload) {
      return codec.encode(type.cast(payload));
    }

    T decode(byte[] bytes) {
      return codec.decode(bytes, 0, bytes.length);
    }
  }

  private static final PayloadTypes STANDARD =
      new PayloadTypes(Map.of())
          .with("text", String.class, Codec.utf8())
          .with("bytes", byte[].class, Codec.bytes());

  private final Map<String, Entry<?>> byName;
  private final Map<Class<?>, Entry<?>> byType = new HashMap<>();

  private PayloadTypes(Map<String, Entry<?>> byName) {
    this.byName = byName;
    byName.values().forEach(entry -> byType.put(entry.type, entry));
  }

  /** Strings, named {@code text}, and byte arrays, named {@code bytes}. */
  public static PayloadTypes standard() {
    return STANDARD;
  }

  /**
   * The same with one type more. The name is stored with each event: it must stay the same in later
   * versions of a program, while the class may be renamed.
   */
  public <T> PayloadTypes with(String name, Class<T> type, Codec<T> codec) {
    Map<String, Entry<?>> more = new LinkedHashMap<>(byName);
    more.put(name, new Entry<>(name, type, codec));
    return new PayloadTypes(more);
  }

  /** Encodes a payload whose class, or a superclass or interface of it, has been added. */
  @Override
  public Encoded encode(Object payload) {
    Entry<?> entry = find(payload);
    if (entry == null) {
      throw new IllegalArgumentException("no codec: class=" + payload.getClass().getName());
    }
    return new Encoded(entry.name, entry.encode(payload));
  }

  private @Nullable Entry<?> find(Object payload) {
    Entry<?> exact = byType.get(payload.getClass());
    if (exact != null) return exact;
    for (Entry<?> entry : byName.values()) if (entry.type.isInstance(payload)) return entry;
    return null;
  }

  @Override
  public Object decode(String type, byte[] bytes) {
    Entry<?> entry = byName.get(type);
    if (entry == null) throw new IllegalArgumentException("no codec: type=" + type);
    return entry.decode(bytes);
  }
}
