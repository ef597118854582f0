package dev.kermes.http;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where files may come from. */
final class PathContainment {

  private PathContainment() {}

  /**
   * The folder that a handler meant when it put a path parameter at the end of a path: what is sent
   * must lie in it, wherever links lead. Null if the path was made in another way.
   */
  static @Nullable Path rootOf(HttpMessage request, Path path) {
    int names = path.getNameCount();
    for (String captured : request.pathParams().values()) {
      if (captured.isEmpty()) continue;
      Path tail = path.getFileSystem().getPath(captured).normalize();
      int left = names - tail.getNameCount();
      if (left <= 0 || tail.isAbsolute() || !path.endsWith(tail)) continue;
      Path head = path.subpath(0, left);
      return path.isAbsolute() ? path.getRoot().resolve(head) : head;
    }
    return null;
  }
}
