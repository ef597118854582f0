package dev.kermes.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/**
 * Stands between clients and the server, and applies {@link Faults}. Its port stays the same while
 * the server behind it changes.
 *
 * <p>Faults are here and not in the server: the server has no code for them, and real servers can
 * have them as well.
 */
final class Proxy implements AutoCloseable {

  private static final int BACKLOG = 128;

  private final ServerSocket listener;
  private final Faults faults;
  private final CommandLog log = new CommandLog();
  private final Thread acceptor;
  private volatile ServerAddress target;
  private int accepted;

  Proxy(ServerAddress target, Faults faults) throws IOException {
    this.target = target;
    this.faults = faults;
    listener = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    acceptor = Thread.ofVirtual().name("kermes-testkit-accept").unstarted(this::accept);
    acceptor.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  CommandLog log() {
    return log;
  }

  /** Leads new connections to another server. */
  void target(ServerAddress address) {
    target = address;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        faults.passGate();
        connect(client);
      } catch (IOException | InterruptedException e) {
        // The client has left, the server is down, or this proxy is closed.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    ServerAddress address = target;
    try {
      client.setTcpNoDelay(true);
      Socket server = new Socket(address.host(), address.port());
      server.setTcpNoDelay(true);
      accepted++;
      new ProxyConnection(accepted, client, server, faults, log).start();
    } catch (IOException e) {
      client.close(); // as if the server's port were closed
      throw e;
    }
  }

  /** Closes all connections and ends all threads; returns when they are gone. */
  @Override
  public void close() throws IOException {
    listener.close();
    acceptor.interrupt();
    boolean interrupted = false;
    try {
      acceptor.join();
      List<ProxyConnection> open = List.copyOf(faults.connections());
      for (ProxyConnection each : open) each.close();
      for (ProxyConnection each : open) each.join();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
