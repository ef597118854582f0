package dev.kermes.bench.http;

import dev.kermes.bench.harness.Options;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP servers to compare: ours, nginx and Node if installed, and those from the registries.
 */
final class HttpPeers {

  private final Path folder;
  private final Path files;
  private final List<Peer> present = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  private HttpPeers(Path folder, Path files) {
    this.folder = folder;
    this.files = files;
  }

  /**
   * Finds the peers; {@code folder} is for their configuration, {@code files} is the folder that
   * they serve.
   */
  static Peers find(Options options, Path folder, Path files) throws IOException {
    HttpPeers peers = new HttpPeers(folder, files);
    String cores = Integer.toString(Runtime.getRuntime().availableProcessors());
    peers.addJava("kermes", "KermesHttp");
    peers.addJava("kermes loops=1", "KermesHttp", "1");
    peers.addJava("kermes io_uring", "KermesHttp", cores, "io_uring");
    peers.addNginx(Peers.find("NGINX", "nginx"));
    peers.addNode(Peers.find("NODE", "node"));
    peers.addJava("vert.x", "VertxHttp");
    peers.addJava("undertow", "UndertowHttp");
    peers.addJava("helidon", "HelidonHttp");
    peers.present.removeIf(peer -> !options.admits(peer.name()));
    peers.missing.removeIf(name -> !options.admits(name));
    return new Peers(peers.present, peers.missing);
  }

  private void addJava(String name, String program, String... more) {
    List<String> arguments = new ArrayList<>(List.of(Peer.PORT, files.toString()));
    arguments.addAll(List.of(more));
    String main = "dev.kermes.bench.peers." + program;
    present.add(Peer.java(name, List.of(), main, arguments.toArray(String[]::new)));
  }

  /** The configuration contains the port, so a shell writes it at the start. */
  private void addNginx(@Nullable Path program) throws IOException {
    if (program == null) {
      missing.add("nginx (apt-get install nginx-light)");
      return;
    }
    String text =
        resource("nginx.conf")
            .replace("%FOLDER%", folder.toString())
            .replace("%FILES%", files.toString());
    Path template = Files.writeString(folder.resolve("nginx.template"), text);
    String start =
        "sed s/@PORT@/%s/ '%s' > '%s/nginx-%s.conf' && exec '%s' -c '%s/nginx-%s.conf'"
            .formatted(Peer.PORT, template, folder, Peer.PORT, program, folder, Peer.PORT);
    present.add(Peer.started("nginx", "/bin/sh", "-c", start));
  }

  private void addNode(@Nullable Path program) throws IOException {
    if (program == null) {
      missing.add("node");
      return;
    }
    Path script = Files.writeString(folder.resolve("node-http.js"), resource("node-http.js"));
    for (String kind : List.of("single", "cluster")) {
      present.add(
          Peer.started(
              "node " + kind,
              program.toString(),
              script.toString(),
              Peer.PORT,
              files.toString(),
              kind));
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HttpPeers.class.getResourceAsStream(name)) {
      if (in == null) throw new IOException("missing: " + name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
