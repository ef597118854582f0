package dev.kermes.client;

import java.time.Duration;
import java.time.Instant;

/**
 * A delay that the latency monitor has seen.
 *
 * @param time in whole seconds
 */
public record LatencySample(Instant time, Duration latency) {}
