package dev.kermes.bench.load;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The settings of the load, with memtier_benchmark's names.
 *
 * @param threads threads of the generator
 * @param clients connections per thread
 * @param pipeline requests that each connection keeps outstanding
 * @param requests the source of the requests
 * @param warmUp uncounted load before the measurement
 * @param testTime counted load
 */
public record LoadSettings(
    InetSocketAddress address,
    int threads,
    int clients,
    int pipeline,
    Requests.Source requests,
    Duration warmUp,
    Duration testTime) {

  int connections() {
    return threads * clients;
  }

  /** The requests that all connections together keep outstanding. */
  public long inFlight() {
    return (long) connections() * pipeline;
  }

  public LoadSettings withTestTime(Duration time) {
    return new LoadSettings(address, threads, clients, pipeline, requests, warmUp, time);
  }
}
