package dev.kermes.server.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A command that took longer than {@code slowlog-log-slower-than}, in Flight Recorder. */
@Name("dev.kermes.server.SlowCommand")
@Label("Slow Command")
@Category({"Kermes", "Server"})
@Description("A command took longer than slowlog-log-slower-than")
@StackTrace(false)
public final class SlowCommand extends Event {

  @Label("Command")
  @Nullable String command;

  @Label("Client")
  @Nullable String client;

  @Label("Execution Time")
  @Timespan(Timespan.NANOSECONDS)
  long executionTime;

  /**
   * Records it, without its arguments, which may be secret.
   *
   * @param client {@code ip:port}
   */
  public static void record(String command, String client, long nanos) {
    if (!FlightRecorder.isInitialized()) return;
    SlowCommand recorded = new SlowCommand();
    if (!recorded.isEnabled()) return;
    recorded.command = command;
    recorded.client = client;
    recorded.executionTime = nanos;
    recorded.commit();
  }
}
