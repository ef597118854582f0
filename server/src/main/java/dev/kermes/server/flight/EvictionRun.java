package dev.kermes.server.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** The eviction of keys before a command, in Flight Recorder. */
@Name("dev.kermes.server.Eviction")
@Label("Eviction")
@Category({"Kermes", "Server"})
@Description("Keys were evicted before a command")
@StackTrace(false)
@Threshold("100 us") // a command that evicts a key or two is too common to record
public final class EvictionRun extends Event {

  @Label("Keys")
  long keys;

  @Label("Size")
  @DataAmount
  long size;

  private EvictionRun() {}

  /** Begins it; null without Flight Recorder. */
  public static @Nullable EvictionRun start() {
    if (!FlightRecorder.isInitialized()) return null;
    EvictionRun run = new EvictionRun();
    run.begin();
    return run;
  }

  /** Ends it, and records it if it took long. */
  public void finish(long evictedKeys, long freedBytes) {
    end();
    if (!shouldCommit()) return;
    keys = evictedKeys;
    size = freedBytes;
    commit();
  }
}
