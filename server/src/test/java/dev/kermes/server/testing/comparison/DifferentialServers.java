package dev.kermes.server.testing.comparison;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import java.util.ArrayList;
import java.util.List;

/** Servers with the same low thresholds, so that values change their encodings early. */
public final class DifferentialServers {

  private static final List<String> OPTIONS =
      List.of(
          "list-max-listpack-size", "6",
          "hash-max-listpack-entries", "5",
          "set-max-intset-entries", "4",
          "zset-max-listpack-entries", "5",
          "hll-sparse-max-bytes", "300",
          "stream-node-max-entries", "5");

  private DifferentialServers() {}

  public static RedisServer ours() {
    return TestServers.with(OPTIONS.toArray(String[]::new))
        .option("set-max-listpack-entries", "6")
        .start();
  }

  /** The same options for the command line of the redis-server. */
  public static List<String> options() {
    List<String> options = new ArrayList<>();
    for (int i = 0; i < OPTIONS.size(); i += 2) {
      options.addAll(List.of("--" + OPTIONS.get(i), OPTIONS.get(i + 1)));
    }
    return options;
  }
}
