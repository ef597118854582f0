package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespLimits;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a replica and its master, which holds back the last writes of the stream.
 *
 * <pre>{@code
 * replica -> PING, REPLCONF, PSYNC, acknowledgements       -> master
 *         <- lines, perhaps an RDB file, then the commands <-
 *            up to the last ones, which wait here
 * }</pre>
 *
 * The replica cannot acknowledge what it has not received, so WAIT and its offset tell the truth.
 * After a lost connection it asks for the held writes again. Any thread.
 */
final class ReplicationLag implements AutoCloseable {

  private static final int CHUNK = 16 * 1024;

  /** Commands of the stream that write nothing themselves. */
  private static final Set<String> UNCOUNTED =
      Set.of("PING", "REPLCONF", "SELECT", "MULTI", "EXEC");

  private record Held(byte[] bytes, boolean isCounted) {}

  private final Supplier<ServerAddress> master;
  private final ServerSocket listener;
  private final Thread acceptor;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Deque<Held> held = new ArrayDeque<>();
  private int counted;
  private int limit;
  private @Nullable OutputStream toReplica;

  private volatile @Nullable Socket replicaSide;
  private volatile @Nullable Socket masterSide;

  /**
   * Opens it on a free port; it holds nothing back at first.
   *
   * @param master the address of the replica's master at present
   */
  ReplicationLag(Supplier<ServerAddress> master) throws IOException {
    this.master = master;
    listener = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    acceptor = Thread.ofVirtual().name("kermes-testkit-lag").unstarted(this::accept);
    acceptor.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  // The number of writes

  /** Holds back the last {@code writes} of the stream; 0 lets all pass. */
  void limit(int writes) {
    lock.lock();
    try {
      limit = writes;
      settle();
    } catch (IOException e) {
      closeConnection(); // the replica asks for the held writes again
    } finally {
      lock.unlock();
    }
  }

  boolean isOn() {
    lock.lock();
    try {
      return limit > 0;
    } finally {
      lock.unlock();
    }
  }

  private void hold(byte[] command, boolean isCounted) throws IOException {
    lock.lock();
    try {
      held.addLast(new Held(command, isCounted));
      if (isCounted) counted++;
      settle();
    } finally {
      lock.unlock();
    }
  }

  /** Passes the oldest commands on until no more than the limit are left. */
  private void settle() throws IOException {
    OutputStream out = toReplica;
    if (out == null) return;
    for (Held oldest = held.peekFirst(); oldest != null; oldest = held.peekFirst()) {
      if (oldest.isCounted() && counted <= limit) break;
      held.removeFirst();
      if (oldest.isCounted()) counted--;
      out.write(oldest.bytes());
    }
    out.flush();
  }

  // The connection

  private void accept() {
    while (!listener.isClosed()) {
      try (Socket replica = listener.accept();
          Socket server = new Socket(master.get().host(), master.get().port())) {
        replicaSide = replica;
        masterSide = server;
        replica.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        serve(replica, server);
      } catch (IOException e) {
        // The replica has left, the master is down, or this proxy is closed.
      }
    }
  }

  private void serve(Socket replica, Socket server) throws IOException {
    OutputStream out = new BufferedOutputStream(replica.getOutputStream(), CHUNK);
    attach(out);
    Thread requests =
        Thread.ofVirtual().name("kermes-testkit-lag-requests").start(() -> pass(replica, server));
    try {
      InputStream in = new BufferedInputStream(server.getInputStream(), CHUNK);
      passHandshake(in, out);
      passStream(in);
    } finally {
      attach(null);
      closeConnection();
      joinQuietly(requests);
    }
  }

  /** Sets the output of a new connection, to which nothing held belongs; null for none. */
  private void attach(@Nullable OutputStream out) {
    lock.lock();
    try {
      toReplica = out;
      held.clear();
      counted = 0;
    } finally {
      lock.unlock();
    }
  }

  private void pass(Socket replica, Socket server) {
    try {
      replica.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException e) {
      // the connection ends
    } finally {
      closeConnection();
    }
  }

  /** Passes replies and the RDB file of a full sync, up to the first command. */
  private static void passHandshake(InputStream in, OutputStream out) throws IOException {
    String line = "";
    while (!line.startsWith("$") && !line.startsWith("+CONTINUE")) {
      line = passLine(in, out);
      out.flush();
    }
    if (line.startsWith("$EOF:")) passUntil(line.substring(5).strip(), in, out);
    else if (line.startsWith("$")) passBytes(Long.parseLong(line.substring(1).strip()), in, out);
    out.flush();
  }

  private static String passLine(InputStream in, OutputStream out) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = -1;
    while (next != '\n') {
      next = read(in);
      line.write(next);
    }
    line.writeTo(out);
    return line.toString(US_ASCII);
  }

  private static void passBytes(long count, InputStream in, OutputStream out) throws IOException {
    for (long left = count; left > 0; left--) out.write(read(in));
  }

  /** Passes a file without a known length, which ends with the mark. */
  private static void passUntil(String mark, InputStream in, OutputStream out) throws IOException {
    byte[] wanted = mark.getBytes(US_ASCII);
    byte[] last = new byte[wanted.length];
    while (!Arrays.equals(last, wanted)) {
      int next = read(in);
      out.write(next);
      System.arraycopy(last, 1, last, 0, last.length - 1);
      last[last.length - 1] = (byte) next;
    }
  }

  private static int read(InputStream in) throws IOException {
    int next = in.read();
    if (next < 0) throw new EOFException("the master has closed the connection");
    return next;
  }

  private void passStream(InputStream in) throws IOException {
    RequestReader reader = new RequestReader(CHUNK);
    for (int n = in.read(reader.reserve(CHUNK), reader.end(), CHUNK);
        n >= 0;
        n = in.read(reader.reserve(CHUNK), reader.end(), CHUNK)) {
      reader.advance(n);
      for (reader.parse(RespLimits.DEFAULT, 1);
          reader.hasNext();
          reader.parse(RespLimits.DEFAULT, 1)) {
        int command = reader.next();
        boolean isCounted = !UNCOUNTED.contains(Request.of(reader, command).name());
        hold(
            Arrays.copyOfRange(reader.bytes(), reader.start(command), reader.end(command)),
            isCounted);
        reader.release();
      }
      if (reader.error() != null) throw new IOException("no stream of commands: " + reader.error());
    }
  }

  // The end

  private void closeConnection() {
    closeQuietly(replicaSide);
    closeQuietly(masterSide);
  }

  private static void closeQuietly(@Nullable Socket socket) {
    try {
      if (socket != null) socket.close();
    } catch (IOException e) {
      return; // it is closed anyway
    }
  }

  private static void joinQuietly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes the connection and ends the threads; returns when they are gone. */
  @Override
  public void close() throws IOException {
    listener.close();
    closeConnection();
    joinQuietly(acceptor);
  }
}
