package dev.kermes.bench.alternatives;

import java.util.Arrays;

/** Bytes as a key of a map. Immutable as long as the array is not changed. */
record Bytes(byte[] array) {

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }
}
