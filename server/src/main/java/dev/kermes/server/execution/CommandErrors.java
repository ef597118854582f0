package dev.kermes.server.execution;

import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.ByteText;

/** The errors of requests that no row of the command table fits. */
final class CommandErrors {

  /** Bytes of an unknown command's name and arguments that an error shows. */
  private static final int SHOWN_LENGTH_MAX = 128;

  private CommandErrors() {}

  /** Whether the input is an HTTP request, which a web page may have made a browser send. */
  static boolean isHttp(byte[] bytes, int[] slices, int first) {
    String name = shown(bytes, slices, first);
    return name.equalsIgnoreCase("POST") || name.equalsIgnoreCase("Host:");
  }

  static String wrongArity(CommandSpec spec) {
    return "ERR wrong number of arguments for '" + spec.fullName() + "' command";
  }

  static String unknownCommand(byte[] bytes, int[] slices, int first, int argc) {
    StringBuilder text = new StringBuilder("ERR unknown command '");
    text.append(shown(bytes, slices, first)).append("', with args beginning with: ");
    int start = text.length();
    for (int i = 1; i < argc && text.length() - start < SHOWN_LENGTH_MAX; i++) {
      int room = SHOWN_LENGTH_MAX - (text.length() - start);
      text.append('\'').append(shown(bytes, slices, first + 2 * i, room)).append("' ");
    }
    return text.toString();
  }

  static String unknownSubcommand(CommandSpec spec, byte[] bytes, int[] slices, int first) {
    return "ERR unknown subcommand '"
        + shown(bytes, slices, first + 2)
        + "'. Try "
        + spec.name()
        + " HELP.";
  }

  private static String shown(byte[] bytes, int[] slices, int slice) {
    return shown(bytes, slices, slice, SHOWN_LENGTH_MAX);
  }

  private static String shown(byte[] bytes, int[] slices, int slice, int lengthMax) {
    int offset = slices[slice];
    int end = offset + Math.min(slices[slice + 1], lengthMax);
    int length = 0;
    while (offset + length < end && bytes[offset + length] != 0) length++; // as C prints it
    return ByteText.of(bytes, offset, length);
  }
}
