package dev.kermes.tools.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process of an {@link EventsVictim}; the events that it handles go to a history.
 *
 * @param reader ends when all that the process has printed is in the history
 * @param hasHandled whether it has handled an event
 */
record EventsMember(Process process, Thread reader, AtomicBoolean hasHandled) {

  static EventsMember start(String url, long leaseMillis, EventsHistory history)
      throws IOException {
    List<String> command =
        JavaProcess.command(
            EventsVictim.class, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");
    command.addAll(List.of(url, Long.toString(leaseMillis)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    AtomicBoolean hasHandled = new AtomicBoolean();
    Thread reader = Thread.ofPlatform().daemon().start(() -> read(process, history, hasHandled));
    return new EventsMember(process, reader, hasHandled);
  }

  private static void read(Process process, EventsHistory history, AtomicBoolean hasHandled) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        history.handled(
            Integer.parseInt(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        hasHandled.set(true);
      }
    } catch (IOException e) {
      return; // it was killed
    }
  }

  /** Sends a signal by its name; by the shell, since a small system has no program for it. */
  void signal(String name) throws IOException, InterruptedException {
    String command = "kill -" + name + " " + process.pid();
    int status = new ProcessBuilder("sh", "-c", command).start().waitFor();
    if (status != 0) throw new IOException("signal not sent: " + command);
  }

  /**
   * Kills it; when this returns, all that it has printed is in the history. A handle of the process
   * kills it, because the process itself would close the stream with what has not been read.
   */
  void kill() throws InterruptedException {
    boolean unused = process.toHandle().destroyForcibly();
    reader.join();
  }
}
