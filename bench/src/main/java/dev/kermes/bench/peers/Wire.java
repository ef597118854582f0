package dev.kermes.bench.peers;

import dev.kermes.bench.harness.BenchmarkException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A minimal client for control commands: one command, one reply as text. */
public final class Wire implements AutoCloseable {

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final OutputStream out;

  public Wire(InetSocketAddress address) throws IOException {
    socket.connect(address, 1000);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    out = socket.getOutputStream();
  }

  public String call(String... words) throws IOException {
    byte[] bytes = encode(List.of(words));
    send(bytes, bytes.length);
    return reply();
  }

  /** Encodes a request of Latin letters. */
  public static byte[] encode(List<String> words) {
    StringBuilder request = new StringBuilder("*" + words.size() + "\r\n");
    for (String word : words)
      request.append("$").append(word.length()).append("\r\n" + word + "\r\n");
    return request.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  public void send(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
  }

  /** Sends requests together and reads their replies, none of which may be an error. */
  public void run(ByteArrayOutputStream requests, int count) throws IOException {
    send(requests.toByteArray(), requests.size());
    for (int i = 0; i < count; i++) {
      String reply = reply();
      if (reply.startsWith("-")) throw new BenchmarkException("a request is refused: " + reply);
    }
  }

  /** Reads a simple string, error, number or bulk string; the first two with their sign. */
  public String reply() throws IOException {
    String line = line();
    if (!line.startsWith("$")) return line;
    int length = Integer.parseInt(line.substring(1));
    if (length < 0) return "";
    byte[] bytes = new byte[length + 2];
    in.readFully(bytes);
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** Reads a reply of any kind; returns the first error in it, or null if there is none. */
  public @Nullable String findError() throws IOException {
    String head = line();
    if (head.startsWith("-")) return head;
    if (head.startsWith("$") && !head.equals("$-1")) {
      in.skipNBytes(Integer.parseInt(head.substring(1)) + 2);
    }
    if (!head.startsWith("*")) return null;
    String error = null;
    for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
      String found = findError();
      if (error == null) error = found;
    }
    return error;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.readUnsignedByte(); b != '\r'; b = in.readUnsignedByte()) line.append((char) b);
    in.readUnsignedByte();
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
