package dev.kermes.http.internal.negotiation;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The content codings that a client accepts; RFC 9110, 12.5.3. */
public final class AcceptEncoding {

  private AcceptEncoding() {}

  /**
   * The coding of {@code codings} that the client prefers, the first of equals; null if it prefers
   * none of them to the identity coding. A client that gives identity no weight accepts any of
   * them.
   */
  public static @Nullable String best(List<String> fields, Iterable<String> codings) {
    String best = null;
    int bestQuality = Math.max(0, named(fields, "identity") - 1);
    for (String coding : codings) {
      int quality = quality(fields, coding);
      if (quality > bestQuality) {
        best = coding;
        bestQuality = quality;
      }
    }
    return best;
  }

  /** The weight of a coding, 0 to 1000; 0 if the client does not accept it or does not name it. */
  public static int quality(List<String> fields, String coding) {
    int named = named(fields, coding);
    return named >= 0 ? named : Math.max(0, named(fields, "*"));
  }

  /** The weight of a name in the fields; -1 if it does not occur. */
  private static int named(List<String> fields, String coding) {
    for (String field : fields) {
      for (String item : field.split(",")) {
        String[] words = item.split(";", -1);
        String name = words[0].strip().toLowerCase(Locale.ROOT);
        if (name.equals(coding) || name.equals("x-" + coding)) return weight(words);
      }
    }
    return -1;
  }

  /** The weight of an item, 0 to 1000; a malformed one counts as 0. */
  private static int weight(String[] words) {
    if (words.length == 1) return 1000;
    String word = words[1].strip();
    if (!word.regionMatches(true, 0, "q=", 0, 2)) return 0;
    String digits = word.substring(2);
    if (!digits.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?")) return 0;
    return (int) Math.round(Double.parseDouble(digits) * 1000);
  }
}
