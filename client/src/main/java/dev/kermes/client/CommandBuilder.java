package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.internal.command.CommandName;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.commands.CommandSpec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one command on the caller's thread.
 *
 * <pre>
 *   | reserved for header | $3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n | free |
 *            *3\r\n ^from                                    ^end
 * </pre>
 *
 * <p>An argument that cannot be encoded throws nothing here: the command is built, and sending it
 * fails only that command, with {@link EncodeException}. Not thread-safe; used once.
 */
public final class CommandBuilder {
  private static final int HEADER_ROOM = 13; // *2147483647\r\n

  private final CommandName commandName;
  private byte[] bytes;
  private int end;
  private int argc = 1;
  private boolean isBlocking;

  /** Whether a later word means that there is no reply. */
  private boolean isClientReply;

  private @Nullable EncodeException failure;

  private CommandBuilder(CommandName commandName) {
    this.commandName = commandName;
    byte[] word = commandName.bulk();
    bytes = new byte[Math.max(64, HEADER_ROOM + word.length + 32)];
    System.arraycopy(word, 0, bytes, HEADER_ROOM, word.length);
    end = HEADER_ROOM + word.length;
  }

  /** Starts the command {@code name}, a single word such as {@code "SET"}. */
  public static CommandBuilder of(String name) {
    return new CommandBuilder(CommandName.of(name));
  }

  /** Starts the command of a row of the command table, including the name of a subcommand. */
  public static CommandBuilder of(CommandSpec spec) {
    CommandSpec container = spec.container();
    if (container == null) return of(spec.name());
    return of(container.name()).text(spec.shortName());
  }

  /** An argument that is a key. */
  public <K> CommandBuilder key(Codec<K> codec, K key) {
    return value(codec, key);
  }

  /** An argument that is a value, a member or a field. */
  public <V> CommandBuilder value(Codec<V> codec, V value) {
    if (codec == Codec.Utf8Codec.INSTANCE && value instanceof String text) return text(text);
    try {
      return bytes(codec.encode(value));
    } catch (RuntimeException e) {
      return value == null ? isNull() : failed(e);
    }
  }

  /** A literal word of the command, such as {@code "EX"}. */
  public CommandBuilder token(String word) {
    return text(word);
  }

  /** A free argument in UTF-8. */
  @SuppressWarnings("ConstantValue") // callers from other languages may pass null
  public CommandBuilder text(String argument) {
    if (argument == null) return isNull();
    int length = argument.length();
    if (length == 5 && (argc == 1 || commandName.waitsWhenAsked())) noteWord(argument);
    int start = end;
    startBulk(length);
    for (int i = 0; i < length; i++) {
      char c = argument.charAt(i);
      if (c >= 0x80) {
        end = start;
        argc--;
        return bytes(argument.getBytes(UTF_8));
      }
      bytes[end++] = (byte) c;
    }
    endBulk();
    return this;
  }

  /** An argument given as bytes, which are copied. */
  @SuppressWarnings("ConstantValue") // users' codecs may return null
  public CommandBuilder bytes(byte[] argument) {
    if (argument == null) return isNull();
    startBulk(argument.length);
    System.arraycopy(argument, 0, bytes, end, argument.length);
    end += argument.length;
    endBulk();
    return this;
  }

  /** An integer in decimal. */
  public CommandBuilder integer(long argument) {
    return text(Long.toString(argument));
  }

  /** A double in its shortest form; infinities as {@code inf} and {@code -inf}. */
  public CommandBuilder decimal(double argument) {
    if (Double.isInfinite(argument)) return text(argument > 0 ? "inf" : "-inf");
    if (argument == Math.rint(argument) && Math.abs(argument) < 1e15) {
      return integer((long) argument);
    }
    return text(Double.toString(argument));
  }

  /** Marks the command as one that may wait in the server. */
  public CommandBuilder blocking() {
    isBlocking = true;
    return this;
  }

  /** The finished command, with {@code decoder} for its reply. */
  public <T extends @Nullable Object> Command<T> build(Decoder<T> decoder) {
    int from = header();
    return new EncodedCommand<>(
        commandName, bytes, from, end, decoder, failure, isBlocking, isClientReply);
  }

  /** Notes words that change the kind of a command: CLIENT REPLY, XREAD … BLOCK. */
  private void noteWord(String word) {
    if (argc == 1 && commandName.name().equals("CLIENT"))
      isClientReply = word.equalsIgnoreCase("REPLY");
    if (commandName.isWaitOption(word)) isBlocking = true;
  }

  private CommandBuilder isNull() {
    if (failure == null) {
      String message = "argument is null: command=" + commandName.name() + ", index=" + argc;
      failure = new EncodeException(message, null);
    }
    return this;
  }

  private CommandBuilder failed(RuntimeException cause) {
    if (failure == null) {
      String message = "argument not encodable: command=" + commandName.name() + ", index=" + argc;
      failure = new EncodeException(message, cause);
    }
    return this;
  }

  /** Writes *argc\r\n so that it ends where the arguments begin; returns where it starts. */
  private int header() {
    int at = HEADER_ROOM;
    bytes[--at] = '\n';
    bytes[--at] = '\r';
    int rest = argc;
    do {
      bytes[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    bytes[--at] = '*';
    return at;
  }

  private void startBulk(int length) {
    ensure((long) length + 16); // $2147483647\r\n and the payload's own \r\n
    bytes[end++] = '$';
    int digits = digits(length);
    int at = end + digits;
    int rest = length;
    do {
      bytes[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    end += digits;
    endBulk();
    argc++;
  }

  private void endBulk() {
    bytes[end++] = '\r';
    bytes[end++] = '\n';
  }

  private void ensure(long room) {
    long needed = end + room;
    if (needed <= bytes.length) return;
    if (needed > Integer.MAX_VALUE - 16) {
      throw new EncodeException(
          "request too large: bytes=" + needed + ", command=" + commandName.name(), null);
    }
    long doubled = Math.min(Integer.MAX_VALUE - 16, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
  }

  private static int digits(int number) {
    int digits = 1;
    for (int rest = number; rest >= 10; rest /= 10) digits++;
    return digits;
  }
}
