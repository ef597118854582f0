package dev.kermes.http.internal.syntax;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request, normalised before any handler sees it:
 *
 * <pre>
 *   /a/./b/../c%20d//e?x=1    path /a/c d/e    query x=1
 * </pre>
 *
 * <p>Percent escapes are decoded once, as UTF-8. Then {@code .} and {@code ..} are resolved, and
 * empty segments are removed except for the last one. So a captured path is never absolute and
 * never leads upwards. A target is refused if it leads above the root, or contains a NUL or another
 * control character, a backslash, an encoded slash or a broken escape.
 */
public record RequestPath(String path, @Nullable String query) {

  /** Parses the target of a request line; null if it is refused. */
  public static @Nullable RequestPath of(String target) {
    String rest = withoutAuthority(target);
    if (rest == null || rest.isEmpty() || rest.charAt(0) != '/') return null;
    int end = endOfPath(rest);
    String query = end < rest.length() ? rest.substring(end + 1) : null;
    if (query != null && !isVisibleAscii(query)) return null;
    String path = end == rest.length() ? rest : rest.substring(0, end);
    if (!isPlain(path)) path = normalized(path);
    return path == null ? null : new RequestPath(path, query);
  }

  /**
   * Removes the authority from the absolute form, which clients send to proxies; RFC 9112, 3.2.2.
   */
  private static @Nullable String withoutAuthority(String target) {
    if (target.startsWith("/")) return target;
    String authority = authority(target);
    if (authority == null) return null;
    String rest = target.substring(target.indexOf("://") + 3 + authority.length());
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  /** The authority of a target in absolute form; null if it is in another form. */
  public static @Nullable String authority(String target) {
    int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
    if (scheme < 0) return null;
    String name = target.substring(0, scheme);
    if (!name.equalsIgnoreCase("http") && !name.equalsIgnoreCase("https")) return null;
    int start = scheme + 3;
    int end = start;
    while (end < target.length() && "/?".indexOf(target.charAt(end)) < 0) end++;
    return target.substring(start, end);
  }

  private static int endOfPath(String target) {
    int end = target.indexOf('?');
    return end < 0 ? target.length() : end;
  }

  private static boolean isVisibleAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') return false;
    }
    return true;
  }

  /** Whether a path is already normalised: the common case. */
  private static boolean isPlain(String path) {
    char last = 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '%' || c == '\\' || c == '#') return false;
      if (last == '/' && (c == '/' || c == '.')) return false;
      last = c;
    }
    return true;
  }

  private static @Nullable String normalized(String raw) {
    if (!isVisibleAscii(raw)) return null;
    List<String> segments = new ArrayList<>();
    boolean isDirectory = false;
    for (String word : raw.substring(1).split("/", -1)) {
      String segment = decoded(word, false);
      if (segment == null || !isAllowed(segment)) return null;
      isDirectory = segment.isEmpty() || segment.equals(".") || segment.equals("..");
      if (segment.equals("..")) {
        if (segments.isEmpty()) return null;
        segments.removeLast();
      } else if (!isDirectory) {
        segments.add(segment);
      }
    }
    if (segments.isEmpty()) return "/";
    String path = "/" + String.join("/", segments);
    return isDirectory ? path + "/" : path;
  }

  private static boolean isAllowed(String segment) {
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c < ' ' || c == 0x7f || c == '/' || c == '\\') return false;
    }
    return true;
  }

  private static void writeLiteral(String text, boolean isForm, ByteArrayOutputStream bytes) {
    String literal = isForm ? text.replace('+', ' ') : text;
    bytes.writeBytes(literal.getBytes(StandardCharsets.UTF_8));
  }

  /** The value of an ASCII hex digit; -1 for anything else, including digits of other scripts. */
  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  /** Decodes escapes, and plus signs in forms and queries; null if an escape is broken. */
  static @Nullable String decoded(String text, boolean isForm) {
    if (text.indexOf('%') < 0) return isForm ? text.replace('+', ' ') : text;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int end = 0;
    for (int escape = text.indexOf('%'); escape >= 0; escape = text.indexOf('%', end)) {
      writeLiteral(text.substring(end, escape), isForm, bytes);
      end = escape + 3;
      if (end > text.length()) return null;
      int high = hexDigit(text.charAt(escape + 1));
      int low = hexDigit(text.charAt(escape + 2));
      if (high < 0 || low < 0) return null;
      bytes.write(high << 4 | low);
    }
    writeLiteral(text.substring(end), isForm, bytes);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
