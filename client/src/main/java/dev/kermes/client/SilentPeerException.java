package dev.kermes.client;

import java.io.Serial;
import java.util.concurrent.TimeoutException;

/** The reason for closing a connection whose peer owes a reply and is silent. */
final class SilentPeerException extends TimeoutException {
  @Serial private static final long serialVersionUID = 1L;

  SilentPeerException() {
    super("peer is silent");
  }
}
