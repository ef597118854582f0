package dev.kermes.server.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A full sync of replicas, in Flight Recorder of the master. */
@Name("dev.kermes.server.FullSync")
@Label("Full Sync")
@Category({"Kermes", "Server"})
@Description("All data were written for replicas")
@StackTrace(false)
public final class FullSyncRun extends Event {

  @Label("Replicas")
  int replicas;

  @Label("Size")
  @DataAmount
  long size;

  @Label("Error")
  @Nullable String error;

  private FullSyncRun() {}

  /** Begins it; null without Flight Recorder. */
  public static @Nullable FullSyncRun start(int replicas) {
    if (!FlightRecorder.isInitialized()) return null;
    FullSyncRun run = new FullSyncRun();
    run.replicas = replicas;
    run.begin();
    return run;
  }

  /**
   * Ends and records it.
   *
   * @param bytes the size of the data, as a snapshot
   * @param failure null if it is complete
   */
  public void finish(long bytes, @Nullable Throwable failure) {
    end();
    size = bytes;
    error = failure == null ? null : failure.toString();
    commit();
  }
}
