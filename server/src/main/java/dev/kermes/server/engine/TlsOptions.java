package dev.kermes.server.engine;

/** Options of TLS, for the port and for the connection to a master; files are in PEM. */
public final class TlsOptions {

  /** 0: there is no port for TLS. */
  public int port;

  public String certFile = "";

  /** In PKCS 8. */
  public String keyFile = "";

  public String keyPassword = "";

  /** Shown to a master; empty for that of the port. */
  public String clientCertFile = "";

  public String clientKeyFile = "";
  public String clientKeyPassword = "";
  public String caFile = "";

  /** Of more such files, named by hashes as OpenSSL wants them. */
  public String caFolder = "";

  /** {@code yes}, {@code no} or {@code optional}: whether clients need certificates. */
  public String authClients = "yes";

  /** What of a client's certificate names its user: {@code cn}, {@code uri}, or {@code off}. */
  public String clientsUser = "off";

  /** How often it is looked whether the files have changed; 0 for never. */
  public int reloadSeconds;

  /** Versions separated by blanks; empty for TLS 1.2 and 1.3. */
  public String protocols = "";

  /** Cipher suites of TLS 1.3 separated by colons; empty for the JDK's. */
  public String cipherSuites = "";

  /** Those of TLS 1.2, by OpenSSL's names; empty for the JDK's. */
  public String ciphers = "";

  /** Whether the server's order of suites counts, and not the client's. */
  public boolean prefersOwnOrder;

  /** Whether the connection to a master is secured. */
  public boolean usedForReplication;

  /** What is in use; INFO tells. */
  public CertificateFact serverFact = CertificateFact.NONE;

  public CertificateFact clientFact = CertificateFact.NONE;
  public CertificateFact authorityFact = CertificateFact.NONE;

  TlsOptions() {}
}
