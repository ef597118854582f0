package dev.kermes.client;

import dev.kermes.client.internal.command.EncodedCommand;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A command as a value: its request, already encoded, and the decoder of its reply. Immutable; can
 * be sent any number of times, alone, in a batch or in a transaction. Made by {@link Commands}, by
 * {@link #of} or by a {@link CommandBuilder}.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
public sealed interface Command<T extends @Nullable Object> permits EncodedCommand {
  /**
   * A command of plain words in UTF-8 with a reply of any type: {@code Command.of("OBJECT",
   * "HELP")}. Strings in the reply are String; see {@link Replies#any}.
   */
  static Command<@Nullable Object> of(String name, String... arguments) {
    return EncodedCommand.of(name, arguments);
  }

  /** The first word of the request in upper case. */
  String name();

  /** Whether the server may wait before it replies. */
  boolean isBlocking();

  /** The same request with a deadline of its own, counted from sending; zero means none. */
  Command<T> withTimeout(Duration timeout);

  /** The same request with {@code other} as the decoder of its reply. */
  <U extends @Nullable Object> Command<U> decodedBy(Decoder<U> other);

  /**
   * The same request, declared safe to execute twice. Like commands that only read, it is sent
   * again when its connection is lost before the reply; see {@link RedisOptions#retriesMax}.
   */
  Command<T> repeatable();

  /** A copy of the request's bytes as sent to the server. */
  byte[] requestBytes();
}
