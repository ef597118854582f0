package dev.kermes.server.engine;

import java.util.function.BooleanSupplier;

/**
 * How the sockets of a server follow its options, for CONFIG SET. The owner of the sockets sets the
 * actions. Guarded by the keyspace lock.
 */
public final class SocketChanges {

  private BooleanSupplier listen = () -> false;
  private BooleanSupplier renewTls = () -> true;

  SocketChanges() {}

  /** Sets how the server listens elsewhere, and how it takes over options of TLS. */
  public void onChange(BooleanSupplier listen, BooleanSupplier renewTls) {
    this.listen = listen;
    this.renewTls = renewTls;
  }

  /** Listens where the settings say now; false if it cannot, and listens nowhere then. */
  public boolean listen() {
    return listen.getAsBoolean();
  }

  /** Takes over options of TLS, for connections to come; false if they are wrong. */
  public boolean renewTls() {
    return renewTls.getAsBoolean();
  }
}
