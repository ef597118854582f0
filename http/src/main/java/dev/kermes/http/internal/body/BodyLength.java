package dev.kermes.http.internal.body;

/** Stand-ins for the length of a response body whose length is not a number of bytes. */
public final class BodyLength {

  /** The body ends with the connection. */
  public static final long UNTIL_CLOSE = -1;

  /** The body ends with its last chunk or frame. */
  public static final long IN_CHUNKS = -2;

  /** The response has no body, and no length. */
  public static final long NO_BODY = -3;

  private BodyLength() {}
}
