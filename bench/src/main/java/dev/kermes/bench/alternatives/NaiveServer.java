package dev.kermes.bench.alternatives;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A Redis as written in an afternoon: a thread per connection, blocking readers and writers of
 * text, one ConcurrentHashMap of strings. It knows GET, SET, and the other commands of the
 * benchmarks. {@code NaiveServer platform|virtual port [each]}; with {@code each} it writes every
 * reply at once, as the article's server does.
 */
public final class NaiveServer {

  private final ConcurrentMap<String, String> strings = new ConcurrentHashMap<>();
  private final String kind;
  private final boolean flushesEach;

  private NaiveServer(String kind, boolean flushesEach) {
    this.kind = kind;
    this.flushesEach = flushesEach;
  }

  public static void main(String[] arguments) throws IOException {
    String kind = arguments[0];
    NaiveServer server = new NaiveServer(kind, arguments.length > 2);
    try (ExecutorService threads =
            kind.equals("virtual")
                ? Executors.newVirtualThreadPerTaskExecutor()
                : Executors.newCachedThreadPool();
        ServerSocket listener =
            new ServerSocket(
                Integer.parseInt(arguments[1]), 511, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket socket = listener.accept();
        threads.execute(() -> server.serve(socket));
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        Writer out =
            new BufferedWriter(
                new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8))) {
      socket.setTcpNoDelay(true);
      for (String[] call = read(in); call != null; call = read(in)) {
        execute(call, out);
        // Otherwise flush only if no further request is waiting: the one concession to pipelines.
        if (flushesEach || !in.ready()) out.flush();
      }
    } catch (SocketException e) {
      // The client is gone.
    } catch (IOException e) {
      System.err.println(e);
    }
  }

  private static String @Nullable [] read(BufferedReader in) throws IOException {
    String head = in.readLine();
    if (head == null) return null;
    if (!head.startsWith("*")) throw new IOException("expected an array: " + head);
    String[] call = new String[Integer.parseInt(head.substring(1))];
    for (int i = 0; i < call.length; i++) {
      String length = in.readLine();
      String argument = in.readLine();
      if (length == null || argument == null) return null;
      call[i] = argument;
    }
    return call;
  }

  private void execute(String[] call, Writer out) throws IOException {
    switch (call[0]) {
      case "GET" -> bulk(strings.get(call[1]), out);
      case "SET" -> {
        strings.put(call[1], call[2]);
        out.write("+OK\r\n");
      }
      case "PING" -> out.write("+PONG\r\n");
      case "FLUSHALL" -> {
        strings.clear();
        out.write("+OK\r\n");
      }
      case "INFO" -> bulk("server_name:naive-" + kind + "\r\n", out);
      default -> out.write("-ERR unknown command '" + call[0] + "'\r\n");
    }
  }

  private static void bulk(@Nullable String value, Writer out) throws IOException {
    if (value == null) out.write("$-1\r\n");
    else out.write("$" + value.length() + "\r\n" + value + "\r\n");
  }
}
