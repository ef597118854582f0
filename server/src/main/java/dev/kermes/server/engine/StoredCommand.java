package dev.kermes.server.engine;

import dev.kermes.commands.CommandSpec;

/**
 * A command kept for later, by MULTI or by a client that blocks: its own copy of the arguments.
 *
 * @param spec what it is
 * @param bytes the arguments, one after the other
 * @param slices offset and length of each, in pairs
 */
public record StoredCommand(CommandSpec spec, byte[] bytes, int[] slices) {

  public static StoredCommand of(
      CommandSpec spec, byte[] bytes, int[] slices, int first, int argc) {
    int length = 0;
    for (int i = 0; i < argc; i++) length += slices[first + 2 * i + 1];
    byte[] copy = new byte[length];
    int[] copySlices = new int[2 * argc];
    int at = 0;
    for (int i = 0; i < argc; i++) {
      int argumentLength = slices[first + 2 * i + 1];
      System.arraycopy(bytes, slices[first + 2 * i], copy, at, argumentLength);
      copySlices[2 * i] = at;
      copySlices[2 * i + 1] = argumentLength;
      at += argumentLength;
    }
    return new StoredCommand(spec, copy, copySlices);
  }

  public int argumentCount() {
    return slices.length / 2;
  }
}
