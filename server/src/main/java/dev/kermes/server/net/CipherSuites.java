package dev.kermes.server.net;

import dev.kermes.server.config.TlsOptions;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Cipher suites as the options name them: TLS 1.3 suites by their own names, TLS 1.2 suites by
 * OpenSSL's. A list may contain names, {@code DEFAULT} and removals.
 *
 * <pre>
 *   ECDHE-RSA-AES128-GCM-SHA256     TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
 *   DEFAULT:-AES128-SHA             the JDK's, without TLS_RSA_WITH_AES_128_CBC_SHA
 * </pre>
 */
final class CipherSuites {

  /** OpenSSL's names omit the RSA key exchange, hence the empty prefix. */
  private static final Map<String, String> EXCHANGES =
      Map.of(
          "ECDHE-ECDSA-", "TLS_ECDHE_ECDSA_WITH_",
          "ECDHE-RSA-", "TLS_ECDHE_RSA_WITH_",
          "DHE-RSA-", "TLS_DHE_RSA_WITH_",
          "", "TLS_RSA_WITH_");

  private static final Map<String, String> CIPHERS =
      Map.of(
          "AES128-GCM-SHA256", "AES_128_GCM_SHA256",
          "AES256-GCM-SHA384", "AES_256_GCM_SHA384",
          "CHACHA20-POLY1305", "CHACHA20_POLY1305_SHA256",
          "AES128-SHA256", "AES_128_CBC_SHA256",
          "AES256-SHA256", "AES_256_CBC_SHA256",
          "AES256-SHA384", "AES_256_CBC_SHA384",
          "AES128-SHA", "AES_128_CBC_SHA",
          "AES256-SHA", "AES_256_CBC_SHA");

  private static final Map<String, String> NAMES = names();

  private CipherSuites() {}

  private static Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    EXCHANGES.forEach((exchange, start) ->
        CIPHERS.forEach((cipher, end) -> names.put(exchange + cipher, start + end)));
    return names;
  }

  /**
   * The suites that the options allow, by the JDK's names, the preferred ones first.
   *
   * @throws IOException if a name is unknown, or the JDK does not offer a TLS 1.2 suite
   */
  static List<String> of(TlsOptions options) throws IOException {
    List<String> standard = List.of(parameters(false).getCipherSuites());
    List<String> standard13 = standard.stream().filter(CipherSuites::isOf13).toList();
    List<String> standard12 = standard.stream().filter(suite -> !isOf13(suite)).toList();
    List<String> suites = new ArrayList<>();
    suites.addAll(
        options.cipherSuites.value().isEmpty()
            ? standard13
            : List.of(options.cipherSuites.value().split(":")));
    suites.addAll(
        options.ciphers.value().isEmpty()
            ? standard12
            : listed(options.ciphers.value(), standard12));
    return suites;
  }

  /** Names of TLS 1.3 suites do not mention the key exchange. */
  private static boolean isOf13(String suite) {
    return !suite.contains("_WITH_");
  }

  private static List<String> listed(String ciphers, List<String> standard) throws IOException {
    Set<String> listed = new LinkedHashSet<>();
    for (String word : ciphers.split(":")) {
      boolean isOut = word.startsWith("-") || word.startsWith("!");
      String name = isOut ? word.substring(1) : word;
      List<String> meant = name.equals("DEFAULT") ? standard : List.of(suite(name));
      if (isOut) meant.forEach(listed::remove);
      else listed.addAll(meant);
    }
    listed.retainAll(Set.of(parameters(true).getCipherSuites()));
    if (listed.isEmpty()) throw new IOException("tls-ciphers: the JDK offers none of " + ciphers);
    return List.copyOf(listed);
  }

  private static String suite(String name) throws IOException {
    String suite = NAMES.get(name);
    if (suite != null) return suite;
    if (NAMES.containsValue(name)) return name;
    throw new IOException(
        "tls-ciphers takes names of cipher suites of TLS 1.2, and DEFAULT, separated by colons; it does"
            + " not know "
            + name);
  }

  private static SSLParameters parameters(boolean all) throws IOException {
    try {
      SSLContext context = SSLContext.getDefault();
      return all ? context.getSupportedSSLParameters() : context.getDefaultSSLParameters();
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("no TLS: " + e.getMessage(), e);
    }
  }
}
