package dev.kermes.http.internal.negotiation;

import dev.kermes.http.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The HTML pages that the server itself generates: directory listings and errors. */
public final class HtmlPage {

  private static final String STYLE =
      """
      :root{color-scheme:light dark}
      body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
      h1{font-size:1.3rem;overflow-wrap:anywhere}
      table{border-collapse:collapse;width:100%}
      th{text-align:left;font-weight:600}
      th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
      td+td,th+th{text-align:right;white-space:nowrap}
      a{text-decoration:none;overflow-wrap:anywhere}
      a:hover{text-decoration:underline}
      """;

  /** The browser may apply this style only, and load or run nothing. */
  private static final String POLICY = "default-src 'none'; style-src 'sha256-" + hash() + "'";

  private HtmlPage() {}

  /** Creates a page; the title is escaped here, the body must be markup. */
  public static Response of(int status, String title, String body) {
    String html =
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
            + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
            + escaped(title)
            + "</title>\n<style>"
            + STYLE
            + "</style>\n</head>\n<body>\n<h1>"
            + escaped(title)
            + "</h1>\n"
            + body
            + "</body>\n</html>\n";
    return Response.of(status)
        .with("content-type", "text/html; charset=utf-8")
        .with("content-security-policy", POLICY)
        .body(html);
  }

  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String hash() {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(STYLE.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
