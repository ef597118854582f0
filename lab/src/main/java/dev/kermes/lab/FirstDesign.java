package dev.kermes.lab;

import dev.kermes.bench.client.ClojurePings;
import dev.kermes.bench.client.PingClient;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A typical first design of a client on core.async, with a go block and a channel for every hop:
 * how its rounds become faster, and where their time is spent.
 */
final class FirstDesign {

  private static final Figure MILLIS = new Figure("millis", "ms", "%.1f");
  private static final Figure PROCESSOR_MILLIS =
      new Figure("processorMillis", "processor ms", "%.1f");
  private static final Figure BUSY = new Figure("busyPercent", "processors busy %", "%.0f");

  private FirstDesign() {}

  static String label(Dispatch dispatch) {
    return "the first design, " + dispatch.label;
  }

  /** {@code buffer} is the size of the channels' buffers, 0 for none. */
  static PingClient open(Dispatch dispatch, InetSocketAddress server, int buffer) {
    String host = server.getHostString();
    int port = server.getPort();
    return new ClojurePings(
        dispatch.world().call("kermes.lab.hops/client", host, port, PingClient.COUNT, buffer));
  }

  /** The milliseconds of the first rounds, before anything is compiled. */
  static Map<Dispatch, double[]> early(Lab lab, InetSocketAddress server) throws Exception {
    Map<Dispatch, double[]> early = new EnumMap<>(Dispatch.class);
    lab.begin("the first rounds of the first design", Dispatch.values().length);
    for (Dispatch dispatch : Dispatch.values()) {
      lab.step(dispatch.label);
      double[] millis = new double[lab.choose(15, 15, 255)];
      try (PingClient client = open(dispatch, server, 0)) {
        for (int i = 0; i < millis.length; i++) millis[i] = Timing.millis(client::round);
      }
      early.put(dispatch, millis);
    }
    return early;
  }

  /** Medians of rounds 1, 2 to 3, 4 to 7, and so on: the JVM compiles frequently called code. */
  static void addEarly(Findings findings, Map<Dispatch, double[]> early) {
    Table table =
        new Table(
            "The first rounds of the first design",
            "rounds",
            new Figure("poolMillis", "pool of 8 ms", "%.2f"),
            new Figure("todayMillis", "today ms", "%.2f"));
    Plot plot = Plot.lines("The first rounds of the first design", "round", "ms").logarithmic();
    double[] pool = early.getOrDefault(Dispatch.POOL_OF_8, new double[0]);
    double[] today = early.getOrDefault(Dispatch.TODAY, new double[0]);
    for (int from = 1; from <= pool.length; from *= 2) {
      int to = Math.min(2 * from - 1, pool.length);
      table.row(
          from == to ? "" + from : from + "–" + to,
          median(pool, from, to),
          median(today, from, to));
    }
    for (int i = 0; i < Math.min(100, pool.length); i++) {
      plot.point(Dispatch.POOL_OF_8.label, i + 1, pool[i]);
      plot.point(Dispatch.TODAY.label, i + 1, today[i]);
    }
    findings.table(table).plot(plot);
  }

  private static double median(double[] rounds, int from, int to) {
    return Medians.of(Arrays.copyOfRange(rounds, from - 1, to));
  }

  static Map<Dispatch, Profile> profiles(Lab lab, InetSocketAddress server) throws Exception {
    Map<Dispatch, Profile> profiles = new EnumMap<>(Dispatch.class);
    lab.begin("profile of the first design", Dispatch.values().length);
    for (Dispatch dispatch : Dispatch.values()) {
      lab.step(dispatch.label);
      try (PingClient client = open(dispatch, server, 0)) {
        profiles.put(dispatch, Profile.of(client::round, lab.choose(30, 30, 200)));
      }
    }
    return profiles;
  }

  static void addProfiles(Findings findings, Map<Dispatch, Profile> profiles) {
    List<Figure> columns = new ArrayList<>();
    profiles.forEach((dispatch, profile) -> {
      columns.add(new Figure(dispatch.name(), dispatch.label + " %", "%.1f"));
      findings.note(
          "%s: %,d samples, and %,d whose stack could not be read."
              .formatted(label(dispatch), profile.samples(), profile.lost()));
    });
    findings.note(
        "Every operation on a channel goes through all puts that are parked on it, to remove those that gave up;"
            + " without buffers those are nearly all requests.");
    String title = "Where the first design's time goes";
    Table table = new Table(title, "layer", columns.toArray(new Figure[0]));
    Plot plot = Plot.bars(title, "% of the processor time");
    for (Layer layer : Layer.OF_A_CLIENT) {
      double[] shares = profiles.values().stream().mapToDouble(each -> each.share(layer)).toArray();
      if (Arrays.stream(shares).sum() == 0) continue;
      table.row(layer.label, shares);
      profiles.forEach(
          (dispatch, each) -> plot.bar(dispatch.label, layer.label, each.share(layer)));
    }
    findings.table(table).plot(plot).table(busyTable(profiles));
  }

  private static Table busyTable(Map<Dispatch, Profile> profiles) {
    Table table =
        new Table(
            "Processor use in the meantime", "the first design", MILLIS, PROCESSOR_MILLIS, BUSY);
    profiles.forEach((dispatch, each) ->
        table.row(dispatch.label, each.millis(), each.processorMillis(), each.busy()));
    return table;
  }
}
