package dev.kermes.server.data;

/**
 * An object that a {@link Dict} finds by its key. The key's bytes never change while it is in one.
 */
public abstract class Keyed {

  private byte[] key;

  protected Keyed(byte[] key) {
    this.key = key;
  }

  public final byte[] key() {
    return key;
  }

  /** Sets another key; only while the object is in no {@link Dict}. */
  public final void key(byte[] newKey) {
    key = newKey;
  }
}
