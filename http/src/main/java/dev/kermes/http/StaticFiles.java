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

  /**
   * A response with a file of this directory.
   *
   * @param name the path of the file in the directory; 404 is sent if it leads outside
   */
  public Response file(String name) {
    return Response.of(new Response.DirectoryFile(this, name));
  }

  /** The key of a file of this directory in the server's cache. */
  public String cacheName(String name) {
    return cachePrefix + name;
  }

  /** The directory. */
  public Path directory() {
    return directory;
  }

  /** Whether directories without {@code index.html} are listed. */
  public boolean hasListing() {
    return hasListing;
  }

  /** Whether precompressed variants are sent. */
  public boolean hasPrecompressed() {
    return hasPrecompressed;
  }
}
