package dev.kermes.server.node;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place of one server among others in this JVM: its address, its role, and the server itself
 * while it runs. Any thread.
 */
public abstract class ServerNode {

  private static final String LOOPBACK = "127.0.0.1";

  private volatile int port;
  private volatile int tlsPort;
  private volatile int frontPort;
  private volatile int detourPort;
  private volatile boolean isFrozen;
  private final AtomicReference<@Nullable NodeServer> server = new AtomicReference<>();

  /** The kind of a server, as HELLO and INFO name it; null is one on its own. */
  public static String modeOf(@Nullable ServerNode node) {
    return node == null ? "standalone" : node.mode();
  }

  /** The kind of its server. */
  protected String mode() {
    return "standalone";
  }

  /** The node that its server replicates; null for none. */
  public abstract @Nullable ServerNode master();

  /** Notes that its server is a master now. The caller holds the keyspace lock of that server. */
  public abstract void promoted();

  /** Notes that its server has ended or is frozen. The caller holds no keyspace lock. */
  protected void lost() {}

  /** Notes that its frozen server is about to continue. */
  protected void found() {}

  // Addresses

  /** Sets the ports on which its server listens; 0 for none. */
  public void listens(int onPort, int onTlsPort) {
    port = onPort;
    tlsPort = onTlsPort;
  }

  /** The host at which other nodes reach its server. */
  public String host() {
    return LOOPBACK;
  }

  /** The port at which other nodes reach its server. */
  public int port() {
    return port > 0 ? port : tlsPort;
  }

  /** Sets the port of a proxy through which clients reach its server; 0 for none. */
  public void front(int proxyPort) {
    frontPort = proxyPort;
  }

  /** The port at which clients reach its server, without TLS. */
  public int frontPort() {
    return frontPort > 0 ? frontPort : port();
  }

  /**
   * Sets the port of a proxy through which its server, a replica, reaches its master; 0 for none.
   */
  public void detour(int proxyPort) {
    detourPort = proxyPort;
  }

  /** The port at which its server reaches a master. */
  public int portOf(ServerNode master) {
    return detourPort > 0 ? detourPort : master.port();
  }

  /** The port for clients without TLS; 0 for none. */
  protected int plainPort() {
    return frontPort > 0 ? frontPort : port;
  }

  /** The port with TLS; 0 for none. */
  protected int tlsPort() {
    return tlsPort;
  }

  // Its server

  /** Sets the server of this node, which begins to follow it. */
  public void attach(NodeServer started) {
    server.set(started);
  }

  /** Its server; null before the start and after the end. */
  public @Nullable NodeServer server() {
    return server.get();
  }

  /** Its server while it runs. */
  public NodeServer running() {
    NodeServer running = server.get();
    if (running == null) throw new IllegalStateException("not running: " + this);
    return running;
  }

  /** Whether its server runs and is not frozen. */
  public boolean isReachable() {
    return server.get() != null && !isFrozen;
  }

  /** Notes the end of its server. The caller holds no keyspace lock. */
  public void ended() {
    server.set(null);
    isFrozen = false;
    lost();
  }

  /** Stops its server where it stands. The caller holds no keyspace lock. */
  public void freeze() {
    running().freeze();
    isFrozen = true;
    lost();
  }

  /** Lets its frozen server continue; does nothing if it has ended. */
  public void thaw() {
    NodeServer frozen = server.get();
    if (frozen == null) return;
    found();
    isFrozen = false;
    frozen.thaw();
  }
}
