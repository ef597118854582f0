package dev.kermes.server.net;

import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.acl.User;
import dev.kermes.server.client.Acl;
import dev.kermes.server.client.Session;
import dev.kermes.server.engine.Engine;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Logs clients in by their certificates, as {@code tls-auth-clients-user} says: as the user named
 * by the common name, or by the first URI. The caller holds the keyspace lock.
 */
final class CertificateLogin {

  /** The type of a subject alternative name that is a URI. */
  private static final int URI = 6;

  private CertificateLogin() {}

  static void logIn(Engine engine, Session session, X509Certificate certificate) {
    Acl access = engine.acl();
    List<String> names = names(engine.settings().tlsOptions().clientsUser.value(), certificate);
    for (String name : names) {
      User user = access.users().find(name);
      if (user == null || !user.isEnabled()) continue;
      session.user(user);
      session.authenticated(true);
      return;
    }
    if (!names.isEmpty()) logDenial(engine, session, names.getFirst());
  }

  private static void logDenial(Engine engine, Session session, String name) {
    engine
        .acl()
        .log()
        .add(
            Denial.Reason.TLS_CERT,
            AclLog.Context.TOPLEVEL,
            "",
            name,
            "id=" + session.id() + " addr=" + session.connection().peerAddress(),
            engine.keyspace().nowMillis(),
            engine.settings().aclOptions().logMax.intValue());
  }

  private static List<String> names(String kind, X509Certificate certificate) {
    return switch (kind) {
      case "cn" -> commonNames(certificate);
      case "uri" -> uris(certificate);
      default -> List.of();
    };
  }

  private static List<String> commonNames(X509Certificate certificate) {
    List<String> found = new ArrayList<>();
    try {
      LdapName name = new LdapName(certificate.getSubjectX500Principal().getName());
      for (Rdn part : name.getRdns()) {
        boolean isText = part.getType().equalsIgnoreCase("CN") && part.getValue() instanceof String;
        if (isText) found.add(part.getValue().toString());
      }
    } catch (InvalidNameException e) {
      return List.of(); // names no user
    }
    return found;
  }

  private static List<String> uris(X509Certificate certificate) {
    List<String> found = new ArrayList<>();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names == null) return found;
      for (List<?> name : names) {
        if (name.get(0).equals(URI)) found.add(String.valueOf(name.get(1)));
      }
    } catch (CertificateParsingException e) {
      return List.of(); // names no user
    }
    return found;
  }
}
