package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.text;
import static dev.kermes.server.config.OptionKinds.yesNo;

import java.util.List;

/**
 * The options for TLS, for the port and for the connection to a master; files are in PEM format.
 */
public final class TlsOptions {

  /** The TLS port; 0 for none. */
  public int port;

  public String certFile = "";

  /** The file of the private key, in PKCS 8. */
  public String keyFile = "";

  public String keyPassword = "";

  /** The certificate shown to a master; empty for that of the port. */
  public String clientCertFile = "";

  public String clientKeyFile = "";
  public String clientKeyPassword = "";
  public String caFile = "";

  /** The folder of more CA files, named by hashes as OpenSSL expects. */
  public String caFolder = "";

  /** {@code yes}, {@code no} or {@code optional}: whether clients need certificates. */
  public String authClients = "yes";

  /** The field of a certificate that names the user: {@code cn}, {@code uri}, or {@code off}. */
  public String clientsUser = "off";

  /** The seconds between two checks whether the files have changed; 0 for never. */
  public int reloadSeconds;

  /** Versions separated by blanks; empty for TLS 1.2 and 1.3. */
  public String protocols = "";

  /** Cipher suites of TLS 1.3 separated by colons; empty for the JDK's. */
  public String cipherSuites = "";

  /** The cipher suites of TLS 1.2, by OpenSSL's names; empty for the JDK's. */
  public String ciphers = "";

  /** Whether the server's order of suites counts instead of the client's. */
  public boolean prefersOwnOrder;

  /** Whether the connection to a master uses TLS. */
  public boolean usedForReplication;

  /** The certificates in use, for INFO. */
  public CertificateFact serverFact = CertificateFact.NONE;

  public CertificateFact clientFact = CertificateFact.NONE;
  public CertificateFact authorityFact = CertificateFact.NONE;

  TlsOptions() {}

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    table.mutable("tls-port", number(0, 65_535, () -> port, value -> port = (int) value));
    table.mutable("tls-cert-file", text(() -> certFile, value -> certFile = value));
    table.mutable("tls-key-file", text(() -> keyFile, value -> keyFile = value));
    table.mutable("tls-key-file-pass", text(() -> keyPassword, value -> keyPassword = value));
    table.mutable(
        "tls-client-cert-file", text(() -> clientCertFile, value -> clientCertFile = value));
    table.mutable("tls-client-key-file", text(() -> clientKeyFile, value -> clientKeyFile = value));
    table.mutable(
        "tls-client-key-file-pass",
        text(() -> clientKeyPassword, value -> clientKeyPassword = value));
    table.mutable(
        "tls-replication", yesNo(() -> usedForReplication, value -> usedForReplication = value));
    table.mutable("tls-ca-cert-file", text(() -> caFile, value -> caFile = value));
    table.mutable(
        "tls-auth-clients-user",
        choice(List.of("off", "cn", "uri"), () -> clientsUser, v -> clientsUser = v));
    table.mutable(
        "tls-auto-reload-interval",
        number(0, Integer.MAX_VALUE, () -> reloadSeconds, v -> reloadSeconds = (int) v));
    table.mutable("tls-ca-cert-dir", text(() -> caFolder, value -> caFolder = value));
    table.mutable("tls-protocols", text(() -> protocols, value -> protocols = value));
    table.mutable("tls-ciphersuites", text(() -> cipherSuites, value -> cipherSuites = value));
    table.mutable("tls-ciphers", text(() -> ciphers, value -> ciphers = value));
    table.mutable(
        "tls-prefer-server-ciphers",
        yesNo(() -> prefersOwnOrder, value -> prefersOwnOrder = value));
    table.mutable(
        "tls-auth-clients",
        choice(List.of("no", "yes", "optional"), () -> authClients, value -> authClients = value));
  }
}
