package dev.kermes.lab;

import static dev.kermes.http.StandardHttpResponses.ok;

import dev.kermes.bench.harness.Figure;
import dev.kermes.http.HttpServer;
import java.util.Comparator;
import java.util.Map;

/** Pages of a slow server, all requested at the same time. */
final class BlockingPages implements Experiment {

  private static final int PAGES = 20;

  /** The article says 760 to 990 ms, depending on the page. */
  private static final double ARTICLE_LATENCY_MILLIS = (760 + 990) / 2.0;

  private static final Map<String, Double> ARTICLE =
      Map.of(Dispatch.POOL_OF_8.go(), 2300.0, "thread", 1000.0, "asynchronous client", 1000.0);

  private static final Figure ARTICLE_LATENCIES =
      Figure.number("articleLatencies", "article latencies");
  private static final Figure LATENCIES = Figure.number("latencies", "latencies");

  @Override
  public String name() {
    return "pages";
  }

  @Override
  public String title() {
    return "Pages by HTTP: blocking and asynchronous";
  }

  @Override
  public String article() {
    return "Article 002, “Clojure concurrency and blocking with core.async”: 20 pages of a web site by clj-http, each"
        + " in 760 to 990 ms; the asynchronous client “runs as fast as” the threads.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    long latencyMillis = lab.choose(20L, 50L, 200L);
    Map<String, Double> millis;
    try (HttpServer server = serverWith(latencyMillis)) {
      String url = server.url() + "/page/";
      millis =
          Timing.alternate(lab, PAGES + " pages", Dispatch.compare("pages", url, (long) PAGES));
    }
    Table table =
        new Table(
            "%d pages, %d ms each".formatted(PAGES, latencyMillis),
            "way",
            Timing.ARTICLE_MILLIS,
            ARTICLE_LATENCIES,
            Timing.MILLIS,
            LATENCIES);
    Plot plot = Plot.bars("%d pages, asked for at once".formatted(PAGES), "latencies of one page");
    millis.forEach((way, time) -> {
      double article = Timing.find(ARTICLE, way);
      table.row(way, article, article / ARTICLE_LATENCY_MILLIS, time, time / latencyMillis);
      plot.bar("article", way, article / ARTICLE_LATENCY_MILLIS);
      plot.bar("measured", way, time / latencyMillis);
    });
    Findings findings =
        new Findings()
            .table(table)
            .plot(plot)
            .note(
                "The article's latency is taken as 875 ms. The server is Kermes's, in the same JVM.")
            .shows(sentence(millis, latencyMillis));
    return Dispatch.addAllVersions(findings);
  }

  private static HttpServer serverWith(long latencyMillis) {
    return new HttpServer(0)
        .get(
            "/page/{number}",
            request -> {
              Thread.sleep(latencyMillis);
              request.respond(ok("page " + request.pathParam("number")));
            })
        .start();
  }

  private static String sentence(Map<String, Double> millis, long latencyMillis) {
    Comparator<Map.Entry<String, Double>> byTime = Map.Entry.comparingByValue();
    var slowest = millis.entrySet().stream().max(byTime).orElseThrow();
    var quickest = millis.entrySet().stream().min(byTime).orElseThrow();
    return "%d pages of %d ms each take %.1f times one page's latency with %s, the slowest, and %.1f with %s, the quickest."
        .formatted(
            PAGES,
            latencyMillis,
            slowest.getValue() / latencyMillis,
            slowest.getKey(),
            quickest.getValue() / latencyMillis,
            quickest.getKey());
  }
}
