package dev.kermes.client;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where user and password come from when they change while the client is open. Asked for every new
 * connection and by {@link RedisClient#reauthenticate}; must not block. Any thread.
 */
@FunctionalInterface
public interface CredentialsProvider {
  /**
   * Who logs in.
   *
   * @param user the ACL user, or null for the default one
   */
  record Credentials(@Nullable String user, String password) {
    Command<?> auth() {
      return user == null ? Command.of("AUTH", password) : Command.of("AUTH", user, password);
    }

    /** Never the password. */
    @Override
    public String toString() {
      return "Credentials[" + user + "]";
    }
  }

  /** The credentials that are good now. A failure fails the attempt to connect. */
  CompletionStage<Credentials> credentials();
}
