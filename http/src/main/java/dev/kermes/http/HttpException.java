package dev.kermes.http;

import java.io.Serial;

/** Thrown by a handler instead of responding: the server answers with its status. */
public final class HttpException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  private final int status;

  /** Creates one; {@code detail} is sent to the client. */
  public HttpException(int status, String detail) {
    super(detail);
    this.status = status;
  }

  /** The status of the response, 400 to 599. */
  public int status() {
    return status;
  }
}
