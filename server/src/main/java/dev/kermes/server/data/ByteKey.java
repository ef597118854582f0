package dev.kermes.server.data;

import java.util.Arrays;

/** Bytes as a key of Java's own maps, for tables that are not on the hot path. Immutable. */
public record ByteKey(byte[] bytes) {

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
