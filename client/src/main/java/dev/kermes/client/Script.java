package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Lua script and the shape of its result. It is sent as EVALSHA, and as EVAL to a server that
 * does not know it yet. Immutable; keep it as a constant.
 *
 * <pre>{@code
 * static final Script<Long> ADD_UP_TO = Script.of("return ...", Replies.integer());
 *
 * redis.run(ADD_UP_TO, List.of("counter"), List.of("10"));
 * }</pre>
 *
 * @param <T> the result; nullable where the script may return nil
 */
public final class Script<T extends @Nullable Object> {
  private final String text;
  private final String sha1;
  private final Decoder<T> decoder;
  private final boolean isReadOnly;

  private Script(String text, Decoder<T> decoder, boolean isReadOnly) {
    this.text = text;
    this.sha1 = sha1(text);
    this.decoder = decoder;
    this.isReadOnly = isReadOnly;
  }

  /** The script {@code text}, with {@code decoder} for its result. */
  public static <T extends @Nullable Object> Script<T> of(String text, Decoder<T> decoder) {
    return new Script<>(text, decoder, false);
  }

  /**
   * The same script, declared to only read, so that replicas may run it and it may be repeated;
   * Redis 7.0.
   */
  public Script<T> readOnly() {
    return new Script<>(text, decoder, true);
  }

  private static String sha1(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-1 in this JVM", e);
    }
  }

  /** Its id in the server: 40 hexadecimal digits. */
  public String sha1() {
    return sha1;
  }

  /** The command that runs it on a server that knows it. */
  public <K, V> Command<T> evalsha(Codec<K> keyCodec, List<K> keys, Codec<V> codec, List<V> args) {
    return command(isReadOnly ? "EVALSHA_RO" : "EVALSHA", sha1, keyCodec, keys, codec, args);
  }

  /** The command that runs it on any server and loads it there. */
  public <K, V> Command<T> eval(Codec<K> keyCodec, List<K> keys, Codec<V> codec, List<V> args) {
    return command(isReadOnly ? "EVAL_RO" : "EVAL", text, keyCodec, keys, codec, args);
  }

  private <K, V> Command<T> command(
      String name, String script, Codec<K> keyCodec, List<K> keys, Codec<V> codec, List<V> args) {
    CommandBuilder builder = CommandBuilder.of(name).text(script).integer(keys.size());
    for (K key : keys) builder.key(keyCodec, key);
    for (V arg : args) builder.value(codec, arg);
    return builder.build(decoder);
  }
}
