package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of the program's arguments. Java decodes arguments by the locale, which loses unknown
 * bytes; where the system exposes the command line, this class reads the bytes from there.
 */
final class RawArguments {

  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private RawArguments() {}

  /** Returns the bytes of {@code args}, which are the last arguments of this process. */
  static List<byte[]> of(String[] args) {
    if (isAscii(args)) return decoded(args);
    try {
      return last(Files.readAllBytes(COMMAND_LINE), args.length);
    } catch (IOException | IllegalArgumentException e) {
      return decoded(args);
    }
  }

  private static boolean isAscii(String[] args) {
    for (String arg : args) {
      if (arg.chars().anyMatch(c -> c >= 128)) return false;
    }
    return true;
  }

  private static List<byte[]> decoded(String[] args) {
    List<byte[]> arguments = new ArrayList<>();
    for (String arg : args) arguments.add(arg.getBytes(UTF_8));
    return arguments;
  }

  /**
   * Returns the last {@code count} arguments of {@code commandLine}, in which a NUL ends each
   * argument.
   */
  static List<byte[]> last(byte[] commandLine, int count) {
    List<byte[]> all = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] != 0) continue;
      all.add(Arrays.copyOfRange(commandLine, from, i));
      from = i + 1;
    }
    if (all.size() < count) {
      throw new IllegalArgumentException(
          "fewer arguments than expected: found=" + all.size() + ", expected=" + count);
    }
    return all.subList(all.size() - count, all.size());
  }
}
