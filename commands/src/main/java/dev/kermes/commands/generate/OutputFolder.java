package dev.kermes.commands.generate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of a target's sources. A file that the target no longer writes is deleted, because a
 * compiler would still see it; a file with the same text keeps its time, so that nothing is
 * compiled again without need.
 */
final class OutputFolder {
  private OutputFolder() {}

  /** Writes the sources of a target into a directory. */
  interface Writer {
    void writeTo(Path directory) throws IOException;
  }

  /** Replaces the files of {@code directory} by those that {@code writer} writes. */
  static void replace(Path directory, Writer writer) throws IOException {
    Path fresh = Files.createTempDirectory("kermes-generated");
    try {
      writer.writeTo(fresh);
      for (Path old : files(directory)) {
        if (!Files.exists(fresh.resolve(directory.relativize(old)))) Files.delete(old);
      }
      for (Path file : files(fresh)) copy(file, directory.resolve(fresh.relativize(file)));
    } finally {
      for (Path path : all(fresh).reversed()) Files.delete(path); // files before their folders
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.exists(to) && Files.mismatch(from, to) < 0) return;
    Path folder = to.getParent();
    if (folder != null) Files.createDirectories(folder);
    Files.write(to, Files.readAllBytes(from));
  }

  private static List<Path> files(Path directory) throws IOException {
    return all(directory).stream().filter(Files::isRegularFile).toList();
  }

  /** Everything below {@code directory}, a folder before its content; nothing if it is missing. */
  private static List<Path> all(Path directory) throws IOException {
    if (!Files.exists(directory)) return List.of();
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
