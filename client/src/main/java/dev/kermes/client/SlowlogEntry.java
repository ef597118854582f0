package dev.kermes.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A command that SLOWLOG or COMMANDLOG has kept.
 *
 * @param id ascending, unique until the server restarts
 * @param time when it ran, in whole seconds
 * @param value what was measured: microseconds in the slow log, bytes in logs of large commands
 * @param arguments of the command with its name; long ones are cut
 * @param clientName empty for a client without one
 */
public record SlowlogEntry(
    long id,
    Instant time,
    long value,
    List<String> arguments,
    String clientAddress,
    String clientName) {
  /** How long the command ran, in the slow log. */
  public Duration duration() {
    return Duration.ofNanos(Math.multiplyExact(value, 1000L));
  }
}
