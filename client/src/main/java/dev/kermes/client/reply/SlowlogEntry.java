package dev.kermes.client.reply;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An entry of SLOWLOG or COMMANDLOG.
 *
 * @param id ascending, unique until the server restarts
 * @param time when it ran, in whole seconds
 * @param value the measured value: microseconds in the slow log, bytes in the logs of large
 *     commands
 * @param arguments the command's name and arguments; long ones are truncated
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
