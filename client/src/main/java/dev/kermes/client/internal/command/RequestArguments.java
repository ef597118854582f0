package dev.kermes.client.internal.command;

import dev.kermes.commands.CommandArguments;
import java.nio.charset.StandardCharsets;

/** The arguments of an encoded request, in place. Immutable, like the request. */
final class RequestArguments implements CommandArguments {
  private final byte[] bytes;

  /** Offset and length of each argument, alternating. */
  private final int[] slices;

  private RequestArguments(byte[] bytes, int[] slices) {
    this.bytes = bytes;
    this.slices = slices;
  }

  /** The arguments of {@code command}, which must have been encoded without failure. */
  static RequestArguments of(EncodedCommand<?> command) {
    byte[] bytes = command.request();
    int at = command.from();
    int argc = number(bytes, at + 1);
    int[] slices = new int[2 * argc];
    at = afterLine(bytes, at);
    for (int i = 0; i < argc; i++) {
      int length = number(bytes, at + 1);
      at = afterLine(bytes, at);
      slices[2 * i] = at;
      slices[2 * i + 1] = length;
      at += length + 2;
    }
    return new RequestArguments(bytes, slices);
  }

  private static int number(byte[] bytes, int at) {
    int number = 0;
    for (int i = at; bytes[i] != '\r'; i++) number = number * 10 + bytes[i] - '0';
    return number;
  }

  private static int afterLine(byte[] bytes, int at) {
    int i = at;
    while (bytes[i] != '\n') i++;
    return i + 1;
  }

  @Override
  public int argc() {
    return slices.length / 2;
  }

  @Override
  public byte[] array(int index) {
    return bytes;
  }

  @Override
  public int offset(int index) {
    return slices[2 * index];
  }

  @Override
  public int length(int index) {
    return slices[2 * index + 1];
  }

  /** An argument as UTF-8. */
  String text(int index) {
    return new String(bytes, offset(index), length(index), StandardCharsets.UTF_8);
  }
}
