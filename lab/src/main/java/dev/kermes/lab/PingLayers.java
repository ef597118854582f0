package dev.kermes.lab;

import dev.kermes.bench.client.PingClient;
import dev.kermes.bench.client.PingClients;
import dev.kermes.bench.harness.Figure;
import dev.kermes.server.RedisServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * 1,000 PINGs sent and 1,000 PONGs received through each layer of a client; and where the first
 * design, with a go block and a channel for every hop, spends its time.
 */
final class PingLayers implements Experiment {

  private static final String JAVA = "Java client, a future each";
  private static final String CLOJURE = "Clojure client, a channel each";

  private static final String BUFFERED =
      FirstDesign.label(Dispatch.POOL_OF_8) + ", buffered channels";

  /** The corresponding figures of the article: for JRESP, and redis-async on top of it. */
  private static final double ARTICLE_JAVA_MILLIS = 2.9;

  private static final double ARTICLE_CLOJURE_MILLIS = 50;

  private static final Figure ARTICLE = new Figure("articleMillis", "article ms", "%.2f");
  private static final Figure MILLIS = new Figure("millis", "ms", "%.3f");

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

  /** Runs the first design first, so that no code is compiled yet in its first rounds. */
  private static Findings measure(Lab lab, InetSocketAddress server) throws Exception {
    Map<Dispatch, double[]> early = FirstDesign.early(lab, server);
    Map<String, Double> millis = layers(lab, server);
    Map<Dispatch, Profile> profiles = FirstDesign.profiles(lab, server);
    Findings findings = new Findings().table(layerTable(millis)).plot(layerPlot(millis));
    FirstDesign.addProfiles(findings, profiles);
    FirstDesign.addEarly(findings, early);
    findings
        .note("The server is Kermes's, in the same JVM; its samples are left out.")
        .note(
            "The first design is rebuilt from the article's description; its own code may differ.")
        .shows(sentence(millis, profiles, early));
    return Dispatch.addAllVersions(findings);
  }

  private static Map<String, Double> layers(Lab lab, InetSocketAddress server) throws Exception {
    Map<String, PingClient> clients = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, PingClients.Opener> entry : openers().entrySet()) {
        clients.put(entry.getKey(), entry.getValue().open(server));
      }
      Map<String, Timing.Work> rounds = new LinkedHashMap<>();
      clients.forEach((name, client) -> rounds.put(name, client::round));
      return Timing.alternate(lab, "layers", rounds, lab.choose(5, 10, 50));
    } finally {
      for (PingClient client : clients.values()) client.close();
    }
  }

  /** The layers, the lowest first. */
  private static Map<String, PingClients.Opener> openers() {
    Map<String, PingClients.Opener> java = PingClients.all();
    Map<String, PingClients.Opener> openers = new LinkedHashMap<>();
    openers.put("codec alone", server -> new CodecAlone());
    openers.put("bare socket", opener(java, PingClients.BARE_SOCKET));
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
      openers.put(FirstDesign.label(dispatch), server -> FirstDesign.open(dispatch, server, 0));
    }
    openers.put(BUFFERED, server -> FirstDesign.open(Dispatch.POOL_OF_8, server, PingClient.COUNT));
    return openers;
  }

  private static PingClients.Opener opener(Map<String, PingClients.Opener> openers, String name) {
    return Objects.requireNonNull(openers.get(name), name);
  }

  private static double article(String layer) {
    if (layer.equals(JAVA)) return ARTICLE_JAVA_MILLIS;
    return layer.equals(FirstDesign.label(Dispatch.POOL_OF_8))
        ? ARTICLE_CLOJURE_MILLIS
        : Timing.NONE;
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

  private static String sentence(
      Map<String, Double> millis, Map<Dispatch, Profile> profiles, Map<Dispatch, double[]> early) {
    double[] cold = early.getOrDefault(Dispatch.POOL_OF_8, new double[] {Timing.NONE});
    Profile profile = Objects.requireNonNull(profiles.get(Dispatch.POOL_OF_8));
    return "With a go block and a channel for every hop 1,000 PINGs take %.0f ms the first time and %.1f ms when compiled, by the Java client %.2f ms"
            .formatted(
                cold[0],
                Timing.find(millis, FirstDesign.label(Dispatch.POOL_OF_8)),
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
