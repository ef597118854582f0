package dev.kermes.http.internal.syntax;

/** The syntax of header fields; RFC 9110, 5.1 and 5.5. */
public final class HeaderSyntax {

  private static final boolean[] TOKEN = new boolean[128];

  static {
    for (char c = '0'; c <= '9'; c++) TOKEN[c] = true;
    for (char c = 'a'; c <= 'z'; c++) TOKEN[c] = TOKEN[c - 32] = true;
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) TOKEN[c] = true;
  }

  private HeaderSyntax() {}

  public static boolean isToken(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 128 || !TOKEN[c]) return false;
    }
    return !text.isEmpty();
  }

  /** Whether all characters are visible, spaces, tabs, or in the upper half of Latin-1. */
  public static boolean isValue(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) return false;
    }
    return true;
  }

  /** Whether the text can be a host name or address with an optional port. */
  public static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c >= 0x7f || "/\\@?#,".indexOf(c) >= 0) return false;
    }
    return true;
  }

  public static void check(String name, String value) {
    if (!isToken(name)) throw new IllegalArgumentException("not a field name: name=" + name);
    if (!isValue(value)) throw new IllegalArgumentException("not a field value: name=" + name);
  }
}
