package dev.kermes.http;

import java.nio.file.Path;

/**
 * The files of a folder, for {@link HttpServer#files(String, StaticFiles)}; those whose names begin
 * with a dot are not there. Immutable.
 */
public final class StaticFiles {

  private final Path folder;
  private final boolean hasListing;
  private final boolean hasPrecompressed;
  private final String cachePrefix;

  private StaticFiles(Path folder, boolean hasListing, boolean hasPrecompressed) {
    this.folder = folder;
    this.hasListing = hasListing;
    this.hasPrecompressed = hasPrecompressed;
    cachePrefix = (hasPrecompressed ? "\0\0" : "\0") + folder + "\0";
  }

  /** Those of {@code folder}; a folder in it is its {@code index.html}. */
  public static StaticFiles of(Path folder) {
    return new StaticFiles(folder.toAbsolutePath().normalize(), false, false);
  }

  /** The same, with a page that lists what is in a folder without {@code index.html}. */
  public StaticFiles withListing() {
    return new StaticFiles(folder, true, hasPrecompressed);
  }

  /**
   * The same, where {@code a.js.br} and {@code a.js.gz} stand for {@code a.js} with clients that
   * take them, unless they are older than it.
   */
  public StaticFiles withPrecompressed() {
    return new StaticFiles(folder, hasListing, true);
  }

  /** What a file of this folder is called in the cache. */
  String cacheName(String name) {
    return cachePrefix + name;
  }

  Path folder() {
    return folder;
  }

  boolean hasListing() {
    return hasListing;
  }

  boolean hasPrecompressed() {
    return hasPrecompressed;
  }
}
