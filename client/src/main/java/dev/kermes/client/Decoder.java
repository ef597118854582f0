package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command's result from its reply. Runs on the event loop; it must not block and need not
 * read the whole reply. A top-level server error never reaches it.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
@FunctionalInterface
public interface Decoder<T extends @Nullable Object> {
  /** Decodes the reply at {@code in}. An exception fails this command only. */
  T decode(ReplyReader in);
}
