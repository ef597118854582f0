package dev.kermes.http.internal.negotiation;

import io.netty.handler.codec.http.HttpResponseStatus;

/** Formats errors as JSON objects; RFC 9457. */
public final class Problem {

  private Problem() {}

  public static String json(int status, String detail) {
    StringBuilder json = new StringBuilder("{\"title\":");
    appendQuoted(json, HttpResponseStatus.valueOf(status).reasonPhrase());
    json.append(",\"status\":").append(status);
    if (!detail.isEmpty()) appendQuoted(json.append(",\"detail\":"), detail);
    return json.append('}').toString();
  }

  private static void appendQuoted(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') json.append('\\').append(c);
      else if (c < ' ' || Character.isSurrogate(c)) json.append("\\u%04x".formatted((int) c));
      else json.append(c);
    }
    json.append('"');
  }
}
