package dev.kermes.bench.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The lower bound for every client: one thread that counts replies by their length, without parsing
 * them, and writes as many requests.
 */
final class BareSocketSubject implements ClientSubject {
  private final Socket socket;

  BareSocketSubject(InetSocketAddress server) {
    try {
      socket = new Socket(server.getAddress(), server.getPort());
      socket.setTcpNoDelay(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean gets(String key, int length, int underWay, int operations) throws IOException {
    String request = "*2\r\n$3\r\nGET\r\n$%d\r\n%s\r\n".formatted(key.length(), key);
    byte[] requests = request.repeat(underWay).getBytes(StandardCharsets.US_ASCII);
    int replyLength = "$%d\r\n\r\n".formatted(length).length() + length;
    byte[] replies = new byte[Math.clamp((long) underWay * replyLength, 1, 1 << 16)];
    OutputStream out = socket.getOutputStream();
    InputStream in = socket.getInputStream();
    int sent = Math.min(underWay, operations);
    out.write(requests, 0, request.length() * sent);
    int done = 0;
    for (long bytes = 0; done < operations; ) {
      int read = in.read(replies);
      if (read < 0) throw new IOException("closed");
      bytes += read;
      int more = (int) (bytes / replyLength) - done;
      done += more;
      int next = Math.min(more, operations - sent);
      if (next > 0) out.write(requests, 0, request.length() * next);
      sent += next;
    }
    return true;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
