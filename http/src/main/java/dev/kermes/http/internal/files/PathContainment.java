package dev.kermes.http.internal.files;

import dev.kermes.http.HttpMessage;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Confines files that a handler builds from a path parameter to their directory. */
public final class PathContainment {

  private PathContainment() {}

  /**
   * The directory to which a handler appended a path parameter: the file sent must be inside it,
   * even after links are resolved. Null if the path does not end with a path parameter.
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
