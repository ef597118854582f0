package dev.kermes.lab;

import dev.kermes.bench.IsolatedClojure;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What runs go blocks, each with a Clojure of its own. It is made when first asked for and kept for
 * all experiments: it compiles core.async for itself, which takes seconds.
 */
enum Dispatch {
  /** core.async 1.6: eight threads, as in the article. */
  POOL_OF_8("pool of 8"),

  /** core.async 1.9: a thread for every go block that finds none idle. */
  TODAY("today");

  private static final Map<Dispatch, IsolatedClojure> WORLDS = new ConcurrentHashMap<>();

  /** How rows and series call it. */
  final String label;

  Dispatch(String label) {
    this.label = label;
  }

  IsolatedClojure world() {
    return WORLDS.computeIfAbsent(
        this, key -> key == TODAY ? IsolatedClojure.standard() : IsolatedClojure.oldest());
  }

  /** By name, what the function {@code ways} of one of our namespaces returns. */
  Map<String, Runnable> ways(String namespace, Object... arguments) {
    Map<String, Runnable> ways = new LinkedHashMap<>();
    world()
        .call("kermes.lab." + namespace + "/ways", arguments)
        .forEach((name, way) ->
            ways.put(name.equals("go") ? go() : String.valueOf(name), (Runnable) way));
    return ways;
  }

  /** The same: go blocks with each dispatch, all other ways with today's core.async. */
  static Map<String, Runnable> compare(String namespace, Object... arguments) {
    Map<String, Runnable> pool = POOL_OF_8.ways(namespace, arguments);
    pool.keySet().retainAll(Set.of(POOL_OF_8.go()));
    Map<String, Runnable> ways = new LinkedHashMap<>();
    TODAY
        .ways(namespace, arguments)
        .forEach((name, way) -> {
          if (name.equals(TODAY.go())) ways.putAll(pool);
          ways.put(name, way);
        });
    return ways;
  }

  /** The name of go blocks with this dispatch. */
  String go() {
    return "go, " + label;
  }

  /** Adds the versions that it runs with to the findings. */
  Findings addVersions(Findings findings) {
    world()
        .call("kermes.lab.dispatch/versions")
        .forEach((name, version) -> findings.version(name + ", " + label, String.valueOf(version)));
    return findings;
  }

  /** Adds those of both. */
  static Findings addAllVersions(Findings findings) {
    for (Dispatch dispatch : values()) dispatch.addVersions(findings);
    return findings;
  }
}
