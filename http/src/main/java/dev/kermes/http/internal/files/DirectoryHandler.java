package dev.kermes.http.internal.files;

import dev.kermes.http.HttpHandler;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.StaticFiles;
import dev.kermes.reactor.RoutePattern;

/** Answers requests with the files of a directory. */
public final class DirectoryHandler {

  private final StaticFiles files;
  private final String name;

  public DirectoryHandler(RoutePattern pattern, StaticFiles files) {
    this.files = files;
    name = nameOf(pattern);
  }

  private static String nameOf(RoutePattern pattern) {
    String text = pattern.toString();
    int open = text.lastIndexOf('{');
    if (!text.endsWith("}**")) {
      throw new IllegalArgumentException("pattern must end with {name}**: pattern=" + text);
    }
    return text.substring(open + 1, text.length() - 3);
  }

  public HttpHandler onLoop() {
    return HttpHandler.onLoop(this::handle);
  }

  private void handle(HttpMessage request) {
    String path = request.pathParam(name);
    boolean isDirectory = path.isEmpty() || path.endsWith("/");
    if (isDirectory) path += "index.html";
    if (isHidden(path)) request.respond(StandardHttpResponses.notFound());
    else request.respond(files.file(path));
  }

  private static boolean isHidden(String path) {
    return path.startsWith(".") || path.contains("/.");
  }
}
