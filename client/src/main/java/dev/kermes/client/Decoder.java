package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command's result from its reply. Runs on the event loop: it must not block, and need not
 * read everything. A top-level server error never reaches it.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
@FunctionalInterface
public interface Decoder<T extends @Nullable Object> {
  /** The result that the reply under {@code in} stands for. What it throws fails this command. */
  T decode(ReplyReader in);
}
