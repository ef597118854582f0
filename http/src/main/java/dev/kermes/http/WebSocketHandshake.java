package dev.kermes.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionUtil;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Whether a request opens a WebSocket, and what is answered; RFC 6455, 4.2, and RFC 7692. */
final class WebSocketHandshake {

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private WebSocketHandshake() {}

  /** What refuses the request; null if nothing does. {@code origins} are allowed beside our own. */
  static @Nullable Response refusal(HttpMessage request, Set<String> origins) {
    HttpHeaders fields = request.fields();
    boolean isUpgrade =
        fields.containsValue(HttpHeaderNames.CONNECTION, "upgrade", true)
            && fields.containsValue(HttpHeaderNames.UPGRADE, "websocket", true);
    if (!request.protocol().equals("HTTP/1.1") || !isUpgrade) {
      return problem(426, "a WebSocket is expected here")
          .with("connection", "upgrade")
          .with("upgrade", "websocket");
    }
    if (!"13".equals(request.header("sec-websocket-version"))) {
      return problem(426, "version 13 is expected here").with("sec-websocket-version", "13");
    }
    if (!request.method().equals("GET") || !isKey(request.header("sec-websocket-key"))) {
      return problem(400, "no handshake");
    }
    return isAllowed(request, origins) ? null : problem(403, "not for pages of this origin");
  }

  private static Response problem(int status, String detail) {
    return StandardHttpResponses.problem(status, detail);
  }

  /** 16 bytes in base 64. */
  private static boolean isKey(@Nullable String key) {
    try {
      return key != null && Base64.getDecoder().decode(key).length == 16;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Browsers tell which page asks, and let any page ask: RFC 6455, 10.2. */
  private static boolean isAllowed(HttpMessage request, Set<String> origins) {
    String origin = request.header("origin");
    if (origin == null || origins.contains("*")) return true;
    String own = request.scheme() + "://" + request.header("host");
    String asked = origin.toLowerCase(Locale.ROOT);
    return asked.equals(own.toLowerCase(Locale.ROOT)) || origins.contains(asked);
  }

  /** The extension that both sides have, without more than {@code messageMax} bytes; or null. */
  static @Nullable WebSocketServerExtension extension(HttpHeaders fields, int messageMax) {
    var deflate =
        new PerMessageDeflateServerExtensionHandshaker(6, true, 15, false, false, messageMax);
    for (String field : fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)) {
      for (WebSocketExtensionData offer : WebSocketExtensionUtil.extractExtensions(field)) {
        WebSocketServerExtension extension = deflate.handshakeExtension(offer);
        if (extension != null) return extension;
      }
    }
    return null;
  }

  /** Of those that the handler speaks the first that the client offers, or null; 4.2.2. */
  static @Nullable String subprotocol(HttpHeaders fields, List<String> spoken) {
    Set<String> offered = new HashSet<>();
    for (String field : fields.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
      for (String name : field.split(",")) offered.add(name.strip());
    }
    for (String name : spoken) if (offered.contains(name)) return name;
    return null;
  }

  static List<Response.Header> answer(
      HttpHeaders fields,
      @Nullable WebSocketServerExtension extension,
      @Nullable String subprotocol) {
    String key = String.valueOf(fields.get(HttpHeaderNames.SEC_WEBSOCKET_KEY));
    List<Response.Header> headers = new ArrayList<>();
    headers.add(new Response.Header("upgrade", "websocket"));
    headers.add(new Response.Header("connection", "upgrade"));
    headers.add(new Response.Header("sec-websocket-accept", accept(key)));
    if (subprotocol != null) {
      headers.add(new Response.Header("sec-websocket-protocol", subprotocol));
    }
    if (extension != null) {
      String text = text(extension.newReponseData());
      headers.add(new Response.Header("sec-websocket-extensions", text));
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

  private static String text(WebSocketExtensionData data) {
    StringJoiner text = new StringJoiner("; ").add(data.name());
    for (Map.Entry<String, String> entry : data.parameters().entrySet()) {
      String value = entry.getValue();
      text.add(value == null ? entry.getKey() : entry.getKey() + "=" + value);
    }
    return text.toString();
  }
}
