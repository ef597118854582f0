package dev.kermes.server.net;

import dev.kermes.server.config.TlsOptions;
import dev.kermes.server.stats.CertificateFact;
import dev.kermes.server.stats.CertificateFacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The certificates in the files that the options of TLS name. */
final class Certificates {

  private Certificates() {}

  /** Describes the certificates that the options name. */
  static CertificateFacts facts(TlsOptions options) throws IOException {
    return new CertificateFacts(
        fact(options.certFile.value()),
        fact(options.clientCertFile.value()),
        CertificateFact.of(authorities(options)));
  }

  /** Describes the first certificate of a file, and not those after it, which vouch for it. */
  private static CertificateFact fact(String file) throws IOException {
    List<X509Certificate> chain = file.isEmpty() ? List.of() : read(Path.of(file));
    return CertificateFact.of(chain.isEmpty() ? chain : chain.subList(0, 1));
  }

  /** The certificate authorities in {@code tls-ca-cert-file} and in each file of the folder. */
  static List<X509Certificate> authorities(TlsOptions options) throws IOException {
    List<X509Certificate> all = new ArrayList<>();
    if (!options.caFile.value().isEmpty()) all.addAll(read(Path.of(options.caFile.value())));
    for (Path file : hashed(options.caFolder.value())) all.addAll(read(file));
    return all;
  }

  /** The files of a folder that OpenSSL would find there, named by a hash as in 9d66eef0.0. */
  static List<Path> hashed(String folder) throws IOException {
    if (folder.isEmpty()) return List.of();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files
          .filter(file -> file.getFileName().toString().matches("[0-9a-f]{8}\\.\\d+"))
          .sorted()
          .toList();
    }
  }

  private static List<X509Certificate> read(Path file) throws IOException {
    List<X509Certificate> found = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      factory.generateCertificates(in).forEach(each -> found.add((X509Certificate) each));
      return found;
    } catch (CertificateException | NoSuchFileException e) {
      throw new IOException("no certificates: file=" + file + ", " + e.getMessage(), e);
    }
  }
}
