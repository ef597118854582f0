package dev.kermes.bench.load;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The settings of the load, with memtier_benchmark's names.
 *
 * @param threads threads of the generator
 * @param clients connections per thread
 * @param pipeline requests that each connection keeps outstanding
 * @param sets the SETs in a cycle of {@code sets + gets} requests; they come first
 * @param gets the GETs in a cycle
 * @param dataSize bytes of a value
 * @param keyMaximum keys are {@code memtier-0} up to {@code memtier-keyMaximum}, drawn evenly
 * @param warmUp uncounted load before the measurement
 * @param testTime counted load
 * @param seed of the keys; each connection derives its own seed from it
 */
public record LoadSettings(
    InetSocketAddress address,
    int threads,
    int clients,
    int pipeline,
    int sets,
    int gets,
    int dataSize,
    long keyMaximum,
    Duration warmUp,
    Duration testTime,
    long seed) {

  int connections() {
    return threads * clients;
  }

  long inFlight() {
    return (long) connections() * pipeline;
  }

  LoadSettings withWarmUp(Duration time) {
    return new LoadSettings(
        address,
        threads,
        clients,
        pipeline,
        sets,
        gets,
        dataSize,
        keyMaximum,
        time,
        testTime,
        seed);
  }

  public LoadSettings withTestTime(Duration time) {
    return new LoadSettings(
        address, threads, clients, pipeline, sets, gets, dataSize, keyMaximum, warmUp, time, seed);
  }
}
