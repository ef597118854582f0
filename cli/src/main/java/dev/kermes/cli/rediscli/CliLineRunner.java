package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.reply.ReplyFormat;
import dev.kermes.cli.text.WordSplitter;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs lines of commands, from a pipe or typed, and the words that the program itself understands.
 */
final class CliLineRunner {

  private static final long SLOW_MILLIS = 500;

  private final CliSession session;

  CliLineRunner(CliSession session) {
    this.session = session;
  }

  /** Runs the lines of a pipe, one command per line. */
  void runAll(InputStream input) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(input);
    for (byte[] line = next(buffered); line != null; line = next(buffered)) {
      if (!run(line)) return;
    }
  }

  private static byte @Nullable [] next(InputStream input) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int b = input.read();
    if (b < 0) return null;
    for (; b >= 0 && b != '\n'; b = input.read()) line.write(b);
    return line.toByteArray();
  }

  /** Runs one line; returns false if it ends the program. */
  boolean run(byte[] line) throws IOException {
    List<byte[]> words = WordSplitter.split(line);
    if (words == null) {
      session.print("Invalid argument(s)\n");
      return true;
    }
    if (words.isEmpty()) return true;
    long repeat = 1;
    String first = new String(words.get(0), UTF_8).toLowerCase(Locale.ROOT);
    if (words.size() > 1 && first.matches("|[+-]?[0-9]+")) {
      repeat = count(first);
      if (repeat <= 0) {
        session.print("Invalid redis-cli repeat command option value.\n");
        return true;
      }
      words = words.subList(1, words.size());
    }
    switch (first) {
      case "quit", "exit" -> {
        return false;
      }
      case "connect" -> {
        if (words.size() == 3) connect(words);
        else runTimed(words, repeat);
      }
      default -> runTimed(words, repeat);
    }
    return true;
  }

  /** Returns 0 for an impossible number. */
  private static long count(String word) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void connect(List<byte[]> words) throws IOException {
    try {
      int port = CliOptions.port(new String(words.get(2), UTF_8));
      session.connectTo(new String(words.get(1), UTF_8), port);
    } catch (IllegalArgumentException e) {
      session.print(e.getMessage() + "\n");
    }
  }

  private void runTimed(List<byte[]> words, long repeat) throws IOException {
    long start = System.nanoTime();
    session.run(words, repeat);
    long millis = (System.nanoTime() - start) / 1_000_000;
    if (millis >= SLOW_MILLIS && session.form() == ReplyFormat.TERMINAL) {
      session.print(String.format(Locale.ROOT, "(%.2fs)%n", millis / 1000.0));
    }
  }
}
