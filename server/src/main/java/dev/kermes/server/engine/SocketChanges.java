package dev.kermes.server.engine;

import java.util.function.BooleanSupplier;

/**
 * The actions that make a server's sockets follow its options, for CONFIG SET. The owner of the
 * sockets sets them. Guarded by the keyspace lock.
 */
public final class SocketChanges {

  private BooleanSupplier listen = () -> false;
  private BooleanSupplier renewTls = () -> true;

  SocketChanges() {}

  /** Sets the actions for new listening addresses and for new TLS options. */
  public void onChange(BooleanSupplier listen, BooleanSupplier renewTls) {
    this.listen = listen;
    this.renewTls = renewTls;
  }

  /**
   * Listens where the settings say now; false if that fails, and the server then does not listen.
   */
  public boolean listen() {
    return listen.getAsBoolean();
  }

  /** Applies TLS options to future connections; false if the options are wrong. */
  public boolean renewTls() {
    return renewTls.getAsBoolean();
  }
}
