package dev.kermes.server.stats;

import dev.kermes.server.data.Value;
import java.util.Arrays;
import java.util.List;

/**
 * A histogram of the sizes of a database's values: the bytes of a string, the elements of a
 * collection. Streams and arrays are not counted.
 *
 * <pre>
 *   class   0   1   2     3     4      ...  i
 *   size    0   1   2..3  4..7  8..15       2^(i-1) .. 2^i - 1
 * </pre>
 *
 * Updated by every write: a string costs two comparisons, a collection one when its memory is
 * accounted. Counting on request would delay all clients, and INFO is called all the time.
 */
public final class KeySizes {

  /** The kinds of values, in the order of INFO. */
  public enum Kind {
    STRING("strings_sizes"),
    LIST("lists_items"),
    SET("sets_items"),
    ZSET("zsets_items"),
    HASH("hashes_items");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Its name in INFO. */
    public String title() {
      return title;
    }
  }

  private static final int CLASSES = 64;

  private final long[] counts = new long[Kind.values().length * CLASSES];

  private static int classOf(long size) {
    return Long.SIZE - Long.numberOfLeadingZeros(size);
  }

  public void addString(int length) {
    counts[classOf(length)]++;
  }

  public void removeString(int length) {
    counts[classOf(length)]--;
  }

  /**
   * Moves a value from the class it was last counted in, if any, to the class of its present size.
   */
  public void update(Value value) {
    int sizeClass = classOf(value.size());
    if (sizeClass == value.countedAs()) return;
    int first = firstOf(value);
    if (first < 0) return;
    if (value.isCounted()) counts[first + value.countedAs()]--;
    counts[first + sizeClass]++;
    value.countedAs(sizeClass);
  }

  /** Removes a counted value. */
  public void remove(Value value) {
    if (!value.isCounted()) return;
    counts[firstOf(value) + value.countedAs()]--;
    value.countedAs(Value.UNCOUNTED);
  }

  private static int firstOf(Value value) {
    return switch (value.type()) {
      case "string" -> Kind.STRING.ordinal() * CLASSES;
      case "list" -> Kind.LIST.ordinal() * CLASSES;
      case "set" -> Kind.SET.ordinal() * CLASSES;
      case "zset" -> Kind.ZSET.ordinal() * CLASSES;
      case "hash" -> Kind.HASH.ordinal() * CLASSES;
      default -> -1;
    };
  }

  public void clear() {
    Arrays.fill(counts, 0);
  }

  /** The classes that occur, {@code 1=3,16=1,2K=1}: the smallest size of each and its keys. */
  public String histogram(Kind kind) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < CLASSES; i++) {
      long count = counts[kind.ordinal() * CLASSES + i];
      if (count == 0) continue;
      if (!text.isEmpty()) text.append(',');
      text.append(sizeText(i)).append('=').append(count);
    }
    return text.toString();
  }

  private static String sizeText(int sizeClass) {
    if (sizeClass == 0) return "0";
    int power = sizeClass - 1;
    return (1 << power % 10) + List.of("", "K", "M", "G", "T", "P", "E").get(power / 10);
  }
}
