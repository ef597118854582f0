package dev.kermes.cli.server;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code daemonize yes}: runs the server as a process that does not end with the
 * terminal. A JVM cannot fork, so this class starts the launcher once more, in a new session. The
 * first process returns when the new one listens, or has failed to.
 *
 * <pre>
 *   this process ── starts ──▶ setsid kermes server ...    KERMES_DAEMON=file, which exists
 *        │ waits                      │ listens
 *        ▼                            ▼
 *   file is gone: exit 0 ◀─────── deletes the file
 * </pre>
 */
final class Daemonizer {

  /** The file that the server deletes as soon as it listens; set in the new process. */
  private static final String READY = "KERMES_DAEMON";

  private static final int POLL_MILLIS = 20;

  private Daemonizer() {}

  /** Returns whether this process is the background process. */
  static boolean isHere() {
    return System.getenv(READY) != null;
  }

  /** Tells the waiting process that the server listens. */
  static void listens() throws IOException {
    String file = System.getenv(READY);
    if (file != null) Files.deleteIfExists(Path.of(file));
  }

  /**
   * Starts the server in the background; returns the exit status of this process.
   *
   * @param input the content of standard input, which the other process reads as well
   */
  static int start(String[] args, byte[] input) throws IOException {
    String root = System.getenv("KERMES_ROOT");
    if (root == null) {
      throw new IllegalArgumentException(
          "daemonize: only ./kermes and bin/redis-server can leave the terminal; start it by a"
              + " service manager, or in the background with nohup");
    }
    Path ready = Files.createTempFile("kermes-daemon", "");
    List<String> command = new ArrayList<>();
    String setsid = program("setsid");
    if (setsid != null) command.add(setsid);
    command.addAll(List.of(root + "/kermes", "server"));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put(READY, ready.toString());
    builder
        .environment()
        .put("KERMES_NO_BUILD", "1"); // the background process runs the existing build
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input);
    }
    return await(process, ready);
  }

  private static int await(Process process, Path ready) throws IOException {
    try {
      while (Files.exists(ready)) {
        if (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) continue;
        Files.deleteIfExists(ready);
        System.err.println(
            "kermes: the server has ended, see its log: status=" + process.exitValue());
        return 1;
      }
      return 0;
    } catch (InterruptedException e) {
      return 1;
    }
  }

  private static @Nullable String program(String name) {
    for (String folder : String.valueOf(System.getenv("PATH")).split(File.pathSeparator)) {
      File file = new File(folder, name);
      if (file.canExecute()) return file.getPath();
    }
    return null;
  }
}
