package dev.kermes.lab;

import dev.kermes.bench.ClojurePings;
import dev.kermes.bench.Figure;
import dev.kermes.bench.Medians;
import dev.kermes.bench.PingClient;
import dev.kermes.bench.PingClients;
import dev.kermes.server.RedisServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * 1,000 PINGs sent and 1,000 PONGs held through each layer of a client; and where the time of the
 * first design goes, which has a go block and a channel for every hop.
 */
final class PingLayers implements Experiment {

  private static final String JAVA = "Java client, a future each";
  private static final String CLOJURE = "Clojure client, a channel each";

  private static final String BUFFERED = firstDesign(Dispatch.POOL_OF_8) + ", buffered channels";

  /** What the article had at these places: JRESP, and redis-async on top of it. */
  private static final double ARTICLE_JAVA_MILLIS = 2.9;

  private static final double ARTICLE_CLOJURE_MILLIS = 50;

  private static final Figure ARTICLE = new Figure("articleMillis", "article ms", "%.2f");
  private static final Figure MILLIS = new Figure("millis", "ms", "%.3f");

  private static final Figure PROCESSOR_MILLIS =
      new Figure("processorMillis", "processor ms", "%.1f");
  private static final Figure BUSY = new Figure("busyPercent", "processors busy %", "%.0f");

  @Override
  public String name() {
    return "layers";
  }

  @Override
  public String title() {
    return "1,000 PINGs through each layer";
  }

  @Override
  public String article() {
    return "Articles 000 and 003, “Java in a polyglot JVM world”: redis-async, whose last form takes “under 50 ms”, 2.9 ms of"
        + " them in its Java half. Machine and versions are not named.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      return measure(lab, new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    }
  }

  private static Findings measure(Lab lab, InetSocketAddress server) throws Exception {
    Map<Dispatch, double[]> early = new EnumMap<>(Dispatch.class);
    for (Dispatch dispatch : Dispatch.values()) early.put(dispatch, early(lab, dispatch, server));
    Map<String, Double> millis = layers(lab, server);
    Map<Dispatch, Profile> profiles = new EnumMap<>(Dispatch.class);
    for (Dispatch dispatch : Dispatch.values())
      profiles.put(dispatch, profile(lab, dispatch, server));
    Findings findings = new Findings().table(layerTable(millis)).plot(layerPlot(millis));
    addProfiles(findings, profiles);
    addEarly(findings, early);
    findings
        .note("The server is Kermes's, in the same JVM; its samples are left out.")
        .shows(sentence(millis, profiles, early));
    return Dispatch.addAllVersions(findings);
  }

  private static PingClient firstDesign(Dispatch dispatch, InetSocketAddress server, int buffer) {
    String host = server.getHostString();
    int port = server.getPort();
    return new ClojurePings(
        dispatch.world().call("kermes.lab.hops/client", host, port, PingClient.COUNT, buffer));
  }

  private static String firstDesign(Dispatch dispatch) {
    return "the first design, " + dispatch.label;
  }

  // ---- the first rounds, before anything is compiled

  private static double[] early(Lab lab, Dispatch dispatch, InetSocketAddress server)
      throws Exception {
    lab.begin("the first rounds", 1);
    lab.step(dispatch.label);
    double[] millis = new double[lab.choose(16, 128, 1024)];
    try (PingClient client = firstDesign(dispatch, server, 0)) {
      for (int i = 0; i < millis.length; i++) millis[i] = Timing.millis(client::round);
    }
    return millis;
  }

  /** Medians of the rounds 1, 2 to 3, 4 to 7, and so on: the JVM compiles what is called often. */
  private static void addEarly(Findings findings, Map<Dispatch, double[]> early) {
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

  // ---- layers

  private static Map<String, Double> layers(Lab lab, InetSocketAddress server) throws Exception {
    Map<String, PingClient> clients = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, PingClients.Opener> entry : openers().entrySet()) {
        clients.put(entry.getKey(), entry.getValue().open(server));
      }
      Map<String, Timing.Work> rounds = new LinkedHashMap<>();
      clients.forEach((name, client) -> rounds.put(name, client::round));
      return Timing.alternate(lab, "layers", rounds, lab.choose(5, 20, 50));
    } finally {
      for (PingClient client : clients.values()) client.close();
    }
  }

  /** From the lowest layer up. */
  private static Map<String, PingClients.Opener> openers() {
    Map<String, PingClients.Opener> java = PingClients.all();
    Map<String, PingClients.Opener> openers = new LinkedHashMap<>();
    openers.put("codec alone", server -> new CodecAlone());
    openers.put("bare socket", opener(java, PingClients.FLOOR));
    openers.put("Java client, one batch", opener(java, "kermes java, batch"));
    openers.put(JAVA, opener(java, "kermes java, each"));
    openers.put("Clojure client, one batch", PingClients.clojure(Dispatch.TODAY.world(), "batch"));
    openers.put(CLOJURE, PingClients.clojure(Dispatch.TODAY.world(), "each"));
    for (Dispatch dispatch : Dispatch.values()) {
      openers.put(
          "Clojure client, a go block each, " + dispatch.label,
          PingClients.clojure(dispatch.world(), "go-blocks"));
    }
    for (Dispatch dispatch : Dispatch.values()) {
      openers.put(firstDesign(dispatch), server -> firstDesign(dispatch, server, 0));
    }
    openers.put(BUFFERED, server -> firstDesign(Dispatch.POOL_OF_8, server, PingClient.COUNT));
    return openers;
  }

  private static PingClients.Opener opener(Map<String, PingClients.Opener> openers, String name) {
    return Objects.requireNonNull(openers.get(name), name);
  }

  private static double article(String layer) {
    if (layer.equals(JAVA)) return ARTICLE_JAVA_MILLIS;
    return layer.equals(firstDesign(Dispatch.POOL_OF_8)) ? ARTICLE_CLOJURE_MILLIS : Timing.NONE;
  }

  private static Table layerTable(Map<String, Double> millis) {
    Table table = new Table("1,000 PINGs and their PONGs", "layer", ARTICLE, MILLIS);
    millis.forEach((layer, time) -> table.row(layer, article(layer), time));
    return table;
  }

  private static Plot layerPlot(Map<String, Double> millis) {
    Plot plot = Plot.bars("1,000 PINGs and their PONGs", "ms").logarithmic();
    millis.forEach((layer, time) -> {
      plot.bar("article", layer, article(layer));
      plot.bar("measured", layer, time);
    });
    return plot;
  }

  // ---- where the time goes

  private static Profile profile(Lab lab, Dispatch dispatch, InetSocketAddress server)
      throws Exception {
    lab.begin("profile of the first design", 1);
    lab.step(dispatch.label);
    int rounds = lab.choose(50, 200, 1000);
    try (PingClient client = firstDesign(dispatch, server, 0)) {
      return Profile.of(client::round, rounds);
    }
  }

  private static void addProfiles(Findings findings, Map<Dispatch, Profile> profiles) {
    List<Figure> columns = new ArrayList<>();
    profiles.forEach((dispatch, profile) -> {
      columns.add(new Figure(dispatch.name(), dispatch.label + " %", "%.1f"));
      findings.note("%s: %,d samples.".formatted(firstDesign(dispatch), profile.samples()));
    });
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
            "What the processors do meanwhile", "the first design", MILLIS, PROCESSOR_MILLIS, BUSY);
    profiles.forEach((dispatch, each) ->
        table.row(dispatch.label, each.millis(), each.processorMillis(), each.busy()));
    return table;
  }

  private static String sentence(
      Map<String, Double> millis, Map<Dispatch, Profile> profiles, Map<Dispatch, double[]> early) {
    double[] cold = early.getOrDefault(Dispatch.POOL_OF_8, new double[] {Timing.NONE});
    Profile profile = Objects.requireNonNull(profiles.get(Dispatch.POOL_OF_8));
    return "With a go block and a channel for every hop 1,000 PINGs take %.0f ms the first time and %.1f ms when compiled, by the Java client %.2f ms"
            .formatted(
                cold[0],
                Timing.find(millis, firstDesign(Dispatch.POOL_OF_8)),
                Timing.find(millis, JAVA))
        + ": %.0f %% of its processor time goes to looking through parked puts, %.0f %% to the rest of channels, go blocks and dispatch, %.0f %% to requests and replies; with buffered channels it takes %.1f ms."
            .formatted(
                profile.share(Layer.PARKED_PUTS),
                profile.share(Layer.CHANNELS)
                    + profile.share(Layer.GO)
                    + profile.share(Layer.DISPATCH),
                profile.share(Layer.RESP),
                Timing.find(millis, BUFFERED));
  }
}
