package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.memory;
import static dev.kermes.server.config.OptionKinds.number;
import static dev.kermes.server.config.OptionKinds.text;
import static dev.kermes.server.config.OptionKinds.yesNo;

import dev.kermes.server.aof.SyncPolicy;
import dev.kermes.server.disk.Disk;
import dev.kermes.server.disk.Replacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options for data files: folder, names and formats. */
public final class FileOptions {

  /** The folder; empty for a server that keeps nothing on disk. */
  public String dir = "";

  public String rdbName = "dump.rdb";
  public boolean rdbCompresses = true;
  public boolean rdbHasChecksum = true;

  /** Whether files and payloads of other versions are accepted as far as they can be read. */
  public boolean takesAnyVersion;

  public boolean stopsWritesOnError = true;

  /** Whether RESTORE verifies the checksum; tests may switch this off. */
  public boolean checksDumps = true;

  /** Whether a replica without files of its own deletes the master's copy after loading it. */
  public boolean deletesCopies;

  public boolean syncsWhileWriting = true;
  public Disk disk = Disk.REAL;

  /** The delay per key that is saved in the background, and per key that is loaded, for tests. */
  public long saveDelayMicros;

  public long loadDelayMicros;

  /** 2 MiB, as Redis: until this much is read, clients wait; after that they get LOADING. */
  public long loadSilentBytes = 2 << 20;

  public final SavePoints savePoints = new SavePoints();

  /** Whether changes are logged to a file, and when that file is synced to the disk. */
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

  /** Whether files that are no longer needed are kept. */
  public boolean appendKeepsHistory;

  FileOptions() {}

  /** Replaces a file atomically by a new one, once that is complete and on the disk. */
  public void replace(Path file, Replacement.Content content) throws IOException {
    Replacement.write(disk, file, syncsWhileWriting, content);
  }

  /** The folder of the append only file; null if nothing is kept on disk. */
  public @Nullable Path appendFolder() {
    return dir.isEmpty() ? null : Path.of(dir).resolve(appendFolder);
  }

  /** The RDB file; null if nothing is kept on disk. */
  public @Nullable Path rdb() {
    return dir.isEmpty() ? null : Path.of(dir).resolve(rdbName);
  }

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    table.fixed("dir", new Folder());
    table.fixed("dbfilename", text(() -> rdbName, value -> rdbName = value));
    table.mutable("save", savePoints);
    table.mutable("rdb-del-sync-files", yesNo(() -> deletesCopies, v -> deletesCopies = v));
    table.mutable("rdbcompression", yesNo(() -> rdbCompresses, v -> rdbCompresses = v));
    table.mutable(
        "stop-writes-on-bgsave-error",
        yesNo(() -> stopsWritesOnError, v -> stopsWritesOnError = v));
    table.mutable(
        "rdb-save-incremental-fsync", yesNo(() -> syncsWhileWriting, v -> syncsWhileWriting = v));
    declareAppendOnly(table);
    int max = Integer.MAX_VALUE;
    table.mutable(
        "rdb-key-save-delay", number(0, max, () -> saveDelayMicros, v -> saveDelayMicros = v));
    table.mutable(
        "key-load-delay", number(0, max, () -> loadDelayMicros, v -> loadDelayMicros = v));
    table.mutable(
        "loading-process-events-interval-bytes",
        memory(1024, Long.MAX_VALUE, () -> loadSilentBytes, v -> loadSilentBytes = v));
    table.fixed("rdbchecksum", yesNo(() -> rdbHasChecksum, v -> rdbHasChecksum = v));
    table.mutable(
        "rdb-version-check",
        choice(
            List.of("strict", "relaxed"),
            () -> takesAnyVersion ? "relaxed" : "strict",
            v -> takesAnyVersion = v.equals("relaxed")));
  }

  /** The kind of option whose value is the absolute path of an existing folder, or empty. */
  private final class Folder implements Option.Kind {
    @Override
    public String get() {
      return dir;
    }

    @Override
    public @Nullable String set(String value) {
      if (value.isEmpty()) {
        dir = "";
        return null;
      }
      Path folder = Path.of(value).toAbsolutePath().normalize();
      if (!Files.exists(folder)) return "No such file or directory";
      if (!Files.isDirectory(folder)) return "Not a directory";
      dir = folder.toString();
      return null;
    }
  }

  private void declareAppendOnly(OptionTable table) {
    table.mutable("appendonly", yesNo(() -> appendOnly, v -> appendOnly = v));
    table.fixed("appendfilename", text(() -> appendName, v -> appendName = v));
    table.fixed("appenddirname", text(() -> appendFolder, v -> appendFolder = v));
    table.mutable(
        "appendfsync",
        choice(
            SyncPolicy.NAMES,
            () -> appendSync.text(),
            name -> appendSync = SyncPolicy.named(name)));
    table.mutable(
        "no-appendfsync-on-rewrite",
        yesNo(() -> appendSyncRestsOnRewrite, v -> appendSyncRestsOnRewrite = v));
    table.mutable(
        "auto-aof-rewrite-percentage",
        number(
            0, Integer.MAX_VALUE, () -> appendGrowthPercent, v -> appendGrowthPercent = (int) v));
    table.mutable(
        "auto-aof-rewrite-min-size",
        memory(0, Long.MAX_VALUE, () -> appendRewriteMin, v -> appendRewriteMin = v));
    table.mutable(
        "aof-load-truncated", yesNo(() -> appendLoadsTruncated, v -> appendLoadsTruncated = v));
    table.mutable("aof-use-rdb-preamble", yesNo(() -> appendBaseIsRdb, v -> appendBaseIsRdb = v));
    table.mutable(
        "aof-disable-auto-gc", yesNo(() -> appendKeepsHistory, v -> appendKeepsHistory = v));
    table.mutable(
        "aof-timestamp-enabled", yesNo(() -> appendWritesTimes, v -> appendWritesTimes = v));
    table.mutable(
        "aof-rewrite-incremental-fsync",
        yesNo(() -> syncsWhileWriting, v -> syncsWhileWriting = v));
  }
}
