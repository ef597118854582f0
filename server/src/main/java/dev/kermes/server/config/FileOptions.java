package dev.kermes.server.config;

import dev.kermes.server.disk.Disk;
import dev.kermes.server.disk.Replacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options for the folder of the data files and for the RDB file. */
public final class FileOptions extends OptionFamily {

  /** The folder; empty for a server that keeps nothing on disk. */
  public final ValueOption<String> dir =
      option("dir")
          .atStart()
          .means(
              "The folder of the data files; empty for a server that keeps its data in memory only.")
          .unlikeRedis("The default of the program is the working folder.")
          .value(new Folder(), "");

  public final ValueOption<String> rdbName =
      option("dbfilename").atStart().means("The name of the RDB file.").text("dump.rdb");

  public final ValueOption<SavePoints> savePoints =
      option("save")
          .means(
              "Pairs of seconds and changes: the data are saved when that time has passed and that"
                  + " many changes have been made; empty for never.")
          .shownDefault("`" + SavePoints.REDIS_DEFAULT + "` with a `dir`, otherwise `\"\"`")
          .value(new SavePoints.Pairs(), SavePoints.NONE);

  public final FlagOption stopsWritesOnError =
      option("stop-writes-on-bgsave-error")
          .means("Writes are refused after a save has failed, until one succeeds.")
          .yesNo(true);

  public final FlagOption rdbCompresses =
      option("rdbcompression").means("Strings in the RDB file are compressed.").yesNo(true);

  public final FlagOption rdbHasChecksum =
      option("rdbchecksum").atStart().means("The RDB file ends with a checksum.").yesNo(true);

  private final FlagOption syncsWhileWriting =
      option("rdb-save-incremental-fsync")
          .alias("aof-rewrite-incremental-fsync")
          .means("A file is synced to the disk while it is written, and not only at its end.")
          .unlikeRedis("One option for both files.")
          .yesNo(true);

  private final ValueOption<String> versionCheck =
      option("rdb-version-check")
          .means(
              "Files and payloads of an unknown version are refused (`strict`), or read as far as"
                  + " possible (`relaxed`).")
          .unlikeRedis("From Valkey.")
          .choice(List.of("strict", "relaxed"), "strict");

  /**
   * Whether a replica without files of its own deletes the file of a full sync after loading it.
   */
  public final FlagOption deletesSyncFiles =
      option("rdb-del-sync-files")
          .means("A replica that keeps no files deletes the file of a full sync after loading it.")
          .yesNo(false);

  public final NumberOption saveDelayMicros =
      option("rdb-key-save-delay")
          .forTests()
          .in("microseconds")
          .means("A delay for each key that is saved in the background.")
          .number(0, Integer.MAX_VALUE, 0);

  public final NumberOption loadDelayMicros =
      option("key-load-delay")
          .forTests()
          .in("microseconds")
          .means("A delay for each key that is loaded.")
          .number(0, Integer.MAX_VALUE, 0);

  /** 2 MiB, as Redis: until this much is read, clients wait; after that they get LOADING. */
  public final NumberOption loadSilentBytes =
      option("loading-process-events-interval-bytes")
          .forTests()
          .means(
              "Clients wait until this much of a file has been loaded; after that they get LOADING.")
          .memory(1024, Long.MAX_VALUE, 2 << 20);

  private Disk disk = Disk.REAL;
  private boolean checksDumps = true;

  FileOptions() {
    super("Data files");
  }

  public Disk disk() {
    return disk;
  }

  public void disk(Disk files) {
    disk = files;
  }

  /** Whether RESTORE verifies the checksum; tests may switch this off. */
  public boolean checksDumps() {
    return checksDumps;
  }

  public void checksDumps(boolean isOn) {
    checksDumps = isOn;
  }

  /** Whether files and payloads of other versions are accepted as far as they can be read. */
  public boolean acceptsAnyVersion() {
    return versionCheck.value().equals("relaxed");
  }

  /** Replaces a file atomically by a new one, once that is complete and on the disk. */
  public void replace(Path file, Replacement.Content content) throws IOException {
    Replacement.write(disk, file, syncsWhileWriting.isOn(), content);
  }

  /** The RDB file; null if nothing is kept on disk. */
  public @Nullable Path rdb() {
    return dir.value().isEmpty() ? null : Path.of(dir.value()).resolve(rdbName.value());
  }

  /** The absolute path of an existing folder, or nothing. */
  private record Folder() implements Syntax<String> {
    @Override
    public String parse(String text, String present) throws InvalidValueException {
      if (text.isEmpty()) return "";
      Path folder = Path.of(text).toAbsolutePath().normalize();
      if (!Files.exists(folder)) throw new InvalidValueException("No such file or directory");
      if (!Files.isDirectory(folder)) throw new InvalidValueException("Not a directory");
      return folder.toString();
    }

    @Override
    public String print(String value) {
      return value;
    }

    @Override
    public String values() {
      return "an existing folder";
    }
  }
}
