package dev.kermes.http;

import java.io.Serial;

/** Ends a request with a status: thrown by a handler instead of a response. */
public final class HttpException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  private final int status;

  /** {@code detail} is told to the client. */
  public HttpException(int status, String detail) {
    super(detail);
    this.status = status;
  }

  /** The status of the response, 400 to 599. */
  public int status() {
    return status;
  }
}
