package dev.kermes.cli;

import dev.kermes.server.AofFile;
import dev.kermes.server.RdbFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The program {@code kermes check FILE}: validates an RDB file, an append only file or a part of
 * one, and prints its contents in summary.
 */
final class CheckProgram {

  static final String USAGE = "usage: kermes check [--fix] FILE\n";

  private CheckProgram() {}

  /** Returns 0 if the file is valid. */
  static int run(String[] args) {
    boolean fixes = args.length == 2 && args[0].equals("--fix");
    if (args.length != (fixes ? 2 : 1) || args[args.length - 1].startsWith("-")) {
      System.err.print(USAGE);
      return 1;
    }
    String name = args[args.length - 1];
    try {
      return check(name, Path.of(name), fixes);
    } catch (NoSuchFileException e) {
      System.err.println("kermes: no such file: " + e.getFile());
    } catch (IOException e) {
      System.err.println("kermes: " + name + ": " + e.getMessage());
    }
    return 1;
  }

  private static int check(String name, Path file, boolean fixes) throws IOException {
    if (name.endsWith(".rdb")) {
      print(name, RdbFile.read(file));
      return 0;
    }
    List<AofFile.Part> parts = AofFile.read(file);
    if (parts.size() == 1 && parts.get(0).isRdb() && parts.get(0).commands() == 0) {
      print(name, RdbFile.read(file));
    }
    for (AofFile.Part part : parts) {
      if (part.damage() == null) print(part);
      else return damaged(part, fixes);
    }
    return 0;
  }

  private static void print(AofFile.Part part) {
    System.out.printf(
        "%s: sound, %sbytes: %d, commands: %d%n",
        part.file(), part.isRdb() ? "with an RDB file, " : "", part.soundBytes(), part.commands());
  }

  private static int damaged(AofFile.Part part, boolean fixes) throws IOException {
    long size = Files.size(part.file());
    System.err.printf("kermes: %s: %s%n", part.file(), part.damage());
    if (!fixes) {
      System.err.printf(
          "kermes: check --fix cuts off the last %d of its %d bytes; copy it before%n",
          size - part.soundBytes(), size);
      return 1;
    }
    part.fix();
    System.out.printf("%s: cut to %d of %d bytes%n", part.file(), part.soundBytes(), size);
    return 0;
  }

  private static void print(String name, RdbFile file) {
    System.out.println(name + ": sound, RDB version " + file.version());
    file.facts().forEach((fact, value) -> System.out.println("  " + fact + ": " + value));
    System.out.println("  libraries: " + file.libraries());
    System.out.println("  keys: " + file.keys() + ", " + file.expiringKeys() + " of them expire");
    file.keysByType().forEach((type, keys) -> System.out.println("    " + type + ": " + keys));
  }
}
