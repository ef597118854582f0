package dev.kermes.http;

import dev.kermes.reactor.KeyPattern;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Answers with the files of a folder. */
final class FolderHandler {

  private final Path folder;
  private final String name;

  FolderHandler(KeyPattern pattern, Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
    name = nameOf(pattern);
  }

  private static String nameOf(KeyPattern pattern) {
    String text = pattern.toString();
    int open = text.lastIndexOf('{');
    if (!text.endsWith("}**")) {
      throw new IllegalArgumentException("pattern must end with {name}**: pattern=" + text);
    }
    return text.substring(open + 1, text.length() - 3);
  }

  HttpHandler onLoop() {
    return HttpHandler.onLoop(this::handle);
  }

  private void handle(HttpMessage request) {
    String path = request.pathParam(name);
    if (path.isEmpty() || path.endsWith("/")) path += "index.html";
    if (isHidden(path)) {
      request.respond(StandardHttpResponses.notFound());
      return;
    }
    try {
      Path file = folder.resolve(path);
      request.respond(StandardHttpResponses.ok(ContentTypes.of(path), file));
    } catch (InvalidPathException e) {
      request.respond(StandardHttpResponses.notFound());
    }
  }

  private static boolean isHidden(String path) {
    return path.startsWith(".") || path.contains("/.");
  }
}
