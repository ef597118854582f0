package dev.kermes.server.engine;

/** Options of the port for TLS; files are in PEM. */
public final class TlsOptions {

  /** 0: there is no port for TLS. */
  public int port;

  public String certFile = "";

  /** In PKCS 8. */
  public String keyFile = "";

  public String keyPassword = "";
  public String caFile = "";

  /** {@code yes}, {@code no} or {@code optional}: whether clients need certificates. */
  public String authClients = "yes";

  /** Versions separated by blanks; empty for TLS 1.2 and 1.3. */
  public String protocols = "";

  /** Cipher suites of TLS 1.3 separated by colons; empty for the JDK's. */
  public String cipherSuites = "";

  TlsOptions() {}
}
