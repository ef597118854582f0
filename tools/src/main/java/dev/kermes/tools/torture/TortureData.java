package dev.kermes.tools.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.rediscli.CliConnection;
import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operations of a torture's client, and the data that they must leave. The n-th operation is
 * one of nine kinds in rotation, each of which leaves n in the data.
 */
final class TortureData {

  private static final int KINDS = 9;

  /** The index of the number of increments in the data. */
  private static final int COUNT = 6;

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final String SCRIPT =
      "redis.call('SET',KEYS[1],ARGV[1]) redis.call('SET',KEYS[2],ARGV[1])";

  private final String prefix;

  TortureData(String prefix) {
    this.prefix = prefix;
  }

  /** Returns the commands of an operation, 1 for the first one. */
  List<List<byte[]>> operation(long n) {
    String value = Long.toString(n);
    return switch ((int) (n % KINDS)) {
      case 0 -> one("SET", "string", value);
      case 1 -> one("RPUSH", "list", value);
      case 2 -> one("SADD", "set", value);
      case 3 -> one("HSET", "hash", "field" + n % 7, value);
      case 4 -> one("ZADD", "zset", value, "member" + n % 11);
      case 5 -> one("XADD", "stream", n + "-1", "n", value);
      case 6 -> one("INCR", "count");
      case 7 ->
          List.of(
              words("MULTI"),
              command("SET", "first", value),
              command("SET", "second", value),
              words("EXEC"));
      default -> List.of(words("EVAL", SCRIPT, "2", prefix + "third", prefix + "fourth", value));
    };
  }

  private List<List<byte[]>> one(String name, String key, String... arguments) {
    return List.of(command(name, key, arguments));
  }

  private List<byte[]> command(String name, String key, String... arguments) {
    List<byte[]> words = new ArrayList<>(words(name, prefix + key));
    words.addAll(words(arguments));
    return words;
  }

  /** The words of a command as it is sent. */
  static List<byte[]> words(String... words) {
    return List.of(words).stream().map(word -> word.getBytes(UTF_8)).toList();
  }

  /** Returns the data after {@code count} operations. */
  List<String> after(long count) {
    List<String> list = new ArrayList<>();
    TreeSet<String> set = new TreeSet<>();
    TreeMap<String, String> hash = new TreeMap<>();
    TreeMap<String, String> sortedSet = new TreeMap<>();
    List<String> stream = new ArrayList<>();
    for (long n = 1; n <= count; n++) {
      String value = Long.toString(n);
      switch ((int) (n % KINDS)) {
        case 1 -> list.add(value);
        case 2 -> set.add(value);
        case 3 -> hash.put("field" + n % 7, value);
        case 4 -> sortedSet.put("member" + n % 11, value);
        case 5 -> stream.add(n + "-1");
        default -> {}
      }
    }
    String transaction = lastOf(7, count);
    String script = lastOf(8, count);
    long increments = count < 6 ? 0 : (count - 6) / KINDS + 1;
    return List.of(
        lastOf(0, count),
        list.toString(),
        set.toString(),
        hash.toString(),
        sortedSet.toString(),
        stream.toString(),
        increments == 0 ? "" : Long.toString(increments),
        transaction,
        transaction,
        script,
        script);
  }

  /** Returns the last operation of a kind among the first ones; empty if there was none. */
  private static String lastOf(int kind, long count) {
    long last = count - Math.floorMod(count - kind, KINDS);
    return last <= 0 ? "" : Long.toString(last);
  }

  /** Reads the same data from a server. */
  List<String> in(CliConnection server) throws IOException {
    Map<String, String> hash = pairs(ask(server, command("HGETALL", "hash")));
    Map<String, String> sortedSet =
        pairs(ask(server, command("ZRANGE", "zset", "0", "-1", "WITHSCORES")));
    List<String> stream =
        ask(server, command("XRANGE", "stream", "-", "+")).elements().stream()
            .map(entry -> entry.elements().get(0).string())
            .toList();
    return List.of(
        ask(server, command("GET", "string")).string(),
        texts(ask(server, command("LRANGE", "list", "0", "-1"))).toString(),
        new TreeSet<>(texts(ask(server, command("SMEMBERS", "set")))).toString(),
        hash.toString(),
        sortedSet.toString(),
        stream.toString(),
        ask(server, command("GET", "count")).string(),
        ask(server, command("GET", "first")).string(),
        ask(server, command("GET", "second")).string(),
        ask(server, command("GET", "third")).string(),
        ask(server, command("GET", "fourth")).string());
  }

  private static Reply ask(CliConnection server, List<byte[]> command) throws IOException {
    server.send(command);
    Reply reply = server.receive();
    if (reply.isError()) throw new IOException(reply.string());
    return reply;
  }

  private static List<String> texts(Reply reply) {
    return reply.elements().stream().map(Reply::string).toList();
  }

  private static Map<String, String> pairs(Reply reply) {
    List<String> texts = texts(reply);
    Map<String, String> pairs = new TreeMap<>();
    for (int i = 0; i + 1 < texts.size(); i += 2) pairs.put(texts.get(i), texts.get(i + 1));
    return pairs;
  }

  /** Returns after how many operations a server has its data; -1 if after no number of them. */
  long count(CliConnection server) throws IOException {
    List<String> found = in(server);
    long count = last(found);
    return after(count).equals(found) ? count : -1;
  }

  /** Returns the last operation that left anything: no other leaves a higher number. */
  private static long last(List<String> found) {
    long last = 0;
    Matcher numbers = NUMBER.matcher(found.toString());
    while (numbers.find()) last = Math.max(last, Long.parseLong(numbers.group()));
    String increments = found.get(COUNT);
    return increments.isEmpty() ? last : Math.max(last, operationOf(Long.parseLong(increments)));
  }

  /** Returns the operation of an increment, 1 for the first one. */
  private static long operationOf(long increment) {
    return 6 + KINDS * (increment - 1);
  }
}
