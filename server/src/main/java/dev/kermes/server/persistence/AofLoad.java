package dev.kermes.server.persistence;

import dev.kermes.server.aof.AofException;
import dev.kermes.server.aof.AofManifest;
import dev.kermes.server.aof.AofReader;
import dev.kermes.server.config.FileOptions;
import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the append only file: its base, and the commands of its increments. */
final class AofLoad {

  private static final Logger LOG = LoggerFactory.getLogger(AofLoad.class);

  private final Keyspace keyspace;
  private final Persistence persistence;
  private final AofFiles files;
  private final LogRunner runner;
  private final FileOptions options;
  private long baseSize;
  private long incrementsSize;

  AofLoad(Keyspace keyspace, Persistence persistence, AofFiles files, LogRunner runner) {
    this.keyspace = keyspace;
    this.persistence = persistence;
    this.files = files;
    this.runner = runner;
    options = keyspace.settings().fileOptions();
  }

  /** Bytes of the base. */
  long baseSize() {
    return baseSize;
  }

  /** Bytes of the increments. */
  long incrementsSize() {
    return incrementsSize;
  }

  /** Runs all parts that the manifest names. */
  void run() throws IOException {
    long start = keyspace.clock().millis();
    AofManifest.Part base = files.manifest().base();
    keyspace.withLock(this::replayBegins);
    try {
      boolean isLast = files.manifest().increments().isEmpty();
      if (base != null) baseSize = load(base, isLast);
      for (AofManifest.Part part : files.manifest().increments()) {
        isLast = part == files.manifest().increments().getLast();
        incrementsSize += load(part, isLast);
      }
    } finally {
      keyspace.withLock(() -> keyspace.replays(false));
    }
    keyspace.withLock(() -> keyspace.addDirty(-keyspace.dirty()));
    LOG.info("DB loaded from append only file: milliseconds={}", keyspace.clock().millis() - start);
  }

  private void replayBegins() throws IOException {
    keyspace.replays(true);
    List<AofManifest.Part> parts = new ArrayList<>(files.manifest().increments());
    if (files.manifest().base() != null) parts.add(files.manifest().base());
    for (AofManifest.Part part : parts) {
      Path file = files.file(part.name());
      if (Files.exists(file)) keyspace.loading().expect(Files.size(file));
    }
  }

  /** Loads a part; returns its size. */
  private long load(AofManifest.Part part, boolean isLast) throws IOException {
    Path file = files.file(part.name());
    if (!Files.exists(file)) {
      throw new IOException(
          "cannot open the append only file "
              + file
              + " of the manifest: No such file or directory");
    }
    long offset = RdbReader.isRdb(file) ? persistence.load(file) : 0;
    try (AofReader reader = new AofReader(options.disk().read(file), offset)) {
      new LogLoad(keyspace, runner, reader).run();
    } catch (AofException e) {
      repair(file, e, isLast);
    }
    return Files.size(file);
  }

  private void repair(Path file, AofException damage, boolean isLast) throws IOException {
    boolean isCut =
        damage.endsEarly() && isLast && keyspace.settings().aofOptions().loadsTruncated.isOn();
    if (!isCut) {
      String advice =
          damage.endsEarly() && isLast
              ? "'aof-load-truncated yes' loads it without its end"
              : "copy the file, then 'kermes check --fix FILE' cuts it off there";
      throw new IOException(
          "%s reading the append only file: file=%s, %s; %s"
              .formatted(damage.kind(), file, damage.getMessage(), advice),
          damage);
    }
    LOG.warn("append only file cut: file={}, length={}", file, damage.offset());
    try (DiskFile cut = options.disk().open(file)) {
      cut.truncate(damage.offset());
      cut.sync();
    }
  }
}
