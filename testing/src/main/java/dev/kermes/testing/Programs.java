package dev.kermes.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs programs as processes: those of the class path, and those of the machine. */
public final class Programs {

  /** The output and status of a program. */
  public record Result(int status, String out, String err) {}

  private Programs() {}

  /** Runs a program of the machine; {@code what} names the package to install if it is missing. */
  public static Result installed(String what, String input, List<String> command)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(command);
    words.set(0, find(command.get(0), what));
    return finish(new ProcessBuilder(words).start(), input);
  }

  private static String find(String name, String what) {
    return Executables.find(name)
        .orElseThrow(
            () -> new IllegalStateException(name + " is not on the PATH; install " + what));
  }

  /** Starts a program of this class path in a JVM of its own, which ends with this one. */
  public static Process start(Class<?> main, String... arguments) throws IOException {
    return start(main, Map.of(), arguments);
  }

  /** Starts it with further variables in its environment. */
  public static Process start(Class<?> main, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 22) command.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= 23) command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dio.netty.leakDetection.level=disabled");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  /** Writes {@code input}, and reads the output until the process ends, which it must. */
  public static Result finish(Process process, String input)
      throws IOException, InterruptedException {
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> new String(readAll(process.getErrorStream()), UTF_8));
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(UTF_8));
    } catch (IOException ignored) {
      // The process ended without reading everything, which its status shows.
    }
    String out = new String(readAll(process.getInputStream()), UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("still running: " + process.info());
    }
    return new Result(process.exitValue(), out, err.join());
  }

  private static byte[] readAll(InputStream in) {
    try {
      return in.readAllBytes();
    } catch (IOException e) {
      return new byte[0];
    }
  }
}
