package dev.kermes.bench.alternatives;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The first step from {@link NaiveServer}: requests stay bytes, and so do keys and values. It still
 * has a thread per connection, and a write per reply. {@code ByteServer port}.
 */
public final class ByteServer {

  private static final int READ_MAX = 1 << 14;

  private final ByteCommands commands = new ByteCommands(new ConcurrentHashMap<>());

  private ByteServer() {}

  public static void main(String[] arguments) throws IOException {
    ByteServer server = new ByteServer();
    int port = Integer.parseInt(arguments[0]);
    try (ExecutorService threads = Executors.newCachedThreadPool();
        ServerSocket listener = new ServerSocket(port, 511, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket socket = listener.accept();
        threads.execute(() -> server.serve(socket));
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      ByteRequests requests = new ByteRequests();
      ByteReplies replies = new ByteReplies();
      byte[] read = new byte[READ_MAX];
      OutputStream out = socket.getOutputStream();
      for (int length = read(socket, read); length >= 0; length = read(socket, read)) {
        requests.add(read, length);
        while (requests.next()) {
          commands.execute(requests, replies);
          out.write(replies.bytes(), 0, replies.length());
          replies.clear();
        }
      }
    } catch (SocketException e) {
      // The client is gone.
    } catch (IOException e) {
      System.err.println(e);
    }
  }

  private static int read(Socket socket, byte[] into) throws IOException {
    return socket.getInputStream().read(into);
  }
}
