package dev.kermes.bench.events;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.RepositoryRoot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program with a library of another language, which {@code bench/events/fetch} has made. Its
 * arguments are the port, the kind of case, the members, the keys and the events. It warms up, and
 * talks on its standard streams:
 *
 * <pre>
 *   program: ready                       all is connected; a backlog is stored
 *   here:    an empty line
 *   program: done SECONDS CPU_SECONDS    all is stored and handled; processor time of the program
 *   here:    an empty line               it ends
 * </pre>
 */
final class EventProgram implements AutoCloseable {

  private static final String FOLDER = "target/peers/events";

  /** All that exist, each with the name of its row. */
  private static final List<String> NAMES = List.of("bullmq", "asynq", "dramatiq");

  /**
   * The times of a run.
   *
   * @param seconds until all events were stored and handled
   * @param cpuSeconds processor time of the program
   */
  record Result(double seconds, double cpuSeconds) {}

  private final Process process;
  private final BufferedReader answers;

  private EventProgram(Process process) {
    this.process = process;
    answers = process.inputReader(StandardCharsets.UTF_8);
  }

  static List<String> found() {
    List<String> names = new ArrayList<>(NAMES);
    names.removeIf(name -> !Files.isExecutable(path(name)));
    return names;
  }

  static List<String> missing() {
    List<String> names = new ArrayList<>(NAMES);
    names.removeAll(found());
    names.replaceAll(name -> name + " (run bench/events/fetch)");
    return names;
  }

  private static Path path(String name) {
    return RepositoryRoot.root().resolve(FOLDER).resolve(name);
  }

  /** Starts one, and waits until it is ready. */
  static EventProgram start(String name, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(path(name).toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    EventProgram program =
        new EventProgram(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    program.read("ready");
    return program;
  }

  /** Lets it begin, and waits for the end. */
  Result run() throws IOException {
    OutputStream orders = process.getOutputStream();
    orders.write('\n');
    orders.flush();
    String[] words = read("done ").split(" ");
    return new Result(Double.parseDouble(words[1]), Double.parseDouble(words[2]));
  }

  private String read(String start) throws IOException {
    String line = answers.readLine();
    if (line != null && line.startsWith(start)) return line;
    close();
    throw new BenchmarkException("expected " + start + ", got " + line);
  }

  @Override
  public void close() {
    Process unused = process.destroyForcibly();
  }
}
