package dev.kermes.server.config;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Locale;

/**
 * A certificate in use, as INFO shows it.
 *
 * @param serial its number, in hexadecimal digits
 * @param endMillis until when it is valid, Unix time
 */
public record CertificateFact(String serial, long endMillis) {

  /** There is no certificate. */
  public static final CertificateFact NONE = new CertificateFact("none", 0);

  /** Of those that one has to look after first: the one that ends first. */
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

  /** 0 when it has ended, or there is none. */
  public long secondsLeft(long nowMillis) {
    return Math.max(0, endMillis - nowMillis) / 1000;
  }
}
