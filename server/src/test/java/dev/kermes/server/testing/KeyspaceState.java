package dev.kermes.server.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All data of a server, as its commands report them: for each key the type, whether it expires, and
 * the content, regardless of its encoding.
 */
public final class KeyspaceState {

  private static final int DATABASES = 16;

  private KeyspaceState() {}

  /** A description of each value by {@code database/key}. */
  public static Map<String, String> of(RespSocket redis) throws IOException {
    Map<String, String> state = new TreeMap<>();
    for (int database = 0; database < DATABASES; database++) {
      redis.call("SELECT", Integer.toString(database));
      for (RespReply name : redis.call("KEYS", "*").elements()) {
        String key = payload(name);
        state.put(database + "/" + key, describe(redis, key));
      }
    }
    redis.call("SELECT", "0");
    return state;
  }

  /** The type of a key, whether it expires, and its content. */
  public static String describe(RespSocket redis, String key) throws IOException {
    String type = redis.call("TYPE", key).text();
    String expiry = redis.call("PTTL", key).text().startsWith("-") ? "" : ", expires";
    return type + expiry + ": " + content(redis, type, key);
  }

  private static String content(RespSocket redis, String type, String key) throws IOException {
    return switch (type) {
      case "string" -> payload(redis.call("GET", key));
      case "list" -> redis.call("LRANGE", key, "0", "-1").toString();
      case "set" -> redis.call("SMEMBERS", key).sorted(1).toString();
      case "hash" -> redis.call("HGETALL", key).sorted(2).toString() + fieldExpiry(redis, key);
      case "zset" -> scores(redis.call("ZRANGE", key, "0", "-1", "WITHSCORES"));
      case "stream" ->
          redis.call("XRANGE", key, "-", "+")
              + " "
              + StreamReplies.comparable(redis.call("XINFO", "STREAM", key, "FULL", "COUNT", "0"));
      case "array" -> redis.call("ARSCAN", key, "0", "" + Long.MAX_VALUE).toString();
      default -> "";
    };
  }

  /** The fields that expire; empty for a server without field expiry. */
  private static String fieldExpiry(RespSocket redis, String key) throws IOException {
    List<String> command = new ArrayList<>(List.of("HPTTL", key, "FIELDS"));
    List<String> fields =
        redis.call("HKEYS", key).sorted(1).elements().stream().map(KeyspaceState::payload).toList();
    command.add(Integer.toString(fields.size()));
    command.addAll(fields);
    List<String> expiring = new ArrayList<>();
    List<RespReply> times = redis.call(command).elements();
    for (int i = 0; i < times.size(); i++) {
      if (!times.get(i).text().startsWith("-")) expiring.add(fields.get(i));
    }
    return expiring.isEmpty() ? "" : ", expiring " + expiring;
  }

  /** Members and scores; a score as a number, since versions print it with different digits. */
  private static String scores(RespReply reply) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < reply.elements().size(); i += 2) {
      String score = payload(reply.elements().get(i + 1)).replace("inf", "Infinity");
      double number = Double.parseDouble(score) + 0.0; // no sign of zero
      pairs.add(payload(reply.elements().get(i)) + "=" + number);
    }
    return pairs.toString();
  }

  private static String payload(RespReply bulk) {
    return bulk.text().substring(bulk.text().indexOf(':') + 1);
  }
}
