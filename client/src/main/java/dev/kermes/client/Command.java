package dev.kermes.client;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A command as a value: its request, already encoded, and the decoder of its reply. Immutable; can
 * be sent any number of times, alone, in a batch or in a transaction.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
public final class Command<T extends @Nullable Object> {
  /** What a client must know of a command to put it on the right connection. */
  enum Trait {
    /** Touches no connection state and answers at once. */
    PLAIN,
    /** May wait in the server: goes on a connection of its own. */
    BLOCKING,
    /** Changes the connection it is sent on: refused on a shared one. */
    STATEFUL,
    /** Has no reply of its own, or many: refused everywhere. */
    UNANSWERED
  }

  private final String name;
  private final byte[] request;
  private final int from;
  private final int to;
  private final Decoder<T> decoder;
  private final Trait trait;
  private final long timeoutNanos;
  private final @Nullable EncodeException failure;

  Command(
      String name,
      byte[] request,
      int from,
      int to,
      Decoder<T> decoder,
      Trait trait,
      long timeoutNanos,
      @Nullable EncodeException failure) {
    this.name = name;
    this.request = request;
    this.from = from;
    this.to = to;
    this.decoder = decoder;
    this.trait = trait;
    this.timeoutNanos = timeoutNanos;
    this.failure = failure;
  }

  /**
   * A command of plain words in UTF-8, replying any kind: {@code Command.of("OBJECT", "HELP")}.
   * Strings in the reply are String; see {@link Replies#any}.
   */
  public static Command<@Nullable Object> of(String name, String... arguments) {
    CommandBuilder builder = CommandBuilder.of(name);
    for (String argument : arguments) builder.text(argument);
    return builder.build(Replies.any());
  }

  /** The first word of the request in upper case. */
  public String name() {
    return name;
  }

  /** Whether the server may wait before it replies. */
  public boolean isBlocking() {
    return trait == Trait.BLOCKING;
  }

  /** The same request with a deadline of its own, counted from sending; zero means none. */
  public Command<T> withTimeout(Duration timeout) {
    long nanos = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
    return new Command<>(name, request, from, to, decoder, trait, nanos, failure);
  }

  /** The same request, its reply read by {@code other}. */
  public <U extends @Nullable Object> Command<U> decodedBy(Decoder<U> other) {
    return new Command<>(name, request, from, to, other, trait, timeoutNanos, failure);
  }

  /** A copy of the request's bytes as they go over the wire. */
  public byte[] requestBytes() {
    return Arrays.copyOfRange(request, from, to);
  }

  @Override
  public String toString() {
    return "Command[" + name + ", " + (to - from) + " bytes]";
  }

  byte[] request() {
    return request;
  }

  int from() {
    return from;
  }

  int length() {
    return to - from;
  }

  Decoder<T> decoder() {
    return decoder;
  }

  Trait trait() {
    return trait;
  }

  /** The command's own timeout; 0 means the client's, Long.MAX_VALUE none. */
  long timeoutNanos() {
    return timeoutNanos;
  }

  /** Why the request could not be encoded, or null. */
  @Nullable EncodeException failure() {
    return failure;
  }
}
