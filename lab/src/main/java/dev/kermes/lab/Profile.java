package dev.kermes.lab;

import dev.kermes.bench.peers.ProcessCpu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A profile from the samples of the JDK's Flight Recorder. Where the JDK supports it (25, Linux),
 * these are samples of processor time, including system calls; otherwise of threads that run Java.
 *
 * @param millis duration of one round
 * @param processorMillis processor time of all threads of this process in one round, including the
 *     server's
 * @param lost number of samples whose stack could not be read; the shares refer to the others
 * @param shares shares of the layers in percent, without the server
 */
record Profile(
    double millis, double processorMillis, int samples, long lost, Map<Layer, Double> shares) {

  private static final String PROCESSOR_TIME = "jdk.CPUTimeSample";
  private static final String LOST = "jdk.CPUTimeSamplesLost";
  private static final String JAVA = "jdk.ExecutionSample";

  /** Runs this many rounds and samples them with the best method of this JDK. */
  static Profile of(Timing.Work round, int rounds) throws Exception {
    return of(round, rounds, hasProcessorTime());
  }

  static Profile of(Timing.Work round, int rounds, boolean byProcessorTime) throws Exception {
    Path file = Files.createTempFile("kermes-lab-", ".jfr");
    try (Recording recording = new Recording()) {
      recording.setDestination(file);
      enable(recording, byProcessorTime);
      recording.start();
      double processorSeconds = ProcessCpu.ownSeconds();
      double millis =
          Timing.millis(() -> {
            for (int i = 0; i < rounds; i++) round.run();
          });
      processorSeconds = ProcessCpu.ownSeconds() - processorSeconds;
      recording.stop();
      List<RecordedEvent> events = RecordingFile.readAllEvents(file);
      Map<Layer, Integer> counts = count(events);
      return new Profile(
          millis / rounds,
          processorSeconds * 1000 / rounds,
          sum(counts),
          lost(events),
          shares(counts));
    } finally {
      Files.delete(file);
    }
  }

  private static boolean hasProcessorTime() {
    return FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .map(EventType::getName)
        .anyMatch(PROCESSOR_TIME::equals);
  }

  private static void enable(Recording recording, boolean byProcessorTime) {
    if (byProcessorTime) {
      recording.enable(PROCESSOR_TIME).with("throttle", "5 ms");
      recording.enable(LOST);
    } else {
      recording.enable(JAVA).withPeriod(Duration.ofMillis(5));
    }
  }

  private static Map<Layer, Integer> count(List<RecordedEvent> events) {
    Map<Layer, Integer> counts = new EnumMap<>(Layer.class);
    for (RecordedEvent event : events) {
      if (!Set.of(PROCESSOR_TIME, JAVA).contains(event.getEventType().getName())) continue;
      if (event.getStackTrace() == null) continue;
      Layer layer = Layer.of(event.getStackTrace());
      if (layer != Layer.SERVER) counts.merge(layer, 1, Integer::sum);
    }
    return counts;
  }

  private static long lost(List<RecordedEvent> events) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(LOST))
        .mapToLong(event -> event.getInt("lostSamples"))
        .sum();
  }

  private static int sum(Map<Layer, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static Map<Layer, Double> shares(Map<Layer, Integer> counts) {
    Map<Layer, Double> shares = new EnumMap<>(Layer.class);
    counts.forEach((layer, count) -> shares.put(layer, 100.0 * count / sum(counts)));
    return shares;
  }

  /** The share in percent. */
  double share(Layer layer) {
    return shares.getOrDefault(layer, 0.0);
  }

  /** The utilisation of all processors during a round, in percent. */
  double busy() {
    return 100 * processorMillis / millis / Runtime.getRuntime().availableProcessors();
  }
}
