package dev.kermes.bench.peers;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.RepositoryRoot;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The servers to measure, and those that are not installed. */
public record Peers(List<Peer> present, List<String> missing) {

  /** The folder where {@code bench/fetch-peers} puts the newest Redis and Valkey. */
  private static final String FETCHED = "target/peers/bin";

  /** The value of the option save for a server that saves only when a client says so. */
  private static final String NO_SAVE_POINTS = "";

  /**
   * Finds ours in each configuration, the other servers, the naive designs if requested, and the
   * servers named by {@code --peer}.
   */
  public static Peers find(Options options, boolean withLoops, boolean withNaive) {
    Peers peers = new Peers(new ArrayList<>(), new ArrayList<>());
    peers.addKermes(withLoops);
    peers.addOther("redis-server", find("REDIS_SERVER", "redis-server"), "");
    peers.addOther("redis-newest", fetched("redis-server"), "run bench/fetch-peers");
    Path valkey = find("VALKEY_SERVER", "valkey-server");
    peers.addOther(
        "valkey-server",
        valkey == null ? fetched("valkey-server") : valkey,
        "set VALKEY_SERVER or run bench/fetch-peers");
    if (withNaive) peers.addNaive();
    for (String guest : options.all("--peer")) peers.present.add(guest(guest));
    peers.present.removeIf(peer -> !options.admits(peer.name()));
    peers.missing.removeIf(name -> !options.admits(name));
    return peers;
  }

  /** Returns the same peers; those that are to be started get further options. */
  public Peers with(String... options) {
    return new Peers(present.stream().map(peer -> peer.with(options)).toList(), missing);
  }

  /** Returns the peers whose names pass the filter. */
  public Peers only(Predicate<String> admits) {
    return new Peers(
        present.stream().filter(peer -> admits.test(peer.name())).toList(),
        missing.stream().filter(admits).toList());
  }

  private void addKermes(boolean withLoops) {
    String launcher = RepositoryRoot.root().resolve("kermes").toString();
    present.add(
        Peer.started("kermes", launcher, "server", "--port", Peer.PORT, "--save", NO_SAVE_POINTS));
    if (!withLoops) return;
    int cores = Runtime.getRuntime().availableProcessors();
    for (int loops = 1; loops <= cores; loops += Math.max(1, cores - 1)) {
      present.add(
          Peer.started(
              "kermes loops=" + loops,
              launcher,
              "server",
              "--port",
              Peer.PORT,
              "--save",
              NO_SAVE_POINTS,
              "--loops",
              Integer.toString(loops)));
    }
  }

  private void addOther(String name, @Nullable Path program, String remedy) {
    if (program == null) {
      missing.add(name + (remedy.isEmpty() ? "" : " (" + remedy + ")"));
      return;
    }
    present.add(
        Peer.started(
            name,
            program.toString(),
            "--port",
            Peer.PORT,
            "--bind",
            "127.0.0.1",
            "--save",
            NO_SAVE_POINTS,
            "--appendonly",
            "no"));
  }

  private void addNaive() {
    for (String threads : List.of("platform", "virtual")) {
      present.add(
          Peer.java(
              "naive " + threads,
              List.of(),
              "dev.kermes.bench.alternatives.NaiveServer",
              threads,
              Peer.PORT));
    }
  }

  private static Peer guest(String text) {
    int equals = text.indexOf('=');
    int colon = text.lastIndexOf(':');
    if (equals <= 0 || colon < equals) {
      throw new BenchmarkException("expected --peer name=host:port, got " + text);
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    String host = text.substring(equals + 1, colon);
    return Peer.running(text.substring(0, equals), new InetSocketAddress(host, port));
  }

  /** Finds a program by an environment variable, or else on the PATH. */
  public static @Nullable Path find(String variable, String program) {
    String told = System.getenv(variable);
    if (told != null) return Path.of(told);
    String path = System.getenv("PATH");
    for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
      Path file = Path.of(folder, program);
      if (Files.isExecutable(file)) return file;
    }
    return null;
  }

  private static @Nullable Path fetched(String program) {
    Path file = RepositoryRoot.root().resolve(FETCHED).resolve(program);
    return Files.isExecutable(file) ? file : null;
  }
}
