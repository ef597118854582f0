package dev.kermes.http.internal.websocket;

import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.internal.exchange.Request;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks WebSocket handshakes and creates their responses; RFC 6455, 4.2, and RFC 7692. */
public final class WebSocketHandshake {

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private WebSocketHandshake() {}

  /** The refusal of a handshake, or null; {@code origins} are allowed besides the server's own. */
  static @Nullable Response refusal(Request request, Set<String> origins) {
    HttpHeaders fields = request.fields();
    boolean isUpgrade =
        fields.containsValue(HttpHeaderNames.CONNECTION, "upgrade", true)
            && fields.containsValue(HttpHeaderNames.UPGRADE, "websocket", true);
    if (!request.protocol().equals("HTTP/1.1") || !isUpgrade) {
      return problem(426, "a WebSocket is expected here")
          .with("connection", "upgrade")
          .with("upgrade", "websocket");
    }
    if (isRepeated(fields)) return problem(400, "not a handshake: a field occurs twice");
    if (!"13".equals(request.header("sec-websocket-version"))) {
      return problem(426, "version 13 is expected here").with("sec-websocket-version", "13");
    }
    if (!request.method().equals("GET") || !isKey(request.header("sec-websocket-key"))) {
      return problem(400, "not a handshake");
    }
    return isAllowed(request, origins) ? null : problem(403, "not for pages of this origin");
  }

  /** Whether a field is repeated that may occur only once; RFC 6455, 11.3, and RFC 6454, 7.3. */
  private static boolean isRepeated(HttpHeaders fields) {
    return fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY).size() > 1
        || fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION).size() > 1
        || fields.getAll(HttpHeaderNames.ORIGIN).size() > 1;
  }

  private static Response problem(int status, String detail) {
    return StandardHttpResponses.problem(status, detail);
  }

  /** Whether the key is 16 bytes in base 64. */
  private static boolean isKey(@Nullable String key) {
    try {
      return key != null && Base64.getDecoder().decode(key).length == 16;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether the origin is allowed: browsers let any page connect and name it; RFC 6455, 10.2. */
  private static boolean isAllowed(Request request, Set<String> origins) {
    String origin = request.header("origin");
    if (origin == null || origins.contains("*")) return true;
    String own = request.scheme() + "://" + request.header("host");
    String asked = origin.toLowerCase(Locale.ROOT);
    return asked.equals(own.toLowerCase(Locale.ROOT)) || origins.contains(asked);
  }

  /** The first supported offer of compression; null if there is none. */
  static @Nullable DeflateOffer compression(HttpHeaders fields) {
    for (String field : fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)) {
      for (String word : field.split(",")) {
        DeflateOffer offer = DeflateOffer.of(word.strip());
        if (offer != null) return offer;
      }
    }
    return null;
  }

  /** The first of the handler's subprotocols that the client offers, or null; 4.2.2. */
  static @Nullable String subprotocol(HttpHeaders fields, List<String> spoken) {
    Set<String> offered = new HashSet<>();
    for (String field : fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
      for (String name : field.split(",")) offered.add(name.strip());
    }
    for (String name : spoken) if (offered.contains(name)) return name;
    return null;
  }

  static List<Response.Header> answer(
      HttpHeaders fields, @Nullable DeflateOffer compression, @Nullable String subprotocol) {
    String key = String.valueOf(fields.get(HttpHeaderNames.SEC_WEBSOCKET_KEY));
    List<Response.Header> headers = new ArrayList<>();
    headers.add(new Response.Header("upgrade", "websocket"));
    headers.add(new Response.Header("connection", "upgrade"));
    headers.add(new Response.Header("sec-websocket-accept", accept(key)));
    if (subprotocol != null) {
      headers.add(new Response.Header("sec-websocket-protocol", subprotocol));
    }
    if (compression != null) {
      headers.add(new Response.Header("sec-websocket-extensions", compression.response()));
    }
    return headers;
  }

  private static String accept(String key) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha1.digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
