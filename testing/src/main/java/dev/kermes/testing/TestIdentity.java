package dev.kermes.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A key with a self-signed certificate, created for each run.
 *
 * @param store has both under {@link #ALIAS}, protected by {@link #PASSWORD}
 */
public record TestIdentity(KeyStore store) {

  /** The name of the key in its store. */
  public static final String ALIAS = "key";

  /** The password of the store and the key. */
  public static final String PASSWORD = "password";

  /** An identity of localhost. */
  public static TestIdentity ofLocalhost(Path folder) throws Exception {
    return of(folder, "localhost", "dns:localhost,ip:127.0.0.1");
  }

  /**
   * An identity with these alternative names, as keytool takes them: {@code
   * dns:localhost,ip:127.0.0.1}.
   */
  public static TestIdentity of(Path folder, String commonName, String alternativeNames)
      throws Exception {
    Path file = Files.createTempFile(folder, "identity", ".p12");
    Files.delete(file); // keytool creates it
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", ALIAS, "-dname", "CN=" + commonName));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
    command.addAll(List.of("-ext", "san=" + alternativeNames));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", file.toString()));
    Path log = folder.resolve("keytool.log");
    Process keytool =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new IllegalStateException("keytool failed: " + Files.readString(log));
    }
    return new TestIdentity(KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray()));
  }

  /** The certificate. */
  public X509Certificate certificate() throws GeneralSecurityException {
    return (X509Certificate) store.getCertificate(ALIAS);
  }

  /** The context of a server with this identity, whose clients may be anonymous. */
  public SSLContext serverContext() throws Exception {
    return serverContext(null);
  }

  /** The context of a server with this identity that trusts clients with the certificate given. */
  public SSLContext serverContext(@Nullable TestIdentity trusted) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted == null ? null : trusted.trust(), null);
    return context;
  }

  /** The context of a client that trusts this certificate and presents none itself. */
  public SSLContext clientContext() throws Exception {
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

  /** Writes a file with the certificate. */
  public Path pem(Path folder) throws IOException, GeneralSecurityException {
    Path file = Files.createTempFile(folder, "identity", ".crt");
    writePem(file, "CERTIFICATE", certificate().getEncoded());
    return file;
  }

  /** Writes a file with the private key. */
  public Path keyPem(Path folder) throws IOException, GeneralSecurityException {
    Path file = Files.createTempFile(folder, "identity", ".key");
    writePem(file, "PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    return file;
  }

  /** Writes the certificate and the private key to the files {@code name.crt, name.key}. */
  public void writePem(Path folder, String name) throws IOException, GeneralSecurityException {
    byte[] key = store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
    writePem(folder.resolve(name + ".crt"), "CERTIFICATE", certificate().getEncoded());
    writePem(folder.resolve(name + ".key"), "PRIVATE KEY", key);
  }

  private static void writePem(Path file, String what, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }
}
