package dev.kermes.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy that breaks connections: all at once, after some bytes, or from the beginning. It can
 * also keep them open and forward nothing. Its threads end with it.
 */
public final class FaultyProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;
  private volatile boolean isStalled;
  private volatile long bytesMax = Long.MAX_VALUE;

  public FaultyProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Closes all connections, and every new one until {@link #heal}. */
  public void cut() throws IOException {
    isCut = true;
    lose();
  }

  /** Forwards nothing from the target until {@link #heal}. */
  public void stall() {
    isStalled = true;
  }

  public void heal() {
    isCut = false;
    isStalled = false;
    bytesMax = Long.MAX_VALUE;
  }

  /** Closes all current connections. */
  public void lose() throws IOException {
    for (Socket socket : sockets) socket.close();
    sockets.clear();
  }

  /** Closes each new connection after this many bytes from the target. */
  public void loseAfter(long bytes) {
    bytesMax = bytes;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (isCut) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        start(() -> pass(client, server, Long.MAX_VALUE, false));
        start(() -> pass(server, client, bytesMax, true));
        if (isCut) lose();
      } catch (IOException e) {
        // The target is down, or this proxy is closed.
      }
    }
  }

  private void pass(Socket from, Socket to, long max, boolean mayStall) {
    byte[] buffer = new byte[8192];
    long left = max;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0 && left > 0; n = in.read(buffer)) {
        while (mayStall && isStalled && !from.isClosed()) Thread.sleep(10);
        int part = (int) Math.min(n, left);
        out.write(buffer, 0, part);
        left -= part;
        if (left == 0) break;
      }
    } catch (IOException | InterruptedException e) {
      // Broken connections are expected.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "faulty-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
