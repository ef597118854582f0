package dev.kermes.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import dev.kermes.testing.TestIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The port for TLS: certificates on both sides, versions, new certificates while it runs. */
@Timeout(60)
final class TlsTest {

  @TempDir private static Path folder;
  private static KeyStore identity;
  private static KeyStore another;

  @BeforeAll
  static void makeCertificates() throws Exception {
    identity = newIdentity("one");
    another = newIdentity("two");
  }

  /** A key with a certificate of its own, also as files in PEM. */
  private static KeyStore newIdentity(String name) throws Exception {
    String names = "ip:127.0.0.1,uri:urn:first:" + name + ",uri:urn:second:" + name;
    TestIdentity made = TestIdentity.of(folder, name, names);
    made.writePem(folder, name);
    return made.store();
  }

  private static RedisServer.Builder server(int tlsPort, String authClients) {
    return TestServers.with()
        .loops(1)
        .option("tls-port", Integer.toString(tlsPort))
        .option("tls-cert-file", folder.resolve("one.crt").toString())
        .option("tls-key-file", folder.resolve("one.key").toString())
        .option("tls-ca-cert-file", folder.resolve("one.crt").toString())
        .option("tls-auth-clients", authClients);
  }

  /**
   * A secured connection from a client with the certificates {@code own}, which may be none, to a
   * server whose certificate is in {@code trusted}.
   */
  private static RespSocket connect(int port, KeyStore trusted, KeyStore own, String... versions)
      throws Exception {
    SSLSocket socket = socket(port, trusted, own);
    if (versions.length > 0) socket.setEnabledProtocols(versions);
    socket.startHandshake();
    return new RespSocket(socket, socket.getInputStream(), socket.getOutputStream());
  }

  private static SSLSocket socket(int port, KeyStore trusted, KeyStore own) throws Exception {
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("server", trusted.getCertificate(TestIdentity.ALIAS));
    trust.init(certificates);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, TestIdentity.PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static KeyStore nothing() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  @Test
  void clientWithCertificate_isServed() throws Exception {
    int port = Ports.free();
    try (RedisServer server = server(port, "yes").start();
        RespSocket client = connect(port, identity, identity);
        RespSocket plain = new RespSocket(server.port())) {
      String large = "x".repeat(300_000);
      assertThat(client.call("SET", "a", large)).hasToString("+OK");
      assertThat(client.call("GET", "a").text()).endsWith(large);
      client.send("SUBSCRIBE", "c");
      client.read();
      plain.call("PUBLISH", "c", "hello");
      assertThat(client.read().toString()).contains("hello");
    }
  }

  @Test
  void clientWithoutGoodCertificate_isRefused() throws Exception {
    int port = Ports.free();
    try (RedisServer server = server(port, "yes").start()) {
      assertThat(server.port()).isNotEqualTo(port);
      for (KeyStore own : new KeyStore[] {nothing(), another}) {
        assertThatThrownBy(
                () -> {
                  try (RespSocket client = connect(port, identity, own)) {
                    client.call("PING");
                  }
                })
            .isInstanceOfAny(SSLException.class, IOException.class);
      }
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
        plain.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(plain.getInputStream().readAllBytes()).doesNotContain('P', 'O', 'N', 'G');
      }
    }
  }

  private static String[] replicaOf(int port) {
    return new String[] {
      "replicaof", "127.0.0.1 " + port,
      "tls-replication", "yes",
      "tls-client-cert-file", folder.resolve("one.crt").toString(),
      "tls-client-key-file", folder.resolve("one.key").toString(),
      "tls-ca-cert-file", folder.resolve("one.crt").toString(),
    };
  }

  private static void assertLinked(RespSocket master, RespSocket replica) throws Exception {
    master.call("SET", "a", "x".repeat(300_000));
    while (!replica.call("INFO", "replication").text().contains("master_link_status:up")) {
      Thread.sleep(20);
    }
    master.call("SET", "b", "2");
    assertThat(master.call("WAIT", "1", "20000")).hasToString(":1");
    assertThat(replica.call("STRLEN", "a")).hasToString(":300000");
    assertThat(replica.call("GET", "b").text()).endsWith(":2");
  }

  @Test
  void replica_ofOurs_isSecured() throws Exception {
    int port = Ports.free();
    try (RedisServer master = server(port, "yes").option("repl-diskless-sync-delay", "0").start();
        RedisServer replica = TestServers.with(replicaOf(port)).start();
        RespSocket toMaster = new RespSocket(master.port());
        RespSocket toReplica = new RespSocket(replica.port())) {
      assertLinked(toMaster, toReplica);
    }
  }

  @Test
  void replica_ofRedis_isSecured() throws Exception {
    int port = Ports.free();
    List<String> options =
        List.of(
            "--tls-port", "" + port,
            "--tls-cert-file", folder.resolve("one.crt").toString(),
            "--tls-key-file", folder.resolve("one.key").toString(),
            "--tls-ca-cert-file", folder.resolve("one.crt").toString(),
            "--repl-diskless-sync-delay", "0");
    try (RealRedis master = RealRedis.start(options);
        RedisServer replica = TestServers.with(replicaOf(port)).start();
        RespSocket toMaster = new RespSocket(master.port());
        RespSocket toReplica = new RespSocket(replica.port())) {
      assertLinked(toMaster, toReplica);
    }
  }

  @Test
  void redis_isASecuredReplica() throws Exception {
    int port = Ports.free();
    List<String> options = new ArrayList<>();
    String[] words = replicaOf(port);
    for (int i = 0; i < words.length; i += 2)
      options.addAll(List.of("--" + words[i], words[i + 1]));
    options.addAll(List.of("--tls-cert-file", folder.resolve("one.crt").toString()));
    options.addAll(List.of("--tls-key-file", folder.resolve("one.key").toString()));
    try (RedisServer master = server(port, "yes").option("repl-diskless-sync-delay", "0").start();
        RealRedis replica = RealRedis.start(options);
        RespSocket toMaster = new RespSocket(master.port());
        RespSocket toReplica = new RespSocket(replica.port())) {
      assertLinked(toMaster, toReplica);
    }
  }

  @Test
  void masterThatNobodyVouchesFor_isRefused() throws Exception {
    int port = Ports.free();
    String[] options = replicaOf(port);
    options[options.length - 1] = folder.resolve("two.crt").toString();
    try (RedisServer master = server(port, "no").start();
        RedisServer replica = TestServers.with(options).start();
        RespSocket toMaster = new RespSocket(master.port());
        RespSocket toReplica = new RespSocket(replica.port())) {
      // This test's connection, and two attempts of the replica.
      while (Integer.parseInt(Fact.of(toMaster, "total_connections_received")) < 3) {
        Thread.sleep(20);
      }
      assertThat(toReplica.call("INFO", "replication").text()).contains("master_link_status:down");
      assertThat(toMaster.call("INFO", "replication").text()).contains("connected_slaves:0");
      toReplica.call("CONFIG", "SET", "tls-ca-cert-file", folder.resolve("one.crt").toString());
      assertLinked(toMaster, toReplica);
    }
  }

  @Test
  void certificates_areRenewedWhileItRuns() throws Exception {
    int port = Ports.free();
    try (RedisServer server = server(port, "no").start();
        RespSocket admin = new RespSocket(server.port());
        RespSocket before = connect(port, identity, nothing())) {
      assertThat(admin.call("CONFIG", "SET", "tls-cert-file", "nosuch").toString())
          .contains("Unable to update TLS configuration");
      assertThat(
              admin.call(
                  "CONFIG", "SET",
                  "tls-cert-file", folder.resolve("two.crt").toString(),
                  "tls-key-file", folder.resolve("two.key").toString()))
          .hasToString("+OK");
      try (RespSocket after = connect(port, another, nothing())) {
        assertThat(after.call("PING")).hasToString("+PONG");
      }
      assertThatThrownBy(() -> connect(port, identity, nothing())).isInstanceOf(SSLException.class);
      assertThat(before.call("PING")).hasToString("+PONG");
    }
  }

  @Test
  void protocols_areThoseOfTheOption() throws Exception {
    int port = Ports.free();
    try (RedisServer server = server(port, "optional").option("tls-protocols", "TLSv1.3").start();
        RespSocket client = connect(port, identity, nothing(), "TLSv1.3")) {
      assertThat(server.port()).isNotEqualTo(port);
      assertThat(client.call("PING")).hasToString("+PONG");
      assertThatThrownBy(() -> connect(port, identity, nothing(), "TLSv1.2"))
          .isInstanceOf(SSLException.class);
    }
  }

  @Test
  void ciphers_areThoseOfTheOption() throws Exception {
    int port = Ports.free();
    String both = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384";
    try (RedisServer server =
            server(port, "no")
                .option("tls-protocols", "TLSv1.2")
                .option("tls-ciphers", both)
                .start();
        RespSocket admin = new RespSocket(server.port())) {
      assertThat(suite(port, "AES_128_GCM_SHA256")).endsWith("AES_128_GCM_SHA256");
      assertThat(suite(port, "AES_256_GCM_SHA384", "AES_128_GCM_SHA256"))
          .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
      admin.call("CONFIG", "SET", "tls-prefer-server-ciphers", "yes");
      assertThat(suite(port, "AES_256_GCM_SHA384", "AES_128_GCM_SHA256"))
          .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
      assertThatThrownBy(() -> suite(port, "CHACHA20_POLY1305_SHA256"))
          .isInstanceOf(SSLException.class);
      String without = "DEFAULT:-ECDHE-ECDSA-AES128-GCM-SHA256";
      assertThat(admin.call("CONFIG", "SET", "tls-ciphers", without)).hasToString("+OK");
      assertThat(suite(port, "CHACHA20_POLY1305_SHA256")).endsWith("CHACHA20_POLY1305_SHA256");
      assertThatThrownBy(() -> suite(port, "AES_128_GCM_SHA256")).isInstanceOf(SSLException.class);
      for (String wrong : List.of("HIGH", "!aNULL", "DEFAULT:-DEFAULT", both + ":nosuch")) {
        assertThat(admin.call("CONFIG", "SET", "tls-ciphers", wrong).text())
            .contains("Unable to update TLS configuration");
      }
      assertThat(suite(port, "CHACHA20_POLY1305_SHA256")).endsWith("CHACHA20_POLY1305_SHA256");
    }
  }

  /** The cipher suite agreed on with a client that offers some suites with ECDSA, in its order. */
  private static String suite(int port, String... offered) throws Exception {
    try (SSLSocket socket = socket(port, identity, nothing())) {
      String[] names = offered.clone();
      for (int i = 0; i < names.length; i++) names[i] = "TLS_ECDHE_ECDSA_WITH_" + names[i];
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(names);
      socket.startHandshake();
      return socket.getSession().getCipherSuite();
    }
  }

  @Test
  void password_ofAKeyThatNeedsNone_isLeftAlone() throws Exception {
    int port = Ports.free();
    try (RedisServer server = server(port, "yes").option("tls-key-file-pass", "1234").start();
        RespSocket client = connect(port, identity, identity)) {
      assertThat(server.port()).isNotEqualTo(port);
      assertThat(client.call("CONFIG", "SET", "tls-key-file-pass", "5678")).hasToString("+OK");
    }
  }

  @Test
  void ports_changePlaces() throws Exception {
    int tlsPort = Ports.free();
    try (RedisServer server = server(tlsPort, "yes").start();
        RespSocket admin = new RespSocket(server.port())) {
      String first = Integer.toString(tlsPort);
      int plain = server.port();
      assertThat(admin.call("CONFIG", "SET", "tls-port", Integer.toString(plain)).toString())
          .contains("'tls-port'", "Unable to listen on this port.");
      connect(tlsPort, identity, identity).close();
      assertThat(admin.call("CONFIG", "SET", "port", "0")).hasToString("+OK");
      assertThatThrownBy(() -> new RespSocket(plain)).isInstanceOf(IOException.class);
      assertThat(admin.call("CONFIG", "SET", "tls-port", "0", "port", first)).hasToString("+OK");
      new RespSocket(tlsPort).close();
      assertThat(admin.call("CONFIG", "SET", "port", "0", "tls-port", first)).hasToString("+OK");
      try (RespSocket client = connect(tlsPort, identity, identity)) {
        assertThat(client.call("PING")).hasToString("+PONG");
      }
    }
  }

  @Test
  void certificate_namesTheUser() throws Exception {
    int port = Ports.free();
    try (RedisServer server = server(port, "optional").start();
        RespSocket admin = new RespSocket(server.port())) {
      admin.call("ACL", "SETUSER", "one", "on", "allcommands");
      admin.call("ACL", "SETUSER", "urn:second:one", "on", "allcommands");
      assertThat(whoAmI(port, identity)).isEqualTo("default");
      admin.call("CONFIG", "SET", "tls-auth-clients-user", "CN");
      assertThat(whoAmI(port, identity)).isEqualTo("one");
      assertThat(whoAmI(port, nothing())).isEqualTo("default");
      admin.call("CONFIG", "SET", "tls-auth-clients-user", "URI");
      assertThat(whoAmI(port, identity)).isEqualTo("urn:second:one");
      assertThat(Fact.of(admin, "acl_access_denied_tls_cert")).isEqualTo("0");
      admin.call("ACL", "SETUSER", "urn:second:one", "off");
      assertThat(whoAmI(port, identity)).isEqualTo("default");
      assertThat(Fact.of(admin, "acl_access_denied_tls_cert")).isEqualTo("1");
      assertThat(admin.call("ACL", "LOG").toString()).contains("tls-cert", "urn:first:one");
      assertThat(admin.call("CONFIG", "SET", "tls-auth-clients-user", "DN").text())
          .startsWith("ERR CONFIG SET failed");
    }
  }

  private static String whoAmI(int port, KeyStore own) throws Exception {
    try (RespSocket client = connect(port, identity, own)) {
      String reply = client.call("ACL", "WHOAMI").text();
      return reply.substring(reply.indexOf(':') + 1);
    }
  }

  @Test
  void changedFiles_areTakenOverByThemselves() throws Exception {
    int port = Ports.free();
    Path cert = Files.copy(folder.resolve("one.crt"), folder.resolve("changing.crt"));
    Path key = Files.copy(folder.resolve("one.key"), folder.resolve("changing.key"));
    try (RedisServer server =
            server(port, "no")
                .option("tls-cert-file", cert.toString())
                .option("tls-key-file", key.toString())
                .option("tls-auto-reload-interval", "1")
                .start();
        RespSocket admin = new RespSocket(server.port())) {
      String before = Fact.of(admin, "tls_server_cert_serial");
      Files.copy(folder.resolve("two.crt"), cert, StandardCopyOption.REPLACE_EXISTING);
      Files.copy(folder.resolve("two.key"), key, StandardCopyOption.REPLACE_EXISTING);
      X509Certificate own = (X509Certificate) another.getCertificate(TestIdentity.ALIAS);
      String serial = own.getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
      assertThat(before).isNotEqualTo(serial);
      admin.await("tls_server_cert_serial:" + serial, "INFO", "tls");
      try (RespSocket client = connect(port, another, identity)) {
        assertThat(client.call("PING")).hasToString("+PONG");
      }
      assertThat(admin.call("CONFIG", "SET", "tls-auto-reload-interval", "-1").text())
          .startsWith("ERR CONFIG SET failed");
    }
  }

  @Test
  void info_tellsOfCertificatesInUse() throws Exception {
    int port = Ports.free();
    Path authorities = Files.createDirectory(folder.resolve("authorities"));
    Files.copy(folder.resolve("one.crt"), authorities.resolve("0a1b2c3d.0"));
    Files.writeString(authorities.resolve("README"), "no certificate");
    X509Certificate own = (X509Certificate) identity.getCertificate(TestIdentity.ALIAS);
    String serial = own.getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
    try (RedisServer server =
            server(port, "yes")
                .option("tls-ca-cert-file", "")
                .option("tls-ca-cert-dir", authorities.toString())
                .start();
        RespSocket client = connect(port, identity, identity);
        RespSocket plain = new RespSocket(server.port())) {
      assertThat(client.call("INFO", "tls").text())
          .contains("tls_server_cert_serial:" + serial, "tls_ca_cert_serial:" + serial)
          .contains("tls_client_cert_serial:none", "tls_client_cert_expires_in_seconds:0")
          .doesNotContain("tls_server_cert_expires_in_seconds:0");
      plain.call("CONFIG", "SET", "tls-port", "0");
      assertThat(plain.call("INFO", "tls").text())
          .contains("tls_server_cert_serial:none", "tls_ca_cert_expires_in_seconds:0");
    }
    String nowhere = folder.resolve("nowhere").toString();
    assertThatThrownBy(() -> server(port, "yes").option("tls-ca-cert-dir", nowhere).start())
        .hasMessageContaining("nowhere");
  }

  @Test
  void badOptions_sayWhich() throws Exception {
    int port = Ports.free();
    assertThatThrownBy(() -> TestServers.with().option("tls-port", "" + port).start())
        .hasMessageContaining("tls-port needs tls-cert-file and tls-key-file");
    assertThatThrownBy(() -> server(port, "yes").option("tls-ca-cert-file", "").start())
        .hasMessageContaining("tls-ca-cert-file is needed");
    String missing = folder.resolve("nosuch.key").toString();
    assertThatThrownBy(() -> server(port, "no").option("tls-key-file", missing).start())
        .hasMessageContaining("nosuch.key");
  }
}
