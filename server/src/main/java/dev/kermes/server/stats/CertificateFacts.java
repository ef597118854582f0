package dev.kermes.server.stats;

/**
 * The certificates in use, for INFO.
 *
 * @param server the certificate of the TLS port
 * @param client the certificate that is shown to a master
 * @param authority the trusted authority whose certificate ends first
 */
public record CertificateFacts(
    CertificateFact server, CertificateFact client, CertificateFact authority) {

  /** The absence of certificates. */
  public static final CertificateFacts NONE =
      new CertificateFacts(CertificateFact.NONE, CertificateFact.NONE, CertificateFact.NONE);
}
