package dev.kermes.http.internal.websocket;

import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's offer of permessage-deflate that is well-formed and supported; RFC 7692, 5.1 and 7.1.
 * Any other offer is declined, and the connection then has no extension.
 *
 * @param isWithoutContext whether the server must compress each message on its own
 * @param namesWindow whether the response must state the server's window, which is 15 bits
 */
public record DeflateOffer(boolean isWithoutContext, boolean namesWindow) {

  static final String NAME = "permessage-deflate";

  private static final String SERVER_WINDOW = "server_max_window_bits";
  private static final String CLIENT_WINDOW = "client_max_window_bits";
  private static final String SERVER_CONTEXT = "server_no_context_takeover";
  private static final String CLIENT_CONTEXT = "client_no_context_takeover";

  /** Parses one offer, an element of the field's list; null if it is declined. */
  static @Nullable DeflateOffer of(String offer) {
    String[] words = offer.split(";", -1);
    if (!words[0].strip().equals(NAME)) return null;
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 1; i < words.length; i++) {
      String[] pair = words[i].strip().split("=", 2);
      String value = pair.length == 1 ? "" : unquoted(pair[1]);
      if (parameters.put(pair[0], value) != null) return null;
      if (!isKnown(pair[0], value, pair.length == 2)) return null;
    }
    return new DeflateOffer(
        parameters.containsKey(SERVER_CONTEXT), parameters.containsKey(SERVER_WINDOW));
  }

  private static String unquoted(String value) {
    boolean isQuoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }

  /** The server compresses with a window of 15 bits only; the client may use any window. */
  private static boolean isKnown(String name, String value, boolean hasValue) {
    return switch (name) {
      case SERVER_CONTEXT, CLIENT_CONTEXT -> !hasValue;
      case SERVER_WINDOW -> value.equals("15");
      case CLIENT_WINDOW -> !hasValue || value.matches("[89]|1[0-5]");
      default -> false;
    };
  }

  /** The offer in the form that Netty's encoder takes. */
  WebSocketExtensionData data() {
    return new WebSocketExtensionData(
        NAME, isWithoutContext ? Map.of(SERVER_CONTEXT, "") : Map.of());
  }

  /** The value of the response's sec-websocket-extensions field. */
  String response() {
    return NAME
        + (isWithoutContext ? "; " + SERVER_CONTEXT : "")
        + (namesWindow ? "; " + SERVER_WINDOW + "=15" : "");
  }
}
