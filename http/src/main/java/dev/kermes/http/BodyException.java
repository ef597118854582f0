package dev.kermes.http;

import java.io.IOException;
import java.io.Serial;

/** A request's body that does not come: the client is gone, too slow, or sent nonsense. */
final class BodyException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  BodyException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
