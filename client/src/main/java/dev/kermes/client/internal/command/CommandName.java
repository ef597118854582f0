package dev.kermes.client.internal.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.WaitArgument;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The name of a command, with its encoded bytes and the properties that depend on the name alone. A
 * request starts by copying the bytes. Immutable; one instance per name.
 */
public final class CommandName {

  /** The names seen so far, as spelt by callers. */
  private static final Map<String, CommandName> KNOWN = new ConcurrentHashMap<>();

  /** Several times the number of commands; further names are not cached. */
  private static final int KNOWN_MAX = 2048;

  private final String name;
  private final byte[] bulk;
  private final CommandTrait trait;
  private final @Nullable WaitArgument waitArgument;
  private final boolean waitsWhenAsked;

  /** The row of the command table, looked up on first use; {@code this} until then. */
  private volatile @Nullable Object row = this;

  private CommandName(String name, byte[] bulk) {
    this.name = name;
    this.bulk = bulk;
    this.trait = CommandFacts.trait(name);
    this.waitArgument = CommandFacts.waitArgument(name);
    this.waitsWhenAsked = waitArgument != null && !waitArgument.word().isEmpty();
  }

  /** The name in upper case. */
  public String name() {
    return name;
  }

  /** {@code $3\r\nSET\r\n}. */
  public byte[] bulk() {
    return bulk;
  }

  /** The trait, unless later words change it. */
  CommandTrait trait() {
    return trait;
  }

  /** The argument that says how long it waits in the server; null if it does not wait. */
  @Nullable WaitArgument waitArgument() {
    return waitArgument;
  }

  /** Whether it waits only with an option. */
  public boolean waitsWhenAsked() {
    return waitsWhenAsked;
  }

  /** Whether a word is the option that makes it wait. */
  public boolean isWaitOption(String word) {
    return waitArgument != null && word.equalsIgnoreCase(waitArgument.word());
  }

  /** Its row of the command table, or null if it has none. */
  @Nullable CommandSpec spec() {
    Object seen = row;
    if (seen == this) {
      seen = CommandTable.standard().find(name);
      row = seen;
    }
    return (CommandSpec) seen;
  }

  /** The command name for a word in any case. */
  public static CommandName of(String word) {
    CommandName known = KNOWN.get(word);
    if (known != null) return known;
    CommandName commandName = make(word.toUpperCase(Locale.ROOT));
    if (KNOWN.size() < KNOWN_MAX) KNOWN.put(word, commandName);
    return commandName;
  }

  private static CommandName make(String name) {
    byte[] word = name.getBytes(UTF_8);
    byte[] head = ("$" + word.length + "\r\n").getBytes(UTF_8);
    byte[] bulk = new byte[head.length + word.length + 2];
    System.arraycopy(head, 0, bulk, 0, head.length);
    System.arraycopy(word, 0, bulk, head.length, word.length);
    bulk[bulk.length - 2] = '\r';
    bulk[bulk.length - 1] = '\n';
    return new CommandName(name, bulk);
  }
}
