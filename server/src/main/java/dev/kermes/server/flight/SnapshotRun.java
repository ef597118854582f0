package dev.kermes.server.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The writing of an RDB file, or of a new base of the append only file, in Flight Recorder. */
@Name("dev.kermes.server.Snapshot")
@Label("Snapshot")
@Category({"Kermes", "Server"})
@Description("The writing of an RDB file, or of a new base of the append only file")
@StackTrace(false)
public final class SnapshotRun extends Event {

  @Label("File")
  @Nullable String file;

  @Label("Error")
  @Nullable String error;

  private SnapshotRun() {}

  /** Begins it; null without Flight Recorder. */
  public static @Nullable SnapshotRun start(String file) {
    if (!FlightRecorder.isInitialized()) return null;
    SnapshotRun run = new SnapshotRun();
    run.file = file;
    run.begin();
    return run;
  }

  /**
   * Ends and records it.
   *
   * @param failure null if the file is complete
   */
  public void finish(@Nullable Exception failure) {
    end();
    error = failure == null ? null : failure.toString();
    commit();
  }
}
