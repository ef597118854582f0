package dev.kermes.groovy;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Waits for stages. */
final class Waiting {
  private Waiting() {}

  /** The result; what the stage failed with is thrown itself. */
  static <T extends @Nullable Object> T on(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
