package dev.kermes.server.execution;

import dev.kermes.server.acl.Denial;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a command may not run.
 *
 * @param error the error that the client gets
 * @param denial what its user's rules lack, for the ACL log; null for any other reason
 */
record Refusal(String error, @Nullable Denial denial) {

  /** A refusal for another reason than the user's rules. */
  static Refusal of(String error) {
    return new Refusal(error, null);
  }

  static @Nullable Refusal ofNullable(@Nullable String error) {
    return error == null ? null : of(error);
  }
}
