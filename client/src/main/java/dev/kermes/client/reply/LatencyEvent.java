package dev.kermes.client.reply;

import java.time.Duration;
import java.time.Instant;

/**
 * The last delay of one event of the latency monitor.
 *
 * @param event its name, such as {@code command}
 * @param time of the last delay, in whole seconds
 * @param max the longest delay of this event so far
 */
public record LatencyEvent(String event, Instant time, Duration latest, Duration max) {}
