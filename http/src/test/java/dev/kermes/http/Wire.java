package dev.kermes.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A raw socket to a server: requests are literal bytes. */
final class Wire implements AutoCloseable {

  /** A response as received. */
  record Reply(int status, Map<String, String> headers, byte[] bytes) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  private final Socket socket;
  private final InputStream in;

  Wire(HttpServer server) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends one request on a separate connection. */
  static Reply ask(HttpServer server, String request) throws IOException {
    try (Wire wire = new Wire(server)) {
      return wire.send(request).reply(request.startsWith("HEAD"));
    }
  }

  /** Sends a GET of a path with further header lines. */
  static Reply get(HttpServer server, String path, String... headers) throws IOException {
    StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: x\r\n");
    for (String header : headers) request.append(header).append("\r\n");
    return ask(server, request + "\r\n");
  }

  Wire send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  Wire send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  Reply reply() throws IOException {
    return reply(false);
  }

  Reply reply(boolean isHead) throws IOException {
    String line = line();
    if (!line.startsWith("HTTP/1.1 ")) throw new IOException("no status line: " + line);
    int status = Integer.parseInt(line.substring(9, 12));
    Map<String, String> headers = new TreeMap<>();
    for (String field = line(); !field.isEmpty(); field = line()) {
      int colon = field.indexOf(':');
      headers.merge(
          field.substring(0, colon).toLowerCase(Locale.ROOT),
          field.substring(colon + 1).strip(),
          (a, b) -> a + ", " + b);
    }
    boolean hasBody = !isHead && status != 304 && status != 204 && status >= 200;
    return new Reply(status, headers, hasBody ? body(headers) : new byte[0]);
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) return exactly(Integer.parseInt(length));
    if (!"chunked".equals(headers.get("transfer-encoding"))) return in.readAllBytes();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(), 16);
      body.write(exactly(size));
      line();
      if (size == 0) return body.toByteArray();
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length)
      throw new EOFException("body: expected=" + length + ", got=" + bytes.length);
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new EOFException("closed after: " + line);
      line.append((char) c);
    }
    if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') throw new IOException("bare LF");
    return line.substring(0, line.length() - 1);
  }

  /** A WebSocket frame from the server: its first byte and its content. */
  record Frame(int first, byte[] content) {}

  Frame frame() throws IOException {
    int first = in.read();
    int length = in.read();
    if (length < 0) throw new EOFException("closed before a frame");
    if (length > 127) throw new IOException("masked");
    if (length == 126) length = new DataInputStream(in).readUnsignedShort();
    else if (length == 127) length = (int) new DataInputStream(in).readLong();
    return new Frame(first, exactly(length));
  }

  /** Whether received bytes are still unread. */
  boolean hasInput() throws IOException {
    return in.available() > 0;
  }

  /** Whether the server has closed without sending more. */
  boolean isClosed() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return true; // reset: it closed with our input unread
    }
  }

  /** Whether the bytes received until the end are not an HTTP response. */
  boolean endsWithoutResponse() throws IOException {
    try {
      return !new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).startsWith("HTTP");
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  /** All bytes received until the end. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Sends in another thread; the count of sent pieces grows as the server reads them. */
  interface Sender {
    void send(int index) throws IOException;
  }

  /** Sends until nothing has been taken for 300 ms, and returns the count of what was taken. */
  static AtomicInteger sendUntilStalled(int count, Sender sender) throws InterruptedException {
    AtomicInteger sent = new AtomicInteger();
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (sent.get() < count) {
              sender.send(sent.get());
              sent.getAndIncrement();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    for (int before = -1; before < sent.get(); Thread.sleep(300)) before = sent.get();
    return sent;
  }
}
