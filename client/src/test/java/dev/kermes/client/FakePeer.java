package dev.kermes.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A scripted server on a real socket. Each request goes to the script, which may reply, reply in
 * part, stay silent or close the connection. The handshake is answered automatically.
 */
final class FakePeer implements AutoCloseable {
  /** Answers every request with its last word. */
  static final Script ECHO = (conversation, request) -> conversation.bulk(request.getLast());

  /** Answers one request. */
  interface Script {
    void on(Conversation conversation, List<String> request) throws IOException;
  }

  /** One accepted connection. */
  static final class Conversation {
    final int number;

    /** For scripts that stop replying. */
    boolean isDeaf;

    /**
     * For scripts that act at random; seeded by the connection's number, so that runs are similar.
     */
    final RandomGenerator random;

    private final Socket socket;
    private final OutputStream out;

    Conversation(int number, Socket socket) throws IOException {
      this.number = number;
      this.random = new SplittableRandom(number);
      this.socket = socket;
      this.out = socket.getOutputStream();
    }

    /** The number of this connection at the server. */
    int port() {
      return socket.getLocalPort();
    }

    void reply(String wire) throws IOException {
      out.write(wire.getBytes(ISO_8859_1));
      out.flush();
    }

    void bulk(String text) throws IOException {
      reply(bulkOf(text));
    }

    /** A push of RESP3: {@code push("message", "channel", "payload")}. */
    void push(String... words) throws IOException {
      StringBuilder wire = new StringBuilder(">" + words.length + "\r\n");
      for (String word : words) wire.append(bulkOf(word));
      reply(wire.toString());
    }

    /** The confirmation of a SUBSCRIBE, PSUBSCRIBE or SSUBSCRIBE. */
    void confirm(List<String> request) throws IOException {
      push(request.getFirst().toLowerCase(Locale.ROOT), request.get(1), "1");
    }

    /** Stops reading until the client has closed the connection. */
    void stall() throws IOException {
      while (!socket.isClosed()) LockSupport.parkNanos(1_000_000);
      throw new IOException("stalled");
    }

    void hangUp() throws IOException {
      socket.close();
    }

    /** Ends the connection with a reset. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final Script script;
  private final Script handshake;

  FakePeer(Script script) throws IOException {
    this(script, FakePeer::greet);
  }

  /** {@code handshake} answers HELLO and CLIENT. */
  FakePeer(Script script, Script handshake) throws IOException {
    this.script = script;
    this.handshake = handshake;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  RedisOptions.Builder options() {
    return RedisOptions.url("redis://127.0.0.1:" + port());
  }

  int accepted() {
    return accepted.get();
  }

  /** A command that {@link #ECHO} answers with {@code word}. */
  static Command<@Nullable Object> echo(String word) {
    return Command.of("ECHO", word);
  }

  /** A bulk as it goes over the wire; one byte per char. */
  static String bulkOf(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  /** The usual answers to a handshake in RESP3. */
  static void greet(Conversation conversation, List<String> request) throws IOException {
    boolean isHello = request.getFirst().equals("HELLO");
    conversation.reply(isHello ? "%1\r\n$5\r\nproto\r\n:3\r\n" : "+OK\r\n");
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        int number = accepted.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(number, socket));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(int number, Socket socket) {
    try (socket) {
      Conversation conversation = new Conversation(number, socket);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        List<String> request = readRequest(in);
        boolean isGreeting = Set.of("HELLO", "CLIENT").contains(request.getFirst());
        (isGreeting ? handshake : script).on(conversation, request);
      }
    } catch (IOException e) {
      // closed by the client
    }
  }

  private static List<String> readRequest(InputStream in) throws IOException {
    int count = Integer.parseInt(readLine(in).substring(1));
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = Integer.parseInt(readLine(in).substring(1));
      words.add(new String(in.readNBytes(length), ISO_8859_1));
      readLine(in);
    }
    return words;
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) throw new IOException("end of stream");
      if (b != '\r') line.append((char) b);
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) socket.close();
  }
}
