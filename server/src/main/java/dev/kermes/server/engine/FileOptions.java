package dev.kermes.server.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the data is kept on disk, and how. */
public final class FileOptions {

  /** The folder; empty for a server that keeps nothing on disk. */
  public String dir = "";

  public String rdbName = "dump.rdb";
  public boolean rdbCompresses = true;
  public boolean rdbHasChecksum = true;
  public final SavePoints savePoints = new SavePoints();

  FileOptions() {}

  /** The RDB file; null if nothing is kept on disk. */
  public @Nullable Path rdb() {
    return dir.isEmpty() ? null : Path.of(dir).toAbsolutePath().normalize().resolve(rdbName);
  }
}
