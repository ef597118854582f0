package dev.kermes.client;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Supplies user and password when they change while the client is open. Called for every new
 * connection and by {@link RedisClient#reauthenticate}; must not block. Any thread.
 */
@FunctionalInterface
public interface CredentialsProvider {
  /**
   * The user and password of a login.
   *
   * @param user the ACL user, or null for the default one
   */
  record Credentials(@Nullable String user, String password) {
    /** Leaves out the password. */
    @Override
    public String toString() {
      return "Credentials[" + user + "]";
    }
  }

  /** Returns the credentials that are valid now. A failure fails the attempt to connect. */
  CompletionStage<Credentials> credentials();
}
