package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code --bigkeys} and {@code --memkeys}: visits every key and prints, for each type,
 * the number of keys, their total size, and the biggest one. Keys that vanish in the meantime are
 * left out.
 */
final class BigKeys {

  /**
   * The command that returns the size of a value.
   *
   * @param command the words before the key
   * @param unit the unit of the size
   */
  private record Measure(List<String> command, String unit) {}

  private static final Measure MEMORY = new Measure(List.of("MEMORY", "USAGE"), "bytes of memory");

  private static final Map<String, Measure> ELEMENTS =
      Map.of(
          "string", new Measure(List.of("STRLEN"), "bytes"),
          "list", new Measure(List.of("LLEN"), "items"),
          "hash", new Measure(List.of("HLEN"), "fields"),
          "set", new Measure(List.of("SCARD"), "members"),
          "zset", new Measure(List.of("ZCARD"), "members"),
          "stream", new Measure(List.of("XLEN"), "entries"));

  /** The keys of one type. */
  private static final class Kind {
    long keys;
    long total;
    long biggest = -1;
    @Nullable Reply biggestKey;
  }

  private final CliSession session;
  private final CliOptions options;
  private final Map<String, Kind> kinds = new TreeMap<>();

  BigKeys(CliSession session, CliOptions options) {
    this.session = session;
    this.options = options;
  }

  /** Visits all keys, then prints a line for each type. */
  void report() throws IOException {
    KeyScan scan = new KeyScan(session, options);
    for (List<Reply> keys = scan.next(); keys != null; keys = scan.next()) countPage(keys);
    session.print(line("type", "keys", "total", "average", "biggest") + "\n");
    long keys = 0;
    for (Map.Entry<String, Kind> entry : kinds.entrySet()) {
      print(entry.getKey(), entry.getValue());
      keys += entry.getValue().keys;
    }
    session.print("\n" + keys + (keys == 1 ? " key" : " keys") + " seen\n");
  }

  private void print(String type, Kind kind) throws IOException {
    String average = String.format(Locale.ROOT, "%.2f", (double) kind.total / kind.keys);
    String biggest = kind.biggest + " " + measure(type).unit + ": ";
    String total = Long.toString(kind.total);
    session.print(line(type, Long.toString(kind.keys), total, average, biggest));
    if (kind.biggestKey != null) session.print(kind.biggestKey);
  }

  private static String line(String type, String keys, String total, String average, String last) {
    return String.format(Locale.ROOT, "%-10s %10s %14s %12s  %s", type, keys, total, average, last);
  }

  /** Two batches: the types of a page of keys, then their sizes. */
  private void countPage(List<Reply> keys) {
    List<List<byte[]>> questions = new ArrayList<>();
    for (Reply key : keys) questions.add(words(List.of("TYPE"), key));
    List<Reply> types = session.callAll(questions);
    questions.clear();
    for (int i = 0; i < keys.size(); i++) questions.add(size(types.get(i).string(), keys.get(i)));
    List<Reply> sizes = session.callAll(questions);
    for (int i = 0; i < keys.size(); i++) add(types.get(i).string(), keys.get(i), sizes.get(i));
  }

  private List<byte[]> size(String type, Reply key) {
    Measure measure = measure(type);
    List<byte[]> words = words(measure.command, key);
    if (measure == MEMORY) {
      words.add("SAMPLES".getBytes(UTF_8));
      words.add(Integer.toString(options.memorySamples).getBytes(UTF_8));
    }
    return words;
  }

  private Measure measure(String type) {
    boolean wantsMemory = options.tool == CliOptions.Tool.MEMORY_KEYS;
    return wantsMemory ? MEMORY : ELEMENTS.getOrDefault(type, MEMORY);
  }

  private static List<byte[]> words(List<String> command, Reply key) {
    List<byte[]> words = new ArrayList<>();
    for (String word : command) words.add(word.getBytes(UTF_8));
    words.add(key.text());
    return words;
  }

  private void add(String type, Reply key, Reply size) {
    if (type.equals("none") || size.text().length == 0 || size.isError()) return;
    Kind kind = kinds.computeIfAbsent(type, name -> new Kind());
    long amount = Long.parseLong(size.string());
    kind.keys++;
    kind.total += amount;
    if (amount <= kind.biggest) return;
    kind.biggest = amount;
    kind.biggestKey = key;
  }
}
