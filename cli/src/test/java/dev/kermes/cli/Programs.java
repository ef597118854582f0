package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.rediscli.CliProgram;
import dev.kermes.testing.Executables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs programs for the tests: ours in this JVM or in one of its own, and those of the machine. */
public final class Programs {

  /** The output and status of a program. */
  public record Result(int status, String out, String err) {}

  private Programs() {}

  /** Runs {@code kermes cli} in this JVM; its output is not a terminal. */
  public static Result cli(Map<String, String> environment, String input, List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<byte[]> words = new ArrayList<>();
    for (String argument : arguments) words.add(argument.getBytes(UTF_8));
    CliProgram program =
        new CliProgram(
            new ByteArrayInputStream(input.getBytes(UTF_8)),
            out,
            new PrintStream(err, true, UTF_8),
            environment);
    int status = program.run(words, false, false);
    return new Result(status, out.toString(UTF_8), err.toString(UTF_8));
  }

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

  /** Runs {@code kermes} with arguments, in a JVM of its own. */
  public static Process kermes(String... arguments) throws IOException {
    return kermes(Map.of(), arguments);
  }

  public static Process kermes(Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 22) command.add("--enable-native-access=ALL-UNNAMED");
    if (Runtime.version().feature() >= 23) command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dio.netty.leakDetection.level=disabled");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    return builder.start();
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
