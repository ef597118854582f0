package dev.kermes.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A scripted server on a real socket. Each request goes to the script, which may reply, reply in
 * part, stay silent or close the connection. The handshake is answered automatically.
 *
 * <pre>
 *   ScriptedPeer.answering(request -> request.getLast().equals("a") ? "$1\r\nA\r\n" : null)
 * </pre>
 *
 * <p>Each connection has a thread of its own, which runs the script.
 */
public final class ScriptedPeer implements AutoCloseable {
  /** Answers every request with its last word. */
  public static final Script ECHO = (conversation, request) -> conversation.bulk(request.getLast());

  /** Answers one request. */
  public interface Script {
    /** Acts on a request, whose words have a character per byte. */
    void on(Conversation conversation, List<String> request) throws IOException;
  }

  /** One accepted connection. */
  public static final class Conversation {
    private final int number;
    private final RandomGenerator random;
    private boolean isDeaf;

    private final Socket socket;
    private final OutputStream out;

    Conversation(int number, Socket socket) throws IOException {
      this.number = number;
      this.random = new SplittableRandom(number);
      this.socket = socket;
      this.out = socket.getOutputStream();
    }

    /** The number of this connection: 1 is the first that the peer accepted. */
    public int number() {
      return number;
    }

    /**
     * For scripts that act at random; seeded by the connection's number, so that runs are similar.
     */
    public RandomGenerator random() {
      return random;
    }

    /** The port of the peer, at which this connection was accepted. */
    public int port() {
      return socket.getLocalPort();
    }

    /** Marks this connection for a script that replies no more. */
    public void ignoreRequests() {
      isDeaf = true;
    }

    /** Whether the script has called {@link #ignoreRequests}. */
    public boolean ignoresRequests() {
      return isDeaf;
    }

    /** Sends text, one character per byte. */
    public void reply(String wire) throws IOException {
      out.write(wire.getBytes(ISO_8859_1));
      out.flush();
    }

    public void bulk(String text) throws IOException {
      reply(bulkOf(text));
    }

    /** A push of RESP3: {@code push("message", "channel", "payload")}. */
    public void push(String... words) throws IOException {
      StringBuilder wire = new StringBuilder(">" + words.length + "\r\n");
      for (String word : words) wire.append(bulkOf(word));
      reply(wire.toString());
    }

    /** The confirmation of a SUBSCRIBE, PSUBSCRIBE or SSUBSCRIBE. */
    public void confirm(List<String> request) throws IOException {
      push(request.getFirst().toLowerCase(Locale.ROOT), request.get(1), "1");
    }

    /** Stops reading until the client has closed the connection. */
    public void stall() throws IOException {
      while (!socket.isClosed()) LockSupport.parkNanos(1_000_000);
      throw new IOException("stalled");
    }

    public void hangUp() throws IOException {
      socket.close();
    }

    /** Ends the connection with a reset. */
    public void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Conversation> conversations = new CopyOnWriteArrayList<>();
  private final List<List<String>> requests;
  private final AtomicInteger accepted = new AtomicInteger();
  private final Script script;
  private final Script handshake;

  public ScriptedPeer(Script script) throws IOException {
    this(script, ScriptedPeer::greet);
  }

  /** {@code handshake} answers HELLO and CLIENT. */
  public ScriptedPeer(Script script, Script handshake) throws IOException {
    this(script, handshake, List.of());
  }

  private ScriptedPeer(Script script, Script handshake, List<List<String>> requests)
      throws IOException {
    this.script = script;
    this.handshake = handshake;
    this.requests = requests;
    Thread.ofVirtual().start(this::accept);
  }

  /**
   * A peer that sends the answer of a function to each request: nothing if it is empty; for null it
   * closes the connection.
   */
  public static ScriptedPeer answering(Function<List<String>, @Nullable String> answers)
      throws IOException {
    List<List<String>> requests = new CopyOnWriteArrayList<>();
    Script script =
        (conversation, request) -> {
          requests.add(request);
          String answer = answers.apply(request);
          if (answer == null) conversation.hangUp();
          else conversation.reply(answer);
        };
    return new ScriptedPeer(script, ScriptedPeer::greet, requests);
  }

  /**
   * A peer that sends these replies in order, one for each request, those of the handshake
   * included, and no others.
   */
  public static ScriptedPeer replying(List<String> replies) throws IOException {
    List<List<String>> requests = new CopyOnWriteArrayList<>();
    Script script =
        (conversation, request) -> {
          int number = requests.size();
          requests.add(request);
          if (number < replies.size()) conversation.reply(replies.get(number));
        };
    return new ScriptedPeer(script, script, requests);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** The address for a client. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  /** The number of connections accepted so far. */
  public int accepted() {
    return accepted.get();
  }

  /**
   * The requests to a peer made by {@link #answering} or {@link #replying}, without those of a
   * handshake that is answered automatically.
   */
  public List<List<String>> requests() {
    return Collections.unmodifiableList(requests);
  }

  /** Sends text on every connection, one character per byte. */
  public void send(String wire) throws IOException {
    for (Conversation each : conversations) {
      if (!each.socket.isClosed()) each.reply(wire);
    }
  }

  /** A bulk as it goes over the wire; one byte per char. */
  public static String bulkOf(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  /** The usual answers to a handshake in RESP3. */
  public static void greet(Conversation conversation, List<String> request) throws IOException {
    boolean isHello = request.getFirst().equals("HELLO");
    conversation.reply(isHello ? "%1\r\n$5\r\nproto\r\n:3\r\n" : "+OK\r\n");
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        Conversation conversation = new Conversation(accepted.incrementAndGet(), socket);
        conversations.add(conversation);
        Thread.ofVirtual().start(() -> serve(conversation));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Conversation conversation) {
    try (Socket socket = conversation.socket) {
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
    for (Conversation each : conversations) each.socket.close();
  }
}
