package dev.kermes.server.client;

import dev.kermes.commands.CommandSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A command kept for later, by MULTI or by a client that blocks, with a copy of its arguments.
 *
 * @param spec the command's specification
 * @param bytes the arguments, one after the other
 * @param slices offset and length of each argument, in pairs
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

  /** The same command with one argument replaced. */
  public StoredCommand with(int argument, byte[] replacement) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + replacement.length);
    System.arraycopy(replacement, 0, longer, bytes.length, replacement.length);
    int[] changed = slices.clone();
    changed[2 * argument] = bytes.length;
    changed[2 * argument + 1] = replacement.length;
    return new StoredCommand(spec, longer, changed);
  }

  /** Copies of the arguments. */
  public List<byte[]> arguments() {
    List<byte[]> arguments = new ArrayList<>(argumentCount());
    for (int i = 0; i < slices.length; i += 2) {
      arguments.add(Arrays.copyOfRange(bytes, slices[i], slices[i] + slices[i + 1]));
    }
    return arguments;
  }

  public int argumentCount() {
    return slices.length / 2;
  }
}
