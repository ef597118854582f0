package dev.kermes.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Terminates TLS in front of a server without TLS. */
public final class TlsProxy implements AutoCloseable {
  private final int backendPort;
  private final SSLServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();

  /** A proxy with this identity in front of a port. */
  public TlsProxy(TestIdentity identity, int backendPort) throws Exception {
    this(identity.serverContext(), backendPort);
  }

  /** A proxy that requires the certificate of {@code client} from its clients. */
  public static TlsProxy askingFor(TestIdentity client, TestIdentity own, int backendPort)
      throws Exception {
    TlsProxy proxy = new TlsProxy(own.serverContext(client), backendPort);
    proxy.server.setNeedClientAuth(true);
    return proxy;
  }

  private TlsProxy(SSLContext context, int backendPort) throws IOException {
    this.backendPort = backendPort;
    server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** The number of connections accepted so far. */
  public int accepted() {
    return accepted.get();
  }

  /** Closes every connection; new ones are accepted. */
  public void drop() throws IOException {
    for (Socket socket : sockets) socket.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Socket backend = new Socket(InetAddress.getLoopbackAddress(), backendPort);
        backend.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(backend);
        accepted.incrementAndGet();
        Thread.ofVirtual().start(() -> pump(client, backend));
        Thread.ofVirtual().start(() -> pump(backend, client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      in.transferTo(to.getOutputStream());
    } catch (IOException e) {
      // one side closed the connection, or the TLS handshake failed
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    drop();
  }
}
