package dev.kermes.server.stats;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Locale;

/**
 * A certificate in use, as INFO shows it.
 *
 * @param serial the serial number, in hexadecimal digits
 * @param endMillis the end of its validity, Unix time
 */
public record CertificateFact(String serial, long endMillis) {

  /** The absence of a certificate. */
  public static final CertificateFact NONE = new CertificateFact("none", 0);

  /** The certificate that ends first, which has to be renewed first. */
  public static CertificateFact of(Collection<X509Certificate> certificates) {
    return certificates.stream()
        .map(each ->
            new CertificateFact(serial(each), each.getNotAfter().toInstant().toEpochMilli()))
        .min((a, b) -> Long.compare(a.endMillis, b.endMillis))
        .orElse(NONE);
  }

  private static String serial(X509Certificate certificate) {
    BigInteger number = certificate.getSerialNumber();
    return number.toString(16).toUpperCase(Locale.ROOT);
  }

  /** The seconds until the end; 0 if the certificate has ended or there is none. */
  public long secondsLeft(long nowMillis) {
    return Math.max(0, endMillis - nowMillis) / 1000;
  }
}
