package dev.kermes.http.internal.files;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.internal.syntax.HttpDates;
import java.util.List;

/** Evaluates the conditional header fields of a request for a file; RFC 9110, 13. */
public final class Preconditions {

  private Preconditions() {}

  /** 200 if the file is to be sent, otherwise 304 or 412; in the order of RFC 9110, 13.2.2. */
  static int status(HttpMessage request, CachedFile file) {
    if (request.header("if-match") != null) {
      if (!matches(request.headers("if-match"), file.etag(), false)) return 412;
    } else {
      long since = date(request, "if-unmodified-since");
      if (since != HttpDates.NONE && file.modifiedSecond() > since) return 412;
    }
    if (request.header("if-none-match") != null) {
      return matches(request.headers("if-none-match"), file.etag(), true) ? 304 : 200;
    }
    long since = date(request, "if-modified-since");
    return since != HttpDates.NONE && file.modifiedSecond() <= since ? 304 : 200;
  }

  /** Whether ranges may be sent: If-Range is missing or names this state of the file. */
  static boolean isForThisState(HttpMessage request, CachedFile file) {
    String field = request.header("if-range");
    if (field == null) return true;
    if (field.startsWith("\"")) return field.equals(file.etag());
    return !field.startsWith("W/")
        && HttpDates.parse(field) == file.modifiedSecond()
        && isStrong(file.modifiedSecond());
  }

  /**
   * A date is a weak validator until its second is over, because the file may change again within
   * it; RFC 9110, 8.8.2.2.
   */
  private static boolean isStrong(long modifiedSecond) {
    return modifiedSecond < System.currentTimeMillis() / 1000;
  }

  private static long date(HttpMessage request, String name) {
    String field = request.header(name);
    return field == null ? HttpDates.NONE : HttpDates.parse(field);
  }

  /** Whether a list of entity tags contains the strong {@code etag}; {@code *} contains all. */
  private static boolean matches(List<String> fields, String etag, boolean isWeakEnough) {
    for (String field : fields) {
      if (field.strip().equals("*") || hasTag(field, etag, isWeakEnough)) return true;
    }
    return false;
  }

  /** Tags may contain commas, so the list is split at quotes. */
  private static boolean hasTag(String field, String etag, boolean isWeakEnough) {
    for (int open = field.indexOf('"'); open >= 0; ) {
      int close = field.indexOf('"', open + 1);
      if (close < 0) return false;
      boolean isWeak = open >= 2 && field.startsWith("W/", open - 2);
      if ((isWeakEnough || !isWeak) && field.substring(open, close + 1).equals(etag)) return true;
      open = field.indexOf('"', close + 1);
    }
    return false;
  }
}
