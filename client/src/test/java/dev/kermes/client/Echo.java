package dev.kermes.client;

import dev.kermes.testing.ScriptedPeer;
import org.jspecify.annotations.Nullable;

/** The command of tests against {@link ScriptedPeer#ECHO}. */
final class Echo {
  private Echo() {}

  /** A command that is answered with {@code word}. */
  static Command<@Nullable Object> echo(String word) {
    return Command.of("ECHO", word);
  }
}
