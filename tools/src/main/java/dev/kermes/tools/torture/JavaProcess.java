package dev.kermes.tools.torture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a program of this class path in a JVM of its own. */
final class JavaProcess {

  private JavaProcess() {}

  /** Returns the command without the program's arguments, which the caller adds. */
  static List<String> command(Class<?> main, String... flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 22) command.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= 23) command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }
}
