package dev.kermes.client.internal.connection;

import java.io.Serial;
import java.util.concurrent.TimeoutException;

/** The reason for closing a connection whose peer owes a reply and is silent. */
public final class SilentPeerException extends TimeoutException {
  @Serial private static final long serialVersionUID = 1L;

  SilentPeerException() {
    super("peer is silent");
  }
}
