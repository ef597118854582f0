package dev.kermes.http;

import java.nio.file.Path;

/**
 * A directory of static files, for {@link HttpServer#files(String, StaticFiles)}. Files whose names
 * begin with a dot are not served. Immutable.
 */
public final class StaticFiles {

  private final Path directory;
  private final boolean hasListing;
  private final boolean hasPrecompressed;
  private final String cachePrefix;

  private StaticFiles(Path directory, boolean hasListing, boolean hasPrecompressed) {
    this.directory = directory;
    this.hasListing = hasListing;
    this.hasPrecompressed = hasPrecompressed;
    cachePrefix = (hasPrecompressed ? "\0\0" : "\0") + directory + "\0";
  }

  /** The files of {@code directory}; a subdirectory is served by its {@code index.html}. */
  public static StaticFiles of(Path directory) {
    return new StaticFiles(directory.toAbsolutePath().normalize(), false, false);
  }

  /** A copy that lists the entries of a directory that has no {@code index.html}. */
  public StaticFiles withListing() {
    return new StaticFiles(directory, true, hasPrecompressed);
  }

  /**
   * A copy that sends {@code a.js.br} or {@code a.js.gz} instead of {@code a.js} to clients that
   * accept the coding, unless that file is older.
   */
  public StaticFiles withPrecompressed() {
    return new StaticFiles(directory, hasListing, true);
  }

  /** The cache key of a file of this directory. */
  String cacheName(String name) {
    return cachePrefix + name;
  }

  Path directory() {
    return directory;
  }

  boolean hasListing() {
    return hasListing;
  }

  boolean hasPrecompressed() {
    return hasPrecompressed;
  }
}
