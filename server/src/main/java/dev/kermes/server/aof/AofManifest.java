package dev.kermes.server.aof;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that make up an append only file, in their order: a base and the increments after it.
 *
 * <pre>
 *   file appendonly.aof.2.base.rdb seq 2 type b
 *   file appendonly.aof.1.incr.aof seq 1 type h      h: history, to be deleted
 *   file appendonly.aof.2.incr.aof seq 2 type i
 * </pre>
 *
 * @param base the data as it was at one moment; null if there is none
 * @param history files that are no longer needed, those of the last rewrite first
 * @param increments the files written since the base, oldest first
 */
public record AofManifest(
    @Nullable Part base, List<Part> history, List<Part> increments, long baseSeq, long incrSeq) {

  public static final AofManifest EMPTY = new AofManifest(null, List.of(), List.of(), 0, 0);

  private static final Pattern LINE =
      Pattern.compile("file (\"(?:[^\"\\\\]|\\\\.)*\"|\\S+) seq (\\d+) type (\\S)(?: \\S+ \\S+)*");

  private static final int LINE_MAX = 1024;

  /** A file of the manifest, by its name in the folder. */
  public record Part(String name, long seq) {}

  /**
   * Reads a manifest.
   *
   * @throws IOException if the manifest is malformed; the message says where
   */
  public static AofManifest parse(String text) throws IOException {
    Part base = null;
    List<Part> history = new ArrayList<>();
    List<Part> increments = new ArrayList<>();
    long baseSeq = 0;
    long incrSeq = 0;
    int number = 0;
    for (String line : text.isEmpty() ? new String[0] : text.split("\n")) {
      number++;
      if (line.startsWith("#")) continue;
      if (line.length() > LINE_MAX)
        throw wrong("The AOF manifest file contains too long line", number);
      Matcher words = LINE.matcher(line.strip());
      if (!words.matches()) throw wrong("Invalid AOF manifest file format", number);
      Part part = new Part(QuotedName.parse(words.group(1)), Long.parseLong(words.group(2)));
      if (part.name().contains("/")) throw wrong("a file in another folder", number);
      switch (words.group(3)) {
        case "b" -> {
          if (base != null) throw wrong("Found duplicate base file information", number);
          base = part;
          baseSeq = part.seq();
        }
        case "h" -> history.add(part);
        case "i" -> {
          if (part.seq() <= incrSeq) throw wrong("Found a non-monotonic sequence number", number);
          increments.add(part);
          incrSeq = part.seq();
        }
        default -> throw wrong("Unknown AOF file type", number);
      }
    }
    if (number == 0 || base == null && increments.isEmpty()) {
      throw wrong("Found an empty AOF manifest", number);
    }
    return new AofManifest(base, history, increments, baseSeq, incrSeq);
  }

  private static IOException wrong(String what, int line) {
    return new IOException(
        what + ": line=" + line); // in the words of Redis, which people search logs for
  }

  /** The text of the manifest file. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (base != null) line(text, base, 'b');
    for (Part part : history) line(text, part, 'h');
    for (Part part : increments) line(text, part, 'i');
    return text.toString();
  }

  private static void line(StringBuilder text, Part part, char type) {
    text.append("file ").append(QuotedName.text(part.name()));
    text.append(" seq ").append(part.seq()).append(" type ").append(type).append('\n');
  }

  /** The name of the next base. */
  public Part nextBase(String fileName, boolean isRdb) {
    String ending = isRdb ? ".base.rdb" : ".base.aof";
    return new Part(fileName + "." + (baseSeq + 1) + ending, baseSeq + 1);
  }

  public Part nextIncrement(String fileName) {
    return new Part(fileName + "." + (incrSeq + 1) + ".incr.aof", incrSeq + 1);
  }

  /** Returns the manifest with one more increment to write to. */
  public AofManifest with(Part increment) {
    List<Part> more = new ArrayList<>(increments);
    more.add(increment);
    return new AofManifest(base, history, more, baseSeq, increment.seq());
  }

  /**
   * Returns the manifest with a new base that contains everything before {@code firstIncrement}.
   * The files that it replaces become history.
   */
  public AofManifest with(Part newBase, long firstIncrement) {
    List<Part> old = new ArrayList<>();
    List<Part> kept = new ArrayList<>();
    for (Part part : increments) (part.seq() < firstIncrement ? old : kept).add(part);
    if (base != null) old.add(base);
    old.addAll(history);
    return new AofManifest(newBase, old, kept, newBase.seq(), incrSeq);
  }

  public AofManifest withoutHistory() {
    return new AofManifest(base, List.of(), increments, baseSeq, incrSeq);
  }
}
