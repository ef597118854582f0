package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.commands.CommandArguments;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.KeyFinder;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A command of a client, its name as argument 0. Immutable. */
final class Request implements CommandArguments {

  private static final CommandTable TABLE = CommandTable.standard();

  /** Commands whose arguments may be passwords. */
  private static final Set<String> SECRET = Set.of("AUTH", "HELLO", "ACL", "MIGRATE");

  private static final int ARGUMENTS_SHOWN = 8;
  private static final int CHARACTERS_SHOWN = 48;

  private final List<byte[]> words;
  private final @Nullable CommandSpec spec;

  Request(List<byte[]> words) {
    this.words = words;
    spec = find(words);
  }

  /** Copies a command that the reader has parsed. */
  static Request of(RequestReader reader, int command) {
    int argc = reader.argumentCount(command);
    List<byte[]> words = new ArrayList<>(argc);
    for (int i = reader.firstSlice(command), last = i + 2 * argc; i < last; i += 2) {
      byte[] word = new byte[reader.slices()[i + 1]];
      System.arraycopy(reader.bytes(), reader.slices()[i], word, 0, word.length);
      words.add(word);
    }
    return new Request(words);
  }

  private static @Nullable CommandSpec find(List<byte[]> words) {
    byte[] name = words.get(0);
    CommandSpec spec = TABLE.find(name, 0, name.length);
    if (spec == null || !spec.hasSubcommands() || words.size() == 1) return spec;
    return spec.sub(words.get(1), 0, words.get(1).length);
  }

  /** The row of a command or subcommand, such as {@code get} or {@code CLIENT KILL}. */
  static @Nullable CommandSpec find(String name) {
    List<byte[]> words = new ArrayList<>();
    for (String word : name.strip().split("\\s+")) words.add(word.getBytes(UTF_8));
    CommandSpec spec = find(words);
    boolean hasMore = words.size() > (spec == null || spec.container() == null ? 1 : 2);
    return hasMore ? null : spec;
  }

  /** The name of the command, with that of its container; in capitals. */
  String name() {
    return spec == null ? text(0).toUpperCase(Locale.ROOT) : spec.name();
  }

  /** The command and its subcommand in capitals, whether or not the table has them. */
  String twoWords() {
    String first = text(0).toUpperCase(Locale.ROOT);
    return argc() == 1 ? first : first + " " + text(1).toUpperCase(Locale.ROOT);
  }

  boolean isPubSub() {
    return spec != null && spec.name().endsWith("SUBSCRIBE");
  }

  String text(int index) {
    return new String(words.get(index), UTF_8);
  }

  boolean is(int index, String word) {
    return index < argc() && text(index).equalsIgnoreCase(word);
  }

  List<String> keys() {
    List<String> keys = new ArrayList<>();
    if (spec != null && spec.accepts(argc())) {
      KeyFinder.find(spec, this, (index, flags) -> keys.add(text(index)));
    }
    return keys;
  }

  /** The bytes of the request. */
  byte[] encoded() {
    RespWriter out = new RespWriter(64);
    out.array(argc());
    words.forEach(out::bulk);
    return out.toByteArray();
  }

  @Override
  public int argc() {
    return words.size();
  }

  @Override
  public byte[] array(int index) {
    return words.get(index);
  }

  @Override
  public int offset(int index) {
    return 0;
  }

  @Override
  public int length(int index) {
    return words.get(index).length;
  }

  /** The command for a report: shortened, and without passwords. */
  @Override
  public String toString() {
    if (hasSecrets()) return text(0) + " (arguments are not shown)";
    StringBuilder line = new StringBuilder(text(0));
    int shown = Math.min(argc(), ARGUMENTS_SHOWN);
    for (int i = 1; i < shown; i++) line.append(' ').append(shown(words.get(i)));
    if (shown < argc()) line.append(" ... (").append(argc() - shown).append(" more)");
    return line.toString();
  }

  private boolean hasSecrets() {
    String first = text(0).toUpperCase(Locale.ROOT);
    if (SECRET.contains(first)) return true;
    if (!first.equals("CONFIG")) return false;
    for (int i = 2; i < argc(); i++) if (text(i).matches("(?i).*(pass|auth).*")) return true;
    return false;
  }

  /** An argument in printable characters. */
  static String shown(byte[] word) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(word.length, CHARACTERS_SHOWN); i++) {
      boolean isPrintable = word[i] >= 32 && word[i] < 127;
      if (isPrintable) text.append((char) word[i]);
      else text.append("\\x%02x".formatted(word[i]));
    }
    if (text.isEmpty() || text.indexOf(" ") >= 0) text.insert(0, '"').append('"');
    if (word.length > CHARACTERS_SHOWN) text.append("... (").append(word.length).append(" bytes)");
    return text.toString();
  }

  /** The first line of a reply for a report, such as {@code OK} or {@code (array of 3)}. */
  static String shownReply(byte[] reply) {
    String head = new String(reply, 0, Math.min(reply.length, 2 * CHARACTERS_SHOWN), US_ASCII);
    int end = head.indexOf('\r');
    String line = end < 0 ? head : head.substring(0, end);
    String value = line.substring(1);
    return switch (line.charAt(0)) {
      case '*', '~', '>', '%' -> value.equals("-1") ? "(nil)" : "(" + value + " elements)";
      case '$', '=' -> value.equals("-1") ? "(nil)" : shown(payload(reply, end + 2));
      case '_' -> "(nil)";
      case '-' -> "(error) " + value;
      default -> value;
    };
  }

  private static byte[] payload(byte[] reply, int from) {
    return Arrays.copyOfRange(reply, from, Math.max(from, reply.length - 2));
  }
}
