package dev.kermes.client.internal.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The name of a command, with its encoded bytes and the properties that depend on the name alone. A
 * request starts by copying the bytes. Immutable; one instance per name.
 */
public final class CommandName {

  /** Commands that may wait in the server. */
  private static final Set<String> BLOCKING =
      Set.of(
          "BLPOP",
          "BRPOP",
          "BLMOVE",
          "BLMPOP",
          "BRPOPLPUSH",
          "BZPOPMIN",
          "BZPOPMAX",
          "BZMPOP",
          "WAIT",
          "WAITAOF");

  /** Commands that wait only with the option BLOCK. */
  private static final Set<String> BLOCKING_WHEN_ASKED = Set.of("XREAD", "XREADGROUP");

  /** Commands that change their connection. */
  private static final Set<String> STATEFUL =
      Set.of(
          "ASKING",
          "AUTH",
          "DISCARD",
          "EXEC",
          "HELLO",
          "MULTI",
          "READONLY",
          "READWRITE",
          "RESET",
          "SELECT",
          "UNWATCH",
          "WATCH");

  /** Commands without exactly one reply. */
  private static final Set<String> UNANSWERED =
      Set.of(
          "MONITOR",
          "PSUBSCRIBE",
          "PSYNC",
          "PUNSUBSCRIBE",
          "QUIT",
          "REPLCONF",
          "SSUBSCRIBE",
          "SUBSCRIBE",
          "SUNSUBSCRIBE",
          "SYNC",
          "UNSUBSCRIBE");

  /** The names seen so far, as spelt by callers. */
  private static final Map<String, CommandName> KNOWN = new ConcurrentHashMap<>();

  /** Several times the number of commands; further names are not cached. */
  private static final int KNOWN_MAX = 2048;

  private final String name;
  private final byte[] bulk;
  private final CommandTrait trait;
  private final boolean isReadOfStreams;

  /** The row of the command table, looked up on first use; {@code this} until then. */
  private volatile @Nullable Object row = this;

  private CommandName(String name, byte[] bulk) {
    this.name = name;
    this.bulk = bulk;
    this.trait = trait(name);
    this.isReadOfStreams = BLOCKING_WHEN_ASKED.contains(name);
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

  /** Whether the option BLOCK makes it wait. */
  public boolean isReadOfStreams() {
    return isReadOfStreams;
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

  private static CommandTrait trait(String name) {
    if (BLOCKING.contains(name)) return CommandTrait.BLOCKING;
    if (STATEFUL.contains(name)) return CommandTrait.STATEFUL;
    return UNANSWERED.contains(name) ? CommandTrait.UNANSWERED : CommandTrait.PLAIN;
  }
}
