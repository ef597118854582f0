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
  /** The property of a command that decides on which connection it may be sent. */
  enum Trait {
    /** Changes no connection state and is answered at once. */
    PLAIN,
    /** May wait in the server: sent on a connection of its own. */
    BLOCKING,
    /** Changes the state of its connection: refused on a shared one. */
    STATEFUL,
    /** Has no reply, or several: refused everywhere. */
    UNANSWERED
  }

  private final CommandName commandName;
  private final byte[] request;
  private final int from;
  private final int to;
  private final Decoder<T> decoder;
  private final long timeoutNanos;
  private final @Nullable EncodeException failure;
  private final boolean isBlocking;
  private final boolean isUnanswered;
  private final boolean isRepeatable;

  /** The command that {@code builder} has encoded in bytes [from, to). */
  Command(CommandBuilder builder, byte[] request, int from, int to, Decoder<T> decoder) {
    this.commandName = builder.commandName();
    this.request = request;
    this.from = from;
    this.to = to;
    this.decoder = decoder;
    this.timeoutNanos = 0;
    this.failure = builder.failure();
    this.isBlocking = builder.isBlocking() || commandName.trait() == Trait.BLOCKING;
    this.isUnanswered = builder.isUnanswered();
    this.isRepeatable = false;
  }

  /** Copies {@code like} with the given decoder, timeout and repeatability. */
  private Command(Command<?> like, Decoder<T> decoder, long timeoutNanos, boolean isRepeatable) {
    this.commandName = like.commandName;
    this.request = like.request;
    this.from = like.from;
    this.to = like.to;
    this.decoder = decoder;
    this.timeoutNanos = timeoutNanos;
    this.failure = like.failure;
    this.isBlocking = like.isBlocking;
    this.isUnanswered = like.isUnanswered;
    this.isRepeatable = isRepeatable;
  }

  /**
   * A command of plain words in UTF-8 with a reply of any type: {@code Command.of("OBJECT",
   * "HELP")}. Strings in the reply are String; see {@link Replies#any}.
   */
  public static Command<@Nullable Object> of(String name, String... arguments) {
    CommandBuilder builder = CommandBuilder.of(name);
    for (String argument : arguments) builder.text(argument);
    return builder.build(Replies.any());
  }

  /** The first word of the request in upper case. */
  public String name() {
    return commandName.name();
  }

  /** Whether the server may wait before it replies. */
  public boolean isBlocking() {
    return isBlocking;
  }

  /** The same request with a deadline of its own, counted from sending; zero means none. */
  public Command<T> withTimeout(Duration timeout) {
    long nanos = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
    return new Command<>(this, decoder, nanos, isRepeatable);
  }

  /** The same request with the deadline of {@code other}. */
  Command<T> withTimeoutOf(Command<?> other) {
    return new Command<>(this, decoder, other.timeoutNanos, isRepeatable);
  }

  /** The same request with {@code other} as the decoder of its reply. */
  public <U extends @Nullable Object> Command<U> decodedBy(Decoder<U> other) {
    return new Command<>(this, other, timeoutNanos, isRepeatable);
  }

  /**
   * The same request, declared safe to execute twice. Like commands that only read, it is sent
   * again when its connection is lost before the reply; see {@link RedisOptions#retriesMax}.
   */
  public Command<T> repeatable() {
    return new Command<>(this, decoder, timeoutNanos, true);
  }

  /** A copy of the request's bytes as sent to the server. */
  public byte[] requestBytes() {
    return Arrays.copyOfRange(request, from, to);
  }

  @Override
  public String toString() {
    return "Command[" + name() + ", " + (to - from) + " bytes]";
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

  /** See {@link PendingCommand#permitCount}. */
  int permitCount() {
    return 1 + ((to - from) >>> 10);
  }

  Decoder<T> decoder() {
    return decoder;
  }

  Trait trait() {
    if (isBlocking) return Trait.BLOCKING;
    return isUnanswered ? Trait.UNANSWERED : commandName.trait();
  }

  CommandName commandName() {
    return commandName;
  }

  /** Whether the caller has declared that it is safe to execute twice. */
  boolean isRepeatable() {
    return isRepeatable;
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
