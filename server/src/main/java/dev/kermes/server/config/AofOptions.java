package dev.kermes.server.config;

import dev.kermes.server.aof.SyncPolicy;

/** The options for the append only file. */
public final class AofOptions extends OptionFamily {

  /** Whether changes are logged to a file. */
  public final FlagOption isOn =
      option("appendonly").means("All changes are logged to the append only file.").yesNo(false);

  public final ValueOption<SyncPolicy> syncPolicy =
      option("appendfsync")
          .means(
              "The time at which logged changes are synced to the disk: before the reply (`always`),"
                  + " once a second (`everysec`), or when the operating system decides (`no`).")
          .choice(SyncPolicy.NAMES, SyncPolicy::named, SyncPolicy::text, SyncPolicy.EVERYSEC);

  public final ValueOption<String> name =
      option("appendfilename")
          .atStart()
          .means("The beginning of the names of the file's parts.")
          .text("appendonly.aof");

  public final ValueOption<String> folder =
      option("appenddirname")
          .atStart()
          .means("The folder of the file's parts, relative to `dir`.")
          .text("appendonlydir");

  public final FlagOption syncRestsOnRewrite =
      option("no-appendfsync-on-rewrite")
          .means("Nothing is synced to the disk while the file is rewritten.")
          .yesNo(false);

  public final NumberOption growthPercent =
      option("auto-aof-rewrite-percentage")
          .means("The file is rewritten when it has grown by this percentage; 0 for never.")
          .number(0, Integer.MAX_VALUE, 100);

  public final NumberOption rewriteMin =
      option("auto-aof-rewrite-min-size")
          .means("A smaller file is not rewritten automatically.")
          .memory(0, Long.MAX_VALUE, 64 << 20);

  public final FlagOption loadsTruncated =
      option("aof-load-truncated")
          .means("A file whose last command is incomplete is truncated and loaded.")
          .yesNo(true);

  public final FlagOption baseIsRdb =
      option("aof-use-rdb-preamble")
          .means("A rewritten file begins with an RDB file instead of commands.")
          .yesNo(true);

  public final FlagOption writesTimes =
      option("aof-timestamp-enabled")
          .means("The file contains the times at which its commands were executed.")
          .yesNo(false);

  /** Whether files that are no longer needed are kept. */
  public final FlagOption keepsHistory =
      option("aof-disable-auto-gc")
          .forTests()
          .means("Parts of the file that are no longer needed are kept.")
          .yesNo(false);

  AofOptions() {
    super("Append only file");
  }
}
