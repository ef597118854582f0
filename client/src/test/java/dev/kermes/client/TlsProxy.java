package dev.kermes.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Terminates TLS in front of a server without TLS. */
final class TlsProxy implements AutoCloseable {
  /** A key with a self-signed certificate, created for each run. */
  record Identity(KeyStore store) {
    private static final String PASSWORD = "changeit";

    /** {@code names} as keytool takes them: {@code dns:localhost,ip:127.0.0.1}. */
    static Identity of(Path folder, String names) throws Exception {
      Path file = Files.createTempFile(folder, "identity", ".p12");
      Files.delete(file); // keytool creates it
      String options =
          "-genkeypair -alias server -keyalg EC -groupname secp256r1 -validity 2 -dname CN=test"
              + " -storetype PKCS12 -storepass "
              + PASSWORD;
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
      command.addAll(List.of(options.split(" ", -1)));
      command.addAll(List.of("-ext", "san=" + names, "-keystore", file.toString()));
      Path log = folder.resolve("keytool.log");
      Process keytool =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        keytool.destroyForcibly();
        throw new IllegalStateException("keytool failed: " + Files.readString(log));
      }
      return new Identity(KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray()));
    }

    X509Certificate certificate() throws GeneralSecurityException {
      return (X509Certificate) store.getCertificate("server");
    }

    SSLContext serverContext(@Nullable Identity trusted) throws Exception {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trusted == null ? null : trusted.trust(), null);
      return context;
    }

    /** The context of a client that trusts this certificate and presents none itself. */
    SSLContext clientContext() throws Exception {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust(), null);
      return context;
    }

    private TrustManager[] trust() throws Exception {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("other", certificate());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      return trust.getTrustManagers();
    }

    /** A file with the certificate. */
    Path pem(Path folder) throws Exception {
      return pem(folder, "CERTIFICATE", certificate().getEncoded());
    }

    /** A file with the private key. */
    Path keyPem(Path folder) throws Exception {
      return pem(
          folder, "PRIVATE KEY", store.getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    private static Path pem(Path folder, String what, byte[] der) throws IOException {
      Path file = Files.createTempFile(folder, "identity", ".pem");
      String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
      return Files.writeString(
          file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }
  }

  private final int backendPort;
  private final SSLServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();

  TlsProxy(Identity identity, int backendPort) throws Exception {
    this(identity.serverContext(null), backendPort);
  }

  /** A proxy that requires the certificate of {@code client} from its clients. */
  static TlsProxy askingFor(Identity client, Identity own, int backendPort) throws Exception {
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

  int port() {
    return server.getLocalPort();
  }

  int accepted() {
    return accepted.get();
  }

  /** Closes every connection; new ones are accepted. */
  void drop() throws IOException {
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
