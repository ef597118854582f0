package dev.kermes.server.persistence;

import dev.kermes.server.aof.AofManifest;
import dev.kermes.server.config.AofOptions;
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

  private final FileOptions fileOptions;
  private final AofOptions options;
  private AofManifest manifest = AofManifest.EMPTY;

  AofFiles(FileOptions fileOptions, AofOptions options) {
    this.fileOptions = fileOptions;
    this.options = options;
  }

  AofManifest manifest() {
    return manifest;
  }

  /** A new part that can replace all parts until now. */
  AofManifest.Part nextBase(boolean isRdb) {
    return manifest.nextBase(options.name.value(), isRdb);
  }

  /** A new part for the changes from now on. */
  AofManifest.Part nextIncrement() {
    return manifest.nextIncrement(options.name.value());
  }

  /** The folder; fails if the server keeps nothing on disk. */
  Path folder() throws IOException {
    String dir = fileOptions.dir.value();
    if (dir.isEmpty()) throw new IOException("nothing is kept on disk; the option dir says where");
    return Path.of(dir).resolve(options.folder.value());
  }

  private Path manifestFile() throws IOException {
    return folder().resolve(options.name.value() + ".manifest");
  }

  /** A file of the folder. */
  Path file(String name) throws IOException {
    return folder().resolve(name);
  }

  /** The file for changes until the base of a new log has been written. */
  Path temporary() throws IOException {
    return file("temp-" + options.name.value() + ".incr");
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
    Path old = folder().resolveSibling(options.name.value());
    if (!Files.isRegularFile(old)) return false;
    LOG.info("append only file of one part moved: from={}, to={}", old, folder());
    replace(manifest.with(new AofManifest.Part(options.name.value(), 1), 1));
    fileOptions.disk().move(old, file(options.name.value()));
    return true;
  }

  /** Completes the move of that file, if the server stopped after the manifest named it. */
  boolean finishTakeOver() throws IOException {
    AofManifest.Part base = manifest.base();
    Path old = folder().resolveSibling(options.name.value());
    boolean isStopped =
        base != null
            && base.name().equals(options.name.value())
            && manifest.increments().isEmpty()
            && !Files.exists(file(base.name()))
            && Files.isRegularFile(old);
    if (isStopped) fileOptions.disk().move(old, file(options.name.value()));
    return true;
  }

  /** Makes a manifest the present one, after writing it to the disk. */
  void replace(AofManifest next) throws IOException {
    byte[] text = next.text().getBytes(StandardCharsets.UTF_8);
    fileOptions.replace(manifestFile(), out -> out.write(text));
    manifest = next;
  }

  /** Deletes the parts that are no longer needed. */
  void deleteHistory() throws IOException {
    if (manifest.history().isEmpty() || options.keepsHistory.isOn()) return;
    for (AofManifest.Part part : manifest.history()) {
      fileOptions.disk().delete(file(part.name()));
    }
    replace(manifest.withoutHistory());
  }
}
