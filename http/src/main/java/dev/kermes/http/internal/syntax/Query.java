package dev.kermes.http.internal.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the names and values of queries and of forms. */
public final class Query {

  private Query() {}

  /** Decodes the parameters in the order of the text; a broken escape is kept as it is. */
  public static Map<String, List<String>> parse(@Nullable String text) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    if (text == null) return values;
    for (String pair : text.split("&")) {
      if (pair.isEmpty()) continue;
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      values.computeIfAbsent(decoded(name), unused -> new ArrayList<>()).add(decoded(value));
    }
    return values;
  }

  private static String decoded(String text) {
    String decoded = RequestPath.decoded(text, true);
    return decoded == null ? text : decoded;
  }
}
