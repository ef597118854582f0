package dev.kermes.cli.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of {@code pidfile}, which contains the process id while the server runs. */
final class PidFile {

  private PidFile() {}

  /** Writes the file; a failure is only a line in the log, as in Redis. */
  static void write(String path, ServerLog log) {
    try {
      Files.writeString(Path.of(path), ProcessHandle.current().pid() + "\n");
    } catch (IOException e) {
      log.warning("Failed to write PID file: " + e);
    }
  }

  static void delete(String path) {
    try {
      Files.deleteIfExists(Path.of(path));
    } catch (IOException e) {
      // The next server overwrites it.
    }
  }
}
