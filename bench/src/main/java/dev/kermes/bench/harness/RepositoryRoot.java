package dev.kermes.bench.harness;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of the repository: the launcher states it; otherwise it is found above the current
 * folder.
 */
public final class RepositoryRoot {

  private RepositoryRoot() {}

  public static Path root() {
    String told = System.getenv("KERMES_ROOT");
    if (told != null) return Path.of(told);
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path.resolve("kermes")) && Files.exists(path.resolve("pom.xml")))
        return path;
    }
    throw new BenchmarkException("not inside the repository: set KERMES_ROOT");
  }
}
