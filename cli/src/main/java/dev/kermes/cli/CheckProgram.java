package dev.kermes.cli;

import dev.kermes.server.RdbFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** {@code kermes check FILE}: whether an RDB file is whole and sound, and what is in it. */
final class CheckProgram {

  private static final String USAGE = "usage: kermes check FILE\n";

  private CheckProgram() {}

  /** 0 if the file is sound. */
  static int run(String[] args) {
    if (args.length != 1 || args[0].startsWith("-")) {
      System.err.print(USAGE);
      return 1;
    }
    try {
      print(args[0], RdbFile.read(Path.of(args[0])));
      return 0;
    } catch (NoSuchFileException e) {
      System.err.println("kermes: no such file: " + args[0]);
    } catch (IOException e) {
      System.err.println("kermes: " + args[0] + ": " + e.getMessage());
    }
    return 1;
  }

  private static void print(String name, RdbFile file) {
    System.out.println(name + ": sound, RDB version " + file.version());
    file.facts().forEach((fact, value) -> System.out.println("  " + fact + ": " + value));
    System.out.println("  libraries: " + file.libraries());
    System.out.println("  keys: " + file.keys() + ", " + file.expiringKeys() + " of them expire");
    file.keysByType().forEach((type, keys) -> System.out.println("    " + type + ": " + keys));
  }
}
