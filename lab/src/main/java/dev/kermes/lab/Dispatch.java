package dev.kermes.lab;

import dev.kermes.bench.client.IsolatedClojure;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The dispatchers of go blocks, each with its own Clojure runtime. A runtime is created on first
 * use and kept for all experiments, because it compiles core.async, which takes seconds.
 */
enum Dispatch {
  /** core.async 1.6: eight threads, as in the article. */
  POOL_OF_8("pool of 8"),

  /** core.async 1.9: a new thread for every go block, unless one is idle. */
  TODAY("today");

  private static final Map<Dispatch, IsolatedClojure> WORLDS = new ConcurrentHashMap<>();

  /** The name in rows and series. */
  final String label;

  Dispatch(String label) {
    this.label = label;
  }

  IsolatedClojure world() {
    return WORLDS.computeIfAbsent(
        this, key -> key == TODAY ? IsolatedClojure.standard() : IsolatedClojure.oldest());
  }

  /** The functions that {@code ways} of one of the lab's namespaces returns, by name. */
  Map<String, Runnable> ways(String namespace, Object... arguments) {
    Map<String, Runnable> ways = new LinkedHashMap<>();
    world()
        .call("kermes.lab." + namespace + "/ways", arguments)
        .forEach((name, way) ->
            ways.put(name.equals("go") ? go() : String.valueOf(name), (Runnable) way));
    return ways;
  }

  /** The same functions: go blocks with each dispatcher, all others with the current core.async. */
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

  /** The name of go blocks with this dispatcher. */
  String go() {
    return "go, " + label;
  }

  /** Adds the versions of its libraries to the findings. */
  Findings addVersions(Findings findings) {
    world()
        .call("kermes.lab.dispatch/versions")
        .forEach((name, version) -> findings.version(name + ", " + label, String.valueOf(version)));
    return findings;
  }

  /** Adds the versions of both dispatchers. */
  static Findings addAllVersions(Findings findings) {
    for (Dispatch dispatch : values()) dispatch.addVersions(findings);
    return findings;
  }
}
