package dev.kermes.bench;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What the load is, in memtier_benchmark's words.
 *
 * @param threads threads of the generator
 * @param clients connections per thread
 * @param pipeline requests that each connection keeps outstanding
 * @param sets of a cycle of {@code sets + gets} requests, how many are SETs; they come first
 * @param gets of a cycle, how many are GETs
 * @param dataSize bytes of a value
 * @param keyMaximum keys are {@code memtier-0} up to {@code memtier-keyMaximum}, drawn evenly
 * @param warmUp load that is not counted, before
 * @param testTime load that is
 * @param seed of the keys; each connection has a seed of its own made from it
 */
record LoadSettings(
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

  LoadSettings withTestTime(Duration time) {
    return new LoadSettings(
        address, threads, clients, pipeline, sets, gets, dataSize, keyMaximum, warmUp, time, seed);
  }
}
