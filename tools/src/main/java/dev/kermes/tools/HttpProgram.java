package dev.kermes.tools;

import dev.kermes.http.AccessLog;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.HttpServer;
import dev.kermes.http.StaticFiles;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * The program {@code kermes http [DIR]}: serves the files of a folder, with a line per request and
 * a summary at the end.
 *
 * <pre>
 *   127.0.0.1:40312  GET /a.js  200  6 B  0.1 ms
 * </pre>
 */
final class HttpProgram {

  static final String USAGE =
      """
      usage: kermes http [DIR] [--port N] [--host ADDRESS] [--loops N] [--transport NAME] [--list] [--quiet]
      serves the files of DIR, of this folder by default, on 127.0.0.1:8080; --list lists folders;
      x.br and x.gz are sent instead of x to clients that accept them
      """;

  private static final Duration GRACE = Duration.ofSeconds(5);

  private final StaticFiles files;
  private final Path folder;
  private final HttpServer server;
  private final boolean isQuiet;
  private final LongAdder requests = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final CountDownLatch ended = new CountDownLatch(1);

  private HttpProgram(StaticFiles files, Path folder, HttpServer server, boolean isQuiet) {
    this.files = files;
    this.folder = folder;
    this.server = server;
    this.isQuiet = isQuiet;
  }

  /** Returns the exit status when the server has ended. */
  static int run(String[] args) {
    try {
      return parse(List.of(args)).serve();
    } catch (IllegalArgumentException | UncheckedIOException e) {
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
  }

  private static HttpProgram parse(List<String> args) {
    Path folder = Path.of("");
    int port = 8080;
    int loops = Runtime.getRuntime().availableProcessors();
    String host = "127.0.0.1";
    String transport = "auto";
    boolean isQuiet = false;
    boolean isListed = false;
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      switch (word) {
        case "--quiet" -> isQuiet = true;
        case "--list" -> isListed = true;
        case "--port" -> port = number(args, ++i);
        case "--loops" -> loops = number(args, ++i);
        case "--host" -> host = value(args, ++i);
        case "--transport" -> transport = value(args, ++i);
        default -> {
          if (word.startsWith("-"))
            throw new IllegalArgumentException("unknown option: " + word + "\n" + USAGE);
          folder = Path.of(word);
        }
      }
    }
    if (!Files.isDirectory(folder)) throw new IllegalArgumentException("not a folder: " + folder);
    HttpServer server = new HttpServer(port).host(host).loops(loops).transport(transport);
    StaticFiles files = StaticFiles.of(folder).withPrecompressed();
    return new HttpProgram(isListed ? files.withListing() : files, folder, server, isQuiet);
  }

  private static String value(List<String> args, int index) {
    if (index == args.size()) {
      throw new IllegalArgumentException("value missing: option=" + args.getLast());
    }
    return args.get(index);
  }

  private static int number(List<String> args, int index) {
    try {
      return Integer.parseInt(value(args, index));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a number: " + args.get(index - 1) + "=" + args.get(index), e);
    }
  }

  private int serve() {
    if (!isQuiet) server.log(lines());
    server.files("/{file}**", files);
    server.start();
    System.out.printf(
        "Serving %s on %s (%s)%n",
        folder.toAbsolutePath().normalize(), server.url(), server.transport());
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "kermes-stop"));
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private AccessLog lines() {
    return (request, status, length, nanos) -> {
      requests.increment();
      if (status >= 400) failures.increment();
      bytes.add(Math.max(0, length));
      System.out.println(line(request, status, length, nanos));
    };
  }

  /**
   * A request's path contains no control characters; characters above ASCII are printed unchanged.
   */
  private static String line(HttpMessage request, int status, long length, long nanos) {
    return String.format(
        Locale.ROOT,
        "%s  %s %s  %d  %s  %.1f ms",
        request.remoteAddress(),
        request.method(),
        request.path(),
        status,
        length < 0 ? "–" : length + " B",
        nanos / 1e6);
  }

  private void stop() {
    int left = server.stop(GRACE);
    if (!isQuiet) {
      System.out.printf(
          "%d requests, %d of them failed, %d bytes%s%n",
          requests.sum(),
          failures.sum(),
          bytes.sum(),
          left == 0 ? "" : "; connections cut off: " + left);
    }
    ended.countDown();
    Runtime.getRuntime().halt(0);
  }
}
