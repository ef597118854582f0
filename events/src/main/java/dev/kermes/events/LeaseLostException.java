package dev.kermes.events;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The owner of a partition must stop: it was fenced, or its lease could not be renewed. */
final class LeaseLostException extends Exception {

  @Serial private static final long serialVersionUID = 1;

  LeaseLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
