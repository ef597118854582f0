package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.resp.ReplyReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options and users of a server at the start of the tests, and the return to them. Everything
 * else is empty at the start.
 *
 * <pre>
 *   first    end scripts, replication and pauses; read options, users and clients
 *   then     set what differs, delete everything
 * </pre>
 *
 * Options come before the data: {@code min-replicas-to-write}, for instance, would refuse FLUSHALL.
 */
final class ServerState {

  /** Fail on a server that has nothing of the kind; the last is not for nodes of a deployment. */
  private static final List<List<String>> ENDINGS =
      List.of(
          List.of("SCRIPT", "KILL"),
          List.of("FUNCTION", "KILL"),
          List.of("REPLICAOF", "NO", "ONE"));

  private static final List<List<String>> VIEWS =
      List.of(List.of("CONFIG", "GET", "*"), List.of("ACL", "LIST"), List.of("CLIENT", "LIST"));

  /** Deletions that a replica gets from its master. */
  private static final List<List<String>> DELETIONS =
      List.of(List.of("FLUSHALL"), List.of("FUNCTION", "FLUSH"));

  private static final List<List<String>> CLEARINGS =
      List.of(
          List.of("SCRIPT", "FLUSH"),
          List.of("CONFIG", "RESETSTAT"),
          List.of("SLOWLOG", "RESET"),
          List.of("LATENCY", "RESET"),
          List.of("ACL", "LOG", "RESET"));

  private static final Pattern PORT = Pattern.compile(" addr=\\S+:(\\d+)");
  private static final Pattern STATE =
      Pattern.compile(" flags=\\w*[bO]\\w* | (?:sub|psub|ssub|watch)=[1-9]| multi=\\d");

  private final Map<String, String> options;
  private final Map<String, String> users;

  private ServerState(Map<String, String> options, Map<String, String> users) {
    this.options = options;
    this.users = users;
  }

  /** Reads the state at the start. */
  static ServerState read(ControlConnection control) throws IOException {
    List<ReplyReader> views = required(control.callAll(VIEWS.subList(0, 2)));
    return new ServerState(readOptions(views.get(0)), readUsers(views.get(1)));
  }

  /**
   * Returns the server to this state.
   *
   * @return the ports by which the server knows the connections that subscribe, wait, watch keys,
   *     or are in a transaction: they should be closed
   */
  Set<Integer> restore(ControlConnection control) throws IOException {
    control.callAll(ENDINGS);
    return restore(control, true);
  }

  /** The same for a node of a cluster, or one that sentinels watch: its role stays. */
  Set<Integer> restoreNode(ControlConnection control, boolean isMaster) throws IOException {
    control.callAll(ENDINGS.subList(0, 2));
    return restore(control, isMaster);
  }

  private Set<Integer> restore(ControlConnection control, boolean isMaster) throws IOException {
    required(control.callAll(List.of(List.of("CLIENT", "UNPAUSE"))));
    List<ReplyReader> views = required(control.callAll(VIEWS));
    List<List<String>> commands = new ArrayList<>();
    addOptions(readOptions(views.get(0)), commands);
    addUsers(readUsers(views.get(1)), commands);
    if (isMaster) commands.addAll(DELETIONS);
    commands.addAll(CLEARINGS);
    required(control.callAll(commands));
    return busyPorts(String.valueOf(views.get(2).readString()));
  }

  private static List<ReplyReader> required(List<ReplyReader> replies) throws IOException {
    for (ReplyReader each : replies) ControlConnection.require(each);
    return replies;
  }

  // Options

  private static Map<String, String> readOptions(ReplyReader reply) {
    Map<String, String> options = new HashMap<>();
    for (int left = reply.readMap(); left > 0; left--) {
      options.put(reply.readString(), reply.readString());
    }
    return options;
  }

  private void addOptions(Map<String, String> present, List<List<String>> commands) {
    options.forEach((name, value) -> {
      if (!value.equals(present.get(name))) {
        commands.add(List.of("CONFIG", "SET", name, value));
      }
    });
  }

  // Users

  /** The rules of each user, as ACL LIST writes them. */
  private static Map<String, String> readUsers(ReplyReader reply) {
    Map<String, String> users = new LinkedHashMap<>();
    for (int left = reply.readArray(); left > 0; left--) {
      String[] parts = String.valueOf(reply.readString()).split(" ", 3);
      users.put(parts[1], parts[2]);
    }
    return users;
  }

  private void addUsers(Map<String, String> present, List<List<String>> commands) {
    for (String name : present.keySet()) {
      if (!users.containsKey(name)) commands.add(List.of("ACL", "DELUSER", name));
    }
    users.forEach((name, rules) -> {
      if (!rules.equals(present.get(name))) commands.add(setUser(name, rules));
    });
  }

  private static List<String> setUser(String name, String rules) {
    List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", name, "reset"));
    Matcher rule = Pattern.compile("\\([^)]*\\)|\\S+").matcher(rules);
    while (rule.find()) words.add(rule.group());
    return words;
  }

  // Clients

  private static Set<Integer> busyPorts(String clients) {
    Set<Integer> ports = new TreeSet<>();
    for (String line : clients.split("\n")) {
      Matcher port = PORT.matcher(line);
      if (STATE.matcher(line).find() && port.find()) ports.add(Integer.valueOf(port.group(1)));
    }
    return ports;
  }

  /** Waits until the server has noticed that connections have been closed. */
  static void awaitEnd(ControlConnection control, Set<Integer> ports) throws IOException {
    Set<Integer> left = new TreeSet<>(ports);
    while (!left.isEmpty()) {
      ReplyReader reply = required(control.callAll(VIEWS.subList(2, 3))).get(0);
      left.retainAll(busyPorts(String.valueOf(reply.readString())));
    }
  }

  // Keys

  /** A heading, and a line for each of at most {@code max} keys of the present database. */
  static List<String> describeKeys(ControlConnection control, int max) throws IOException {
    List<ReplyReader> replies =
        required(
            control.callAll(
                List.of(List.of("DBSIZE"), List.of("SCAN", "0", "COUNT", String.valueOf(max)))));
    ReplyReader scan = replies.get(1);
    scan.readArray();
    scan.skip();
    Set<String> keys = new TreeSet<>();
    for (int left = scan.readArray(); left > 0; left--) keys.add(String.valueOf(scan.readString()));
    List<String> shown = keys.stream().limit(max).toList();
    List<String> lines = new ArrayList<>();
    lines.add("keys: " + shown.size() + " of " + replies.get(0).readLong());
    for (String key : shown) lines.add("  " + describe(control, key));
    return lines;
  }

  private static String describe(ControlConnection control, String key) throws IOException {
    List<ReplyReader> replies =
        required(control.callAll(List.of(List.of("TYPE", key), List.of("PTTL", key))));
    long millis = replies.get(1).readLong();
    String expiry = millis < 0 ? "" : ", expires in " + millis + " ms";
    return Request.shown(key.getBytes(UTF_8)) + ": " + replies.get(0).readString() + expiry;
  }
}
