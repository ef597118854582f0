package dev.kermes.server.keyspace;

/**
 * The restrictions of all clients of a server. While there are none, and the client has none of its
 * own, its command runs without any further check. Guarded by the keyspace lock.
 */
public final class Restrictions {

  private int bits;

  Restrictions() {}

  /** Sets or clears a restriction; for the class that knows the fact. */
  public void set(Restriction restriction, boolean isOn) {
    bits = restriction.in(bits, isOn);
  }

  public boolean isEmpty() {
    return bits == 0;
  }
}
