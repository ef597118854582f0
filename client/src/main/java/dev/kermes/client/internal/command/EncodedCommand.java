package dev.kermes.client.internal.command;

import dev.kermes.client.Command;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.DecodeException;
import dev.kermes.client.Decoder;
import dev.kermes.client.EncodeException;
import dev.kermes.client.Replies;
import dev.kermes.client.ServerErrorException;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of {@link Command}: bytes [from, to) of an array, and the properties that
 * decide how to send them.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
public final class EncodedCommand<T extends @Nullable Object> implements Command<T> {
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

  /**
   * A command of the bytes [from, to) of {@code request}.
   *
   * @param failure why the request could not be encoded, or null
   * @param waits whether it may wait in the server, whatever its name says
   * @param isUnanswered whether it has no reply, whatever its name says
   */
  public EncodedCommand(
      CommandName commandName,
      byte[] request,
      int from,
      int to,
      Decoder<T> decoder,
      @Nullable EncodeException failure,
      boolean waits,
      boolean isUnanswered) {
    this.commandName = commandName;
    this.request = request;
    this.from = from;
    this.to = to;
    this.decoder = decoder;
    this.timeoutNanos = 0;
    this.failure = failure;
    this.isBlocking = waits || commandName.trait() == CommandTrait.BLOCKING;
    this.isUnanswered = isUnanswered;
    this.isRepeatable = false;
  }

  /** Copies {@code like} with the given decoder, timeout and repeatability. */
  private EncodedCommand(
      EncodedCommand<?> like, Decoder<T> decoder, long timeoutNanos, boolean isRepeatable) {
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

  /** See {@link Command#of}. */
  public static EncodedCommand<@Nullable Object> of(String name, String... arguments) {
    CommandBuilder builder = CommandBuilder.of(name);
    for (String argument : arguments) builder.text(argument);
    return of(builder.<@Nullable Object>build(Replies.any()));
  }

  /** The implementation of {@code command}; there is no other. */
  public static <T extends @Nullable Object> EncodedCommand<T> of(Command<T> command) {
    return (EncodedCommand<T>) command;
  }

  /** The same list; its elements have no other implementation. */
  @SuppressWarnings("unchecked")
  public static List<EncodedCommand<?>> all(List<? extends Command<?>> commands) {
    return (List<EncodedCommand<?>>) commands;
  }

  @Override
  public String name() {
    return commandName.name();
  }

  @Override
  public boolean isBlocking() {
    return isBlocking;
  }

  @Override
  public EncodedCommand<T> withTimeout(Duration timeout) {
    long nanos = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
    return new EncodedCommand<>(this, decoder, nanos, isRepeatable);
  }

  /** The same request with the deadline of {@code other}. */
  public EncodedCommand<T> withTimeoutOf(EncodedCommand<?> other) {
    return new EncodedCommand<>(this, decoder, other.timeoutNanos, isRepeatable);
  }

  @Override
  public <U extends @Nullable Object> EncodedCommand<U> decodedBy(Decoder<U> other) {
    return new EncodedCommand<>(this, other, timeoutNanos, isRepeatable);
  }

  @Override
  public EncodedCommand<T> repeatable() {
    return new EncodedCommand<>(this, decoder, timeoutNanos, true);
  }

  @Override
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

  /** One queue permit, and one more for each KiB. */
  public int permitCount() {
    return 1 + ((to - from) >>> 10);
  }

  public Decoder<T> decoder() {
    return decoder;
  }

  public CommandTrait trait() {
    if (isBlocking) return CommandTrait.BLOCKING;
    return isUnanswered ? CommandTrait.UNANSWERED : commandName.trait();
  }

  CommandName commandName() {
    return commandName;
  }

  /** Whether the caller has declared that it is safe to execute twice. */
  boolean isRepeatable() {
    return isRepeatable;
  }

  /** The command's own timeout; 0 means the client's, Long.MAX_VALUE none. */
  public long timeoutNanos() {
    return timeoutNanos;
  }

  /** Why the request could not be encoded, or null. */
  public @Nullable EncodeException failure() {
    return failure;
  }

  // ---- replies

  /** Decodes one reply of a batch: to its result, or to its failure as a value. */
  public @Nullable Object element(ReplyReader in) {
    if (in.type() == ReplyType.ERROR) return new ServerErrorException(in.readError());
    try {
      return decoder.decode(in);
    } catch (Throwable e) { // even an Error must affect only its own command
      return undecodable(name(), e);
    }
  }

  /**
   * Decodes one element of EXEC's reply; the reader then continues with the next one, whatever the
   * decoder did.
   */
  public @Nullable Object transactionElement(ReplyReader in) {
    return in.<@Nullable Object>readOne(this::element);
  }

  /** The failure of the command {@code name}, whose decoder threw {@code cause}. */
  public static DecodeException undecodable(String name, Throwable cause) {
    return new DecodeException(
        "reply not decodable: command=" + name + ", " + cause.getMessage(), cause);
  }
}
