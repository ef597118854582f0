package dev.kermes.client.reply;

import java.time.Duration;
import java.time.Instant;

/**
 * A delay recorded by the latency monitor.
 *
 * @param time in whole seconds
 */
public record LatencySample(Instant time, Duration latency) {}
