package dev.kermes.http.internal.body;

import java.io.IOException;
import java.io.Serial;

/** A request body cannot be read: the client disconnected, is too slow, or sent malformed data. */
public final class BodyException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  BodyException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
