import dev.kermes.server.RedisServer;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.cluster.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves the nodes of clusters for the suites of Redis and Valkey, which start a process for each
 * node, while ours live in one JVM:
 *
 * <pre>
 *   the suite -> conformance/cluster-node, a process  <- connection ->  a node in this JVM
 * </pre>
 *
 * A node lives as long as the connection; a suspended process freezes its node. Nodes that are alive
 * at the same time form a group, in which MEET introduces them; a node that starts again in its folder
 * has its former id.
 *
 * <p>Run by {@code conformance/run --cluster}; the argument is the port.
 */
final class NodeHost {

  /** Options about the process, and those that a node of the test kit has of itself. */
  private static final Set<String> NOT_HERE =
      Set.of("cluster-enabled", "daemonize", "dir", "logfile", "pidfile", "port", "unixsocket");

  private static final int POLL_MILLIS = 20;

  private Topology topology = new Topology(new Random(1));
  private final Map<Path, ClusterNode> nodes = new HashMap<>();

  /** The running nodes by the ids of their processes. */
  private final Map<Long, ClusterNode> running = new ConcurrentHashMap<>();

  private NodeHost() {}

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[0]);
    NodeHost host = new NodeHost();
    Thread.ofVirtual().start(host::watchProcesses);
    try (ServerSocket listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket connection = listener.accept();
        Thread.ofPlatform().daemon().start(() -> host.serve(connection));
      }
    }
  }

  /** Serves one node: the first line has process id, folder and configuration file. */
  private void serve(Socket connection) {
    try (connection;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(connection.getOutputStream(), true)) {
      String line = in.readLine();
      if (line == null) return;
      String[] words = line.split("\t");
      long pid = Long.parseLong(words[0]);
      Path folder = Path.of(words[1]);
      run(pid, folder, folder.resolve(words[2]), in, out, connection);
    } catch (IOException e) {
      System.err.println("lost a process: " + e);
    }
  }

  private void run(
      long pid, Path folder, Path file, BufferedReader in, PrintStream out, Socket connection)
      throws IOException {
    Map<String, String> options = options(file);
    Path home = folder.resolve(options.getOrDefault("dir", ".")).normalize();
    ClusterNode node = join(pid, home);
    try (RedisServer server = start(node, home, file, options, out)) {
      out.println("kermes PID: " + pid + ", Server initialized");
      out.println("Ready to accept connections");
      Thread.ofVirtual().start(() -> closeWhenEnded(server, connection));
      while (in.readLine() != null) continue; // until its end
      node.thaw(); // a frozen one could not end
      server.closeWithoutSaving();
    } catch (UncheckedIOException e) {
      out.println("Failed listening on port " + options.get("port") + ": " + e.getMessage());
    } finally {
      running.remove(pid);
    }
  }

  /** Makes the process end after SHUTDOWN. */
  private static void closeWhenEnded(RedisServer server, Socket connection) {
    try (connection) {
      server.awaitClosed();
    } catch (IOException | InterruptedException e) {
      // It ends in any case.
    }
  }

  /** The node of a folder: the former one, or a new one of the group that is alive. */
  private synchronized ClusterNode join(long pid, Path home) {
    ClusterNode node = nodes.get(home);
    if (node == null) {
      if (running.isEmpty()) {
        nodes.clear();
        topology = new Topology(new Random(1));
      }
      node = topology.newNode();
      topology.leave(node); // until the suite introduces it
      topology.renew(node);
      nodes.put(home, node);
    }
    running.put(pid, node);
    return node;
  }

  private static RedisServer start(
      ClusterNode node, Path home, Path file, Map<String, String> options, PrintStream out) {
    RedisServer.Builder builder =
        RedisServer.builder().loops(1).node(node).port(Integer.parseInt(options.get("port")));
    builder.option("dir", home.toString()).configFile(file);
    options.forEach((name, value) -> {
      if (NOT_HERE.contains(name)) return;
      try {
        builder.option(name, value);
      } catch (IllegalArgumentException e) {
        out.println("ignored: " + e.getMessage());
      }
    });
    RedisServer server = builder.start();
    if (node.isFailed()) node.topology().found(node);
    return server;
  }

  private static Map<String, String> options(Path file) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.strip().split("\\s+", 2);
      if (words.length < 2 || words[0].startsWith("#")) continue;
      boolean isQuoted = words[1].matches("'.*'|\".*\"");
      options.put(
          words[0], isQuoted ? words[1].substring(1, words[1].length() - 1) : words[1]);
    }
    return options;
  }

  /** Freezes the nodes of suspended processes. */
  private void watchProcesses() {
    Set<Long> frozen = new HashSet<>();
    while (true) {
      for (Map.Entry<Long, ClusterNode> each : running.entrySet()) {
        boolean isStopped = isStopped(each.getKey());
        if (isStopped && each.getValue().isReachable() && frozen.add(each.getKey())) {
          each.getValue().freeze();
        } else if (!isStopped && frozen.remove(each.getKey())) {
          each.getValue().thaw();
        }
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static boolean isStopped(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).startsWith("T");
    } catch (IOException e) {
      return false; // it has ended
    }
  }
}
