package dev.kermes.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers the requests of one connection, the handshake included, with given replies in order. */
final class ScriptedSocket implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> replies;

  ScriptedSocket(List<String> replies) throws IOException {
    this.replies = replies;
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return server.getLocalPort();
  }

  List<String> requests() {
    return requests;
  }

  private void serve() {
    try (Socket socket = server.accept()) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      for (String reply : replies) {
        requests.add(readRequest(in));
        socket.getOutputStream().write(reply.getBytes(ISO_8859_1));
      }
      in.read();
    } catch (IOException e) {
      // closed
    }
  }

  private static String readRequest(BufferedReader in) throws IOException {
    int count = Integer.parseInt(line(in).substring(1));
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      line(in);
      words.append(i == 0 ? "" : " ").append(line(in));
    }
    return words.toString();
  }

  private static String line(BufferedReader in) throws IOException {
    String line = in.readLine();
    if (line == null) throw new IOException("end of stream");
    return line;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
