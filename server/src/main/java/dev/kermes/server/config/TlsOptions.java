package dev.kermes.server.config;

import java.util.List;

/**
 * The options for TLS, for the port and for the connection to a master; files are in PEM format.
 */
public final class TlsOptions extends OptionFamily {

  public final NumberOption port =
      option("tls-port").means("The port for TLS; 0 for none.").number(0, 65_535, 0);

  public final ValueOption<String> certFile =
      option("tls-cert-file").means("The file of the certificate, in PEM format.").text("");

  public final ValueOption<String> keyFile =
      option("tls-key-file").means("The file of the private key, in PEM format (PKCS 8).").text("");

  public final ValueOption<String> keyPassword =
      option("tls-key-file-pass").means("The password of the private key.").text("");

  public final ValueOption<String> clientCertFile =
      option("tls-client-cert-file")
          .means("The certificate that is shown to a master; empty for that of the port.")
          .text("");

  public final ValueOption<String> clientKeyFile =
      option("tls-client-key-file").means("The private key of that certificate.").text("");

  public final ValueOption<String> clientKeyPassword =
      option("tls-client-key-file-pass").means("The password of that private key.").text("");

  public final ValueOption<String> caFile =
      option("tls-ca-cert-file")
          .means("The file of the authorities whose certificates are trusted.")
          .text("");

  public final ValueOption<String> caFolder =
      option("tls-ca-cert-dir")
          .means("The folder of more such files, named by hashes as OpenSSL expects.")
          .text("");

  public final ValueOption<String> authClients =
      option("tls-auth-clients")
          .means(
              "Clients need certificates (`yes`), may have one (`optional`), or need none (`no`).")
          .choice(List.of("no", "yes", "optional"), "yes");

  public final ValueOption<String> clientsUser =
      option("tls-auth-clients-user")
          .means("The field of a client's certificate that names its user.")
          .unlikeRedis("From Valkey.")
          .choice(List.of("off", "cn", "uri"), "off");

  public final NumberOption reloadSeconds =
      option("tls-auto-reload-interval")
          .in("seconds")
          .means("The time between two checks whether the files have changed; 0 for never.")
          .unlikeRedis("From Valkey.")
          .number(0, Integer.MAX_VALUE, 0);

  public final ValueOption<String> protocols =
      option("tls-protocols")
          .means("Versions of TLS separated by blanks; empty for TLS 1.2 and 1.3.")
          .text("");

  public final ValueOption<String> cipherSuites =
      option("tls-ciphersuites")
          .means("Cipher suites of TLS 1.3 separated by colons; empty for those of the JDK.")
          .text("");

  public final ValueOption<String> ciphers =
      option("tls-ciphers")
          .means("Cipher suites of TLS 1.2 by OpenSSL's names; empty for those of the JDK.")
          .text("");

  public final FlagOption prefersOwnOrder =
      option("tls-prefer-server-ciphers")
          .means("The server's order of cipher suites counts instead of the client's.")
          .yesNo(false);

  /** Whether the connection to a master uses TLS. */
  public final FlagOption usedForReplication =
      option("tls-replication").means("The connection to a master uses TLS.").yesNo(false);

  TlsOptions() {
    super("TLS");
  }
}
