package dev.kermes.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
  private final CommandLog log;
  private final boolean isOfNode;
  private final FrontTls tls;
  private final Thread acceptor;
  private volatile ServerAddress target;
  private int accepted;

  /** Opens one in front of a server, on a free port and with a log of its own. */
  Proxy(ServerAddress target, Faults faults, FrontTls tls) throws IOException {
    this(0, target, false, faults, new CommandLog(), tls);
  }

  /** Opens one for a node that has not been started: until {@link #target} it leads nowhere. */
  Proxy(int port, Faults faults, CommandLog log, FrontTls tls) throws IOException {
    this(port, ServerAddress.local(0), true, faults, log, tls);
  }

  private Proxy(
      int port, ServerAddress target, boolean isOfNode, Faults faults, CommandLog log, FrontTls tls)
      throws IOException {
    this.target = target;
    this.isOfNode = isOfNode;
    this.faults = faults;
    this.log = log;
    this.tls = tls;
    listener = new ServerSocket(port, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    acceptor = Thread.ofVirtual().name("kermes-testkit-accept").unstarted(this::accept);
    acceptor.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  FrontTls tls() {
    return tls;
  }

  CommandLog log() {
    return log;
  }

  /** Leads new connections to another server. */
  void target(ServerAddress address) {
    target = address;
  }

  private List<ProxyConnection> own() {
    return faults.connections().stream().filter(each -> each.port() == port()).toList();
  }

  /**
   * Closes those of its connections that the server knows by these ports.
   *
   * @return the ports of those that it has closed
   */
  Set<Integer> closeAll(Set<Integer> serverSidePorts) {
    Set<Integer> closed = new HashSet<>();
    for (ProxyConnection each : own()) {
      if (!serverSidePorts.contains(each.serverSidePort())) continue;
      closed.add(each.serverSidePort());
      each.close();
    }
    return closed;
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
      new ProxyConnection(label(accepted), client, tls.decrypted(client), server, faults, log)
          .start();
    } catch (IOException e) {
      client.close(); // as if the server's port were closed
      throw e;
    }
  }

  /** The connection in reports: its number, for nodes after the port. */
  private String label(int number) {
    return (isOfNode ? ":" + port() : "") + "#" + number;
  }

  /** Closes all connections and ends all threads; returns when they are gone. */
  @Override
  public void close() throws IOException {
    listener.close();
    acceptor.interrupt();
    boolean interrupted = false;
    try {
      acceptor.join();
      List<ProxyConnection> open = own();
      for (ProxyConnection each : open) each.close();
      for (ProxyConnection each : open) each.join();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
