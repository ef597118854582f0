package dev.kermes.server.persistence;

import dev.kermes.server.aof.AofManifest;
import dev.kermes.server.config.FileOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the append only file and its manifest, which names the parts. Guarded by the
 * keyspace lock.
 */
final class AofFiles {

  private static final Logger LOG = LoggerFactory.getLogger(AofFiles.class);

  private final FileOptions options;
  private AofManifest manifest = AofManifest.EMPTY;

  AofFiles(FileOptions options) {
    this.options = options;
  }

  AofManifest manifest() {
    return manifest;
  }

  /** The folder; fails if the server keeps nothing on disk. */
  Path folder() throws IOException {
    Path folder = options.appendFolder();
    if (folder == null) throw new IOException("nothing is kept on disk; the option dir says where");
    return folder;
  }

  private Path manifestFile() throws IOException {
    return folder().resolve(options.appendName + ".manifest");
  }

  /** A file of the folder. */
  Path file(String name) throws IOException {
    return folder().resolve(name);
  }

  /** The file for changes until the base of a new log has been written. */
  Path temporary() throws IOException {
    return file("temp-" + options.appendName + ".incr");
  }

  /** Reads the manifest; false if there is none. */
  boolean read() throws IOException {
    manifest = AofManifest.EMPTY;
    if (!Files.exists(manifestFile())) return false;
    manifest = AofManifest.parse(Files.readString(manifestFile()));
    return true;
  }

  /** Makes the single file of Redis versions before 7 the base; false if there is none. */
  boolean takeOver() throws IOException {
    Path old = folder().resolveSibling(options.appendName);
    if (!Files.isRegularFile(old)) return false;
    LOG.info("append only file of one part moved: from={}, to={}", old, folder());
    replace(manifest.with(new AofManifest.Part(options.appendName, 1), 1));
    options.disk.move(old, file(options.appendName));
    return true;
  }

  /** Completes the move of that file, if the server stopped after the manifest named it. */
  boolean finishTakeOver() throws IOException {
    AofManifest.Part base = manifest.base();
    Path old = folder().resolveSibling(options.appendName);
    boolean isStopped =
        base != null
            && base.name().equals(options.appendName)
            && manifest.increments().isEmpty()
            && !Files.exists(file(base.name()))
            && Files.isRegularFile(old);
    if (isStopped) options.disk.move(old, file(options.appendName));
    return true;
  }

  /** Makes a manifest the present one, after writing it to the disk. */
  void replace(AofManifest next) throws IOException {
    byte[] text = next.text().getBytes(StandardCharsets.UTF_8);
    options.replace(manifestFile(), out -> out.write(text));
    manifest = next;
  }

  /** Deletes the parts that are no longer needed. */
  void deleteHistory() throws IOException {
    if (manifest.history().isEmpty() || options.appendKeepsHistory) return;
    for (AofManifest.Part part : manifest.history()) {
      options.disk.delete(file(part.name()));
    }
    replace(manifest.withoutHistory());
  }
}
