package dev.kermes.server.engine;

import dev.kermes.server.aof.SyncPolicy;
import dev.kermes.server.disk.Disk;
import dev.kermes.server.disk.Replacement;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the data is kept on disk, and how. */
public final class FileOptions {

  /** The folder; empty for a server that keeps nothing on disk. */
  public String dir = "";

  public String rdbName = "dump.rdb";
  public boolean rdbCompresses = true;
  public boolean rdbHasChecksum = true;

  /** Whether files and payloads of other versions are read as far as they are understood. */
  public boolean takesAnyVersion;

  public boolean stopsWritesOnError = true;

  /** Whether RESTORE looks at the checksum; a test may want to see what it does without. */
  public boolean checksDumps = true;

  public boolean syncsWhileWriting = true;
  public Disk disk = Disk.REAL;

  /**
   * For tests: how long each key that is saved in the background takes, and each that is loaded.
   */
  public long saveDelayMicros;

  public long loadDelayMicros;

  /** 2 MiB, as Redis: clients who connect while so little is read find the data loaded. */
  public long loadSilentBytes = 2 << 20;

  public final SavePoints savePoints = new SavePoints();

  /** Whether what is done is logged to a file, and when that is brought to the disk. */
  public boolean appendOnly;

  public SyncPolicy appendSync = SyncPolicy.EVERYSEC;
  public String appendName = "appendonly.aof";
  public String appendFolder = "appendonlydir";
  public boolean appendSyncRestsOnRewrite;
  public int appendGrowthPercent = 100;
  public long appendRewriteMin = 64 << 20;
  public boolean appendLoadsTruncated = true;
  public boolean appendBaseIsRdb = true;
  public boolean appendWritesTimes;

  /** Whether files that are no longer needed stay. */
  public boolean appendKeepsHistory;

  FileOptions() {}

  /** Puts a file in the place of another in one step, once it is whole and on the disk. */
  public void replace(Path file, Replacement.Content content) throws IOException {
    Replacement.write(disk, file, syncsWhileWriting, content);
  }

  /** The folder of the append only file; null if nothing is kept on disk. */
  public @Nullable Path appendFolder() {
    return dir.isEmpty() ? null : Path.of(dir).toAbsolutePath().normalize().resolve(appendFolder);
  }

  /** The RDB file; null if nothing is kept on disk. */
  public @Nullable Path rdb() {
    return dir.isEmpty() ? null : Path.of(dir).toAbsolutePath().normalize().resolve(rdbName);
  }
}
