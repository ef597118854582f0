package dev.kermes.server.testing;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import dev.kermes.testing.StreamReplies;
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

  /** 500 keys: 20,000 keys took 5 seconds one by one. */
  private static final int BATCH = 500;

  private KeyspaceState() {}

  /** A description of each value by {@code database/key}. */
  public static Map<String, String> of(RespSocket redis) throws IOException {
    Map<String, String> state = new TreeMap<>();
    for (int database = 0; database < DATABASES; database++) {
      redis.call("SELECT", Integer.toString(database));
      List<String> keys =
          redis.call("KEYS", "*").elements().stream().map(KeyspaceState::payload).toList();
      for (int from = 0; from < keys.size(); from += BATCH) {
        List<String> batch = keys.subList(from, Math.min(from + BATCH, keys.size()));
        List<String> described = describe(redis, batch);
        for (int i = 0; i < batch.size(); i++) {
          state.put(database + "/" + batch.get(i), described.get(i));
        }
      }
    }
    redis.call("SELECT", "0");
    return state;
  }

  /** The type of a key, whether it expires, and its content. */
  public static String describe(RespSocket redis, String key) throws IOException {
    return describe(redis, List.of(key)).getFirst();
  }

  /** Does the same for some keys in two pipelines, apart from the contents of collections. */
  private static List<String> describe(RespSocket redis, List<String> keys) throws IOException {
    for (String key : keys) {
      redis.send("TYPE", key);
      redis.send("PTTL", key);
    }
    List<String> types = new ArrayList<>();
    List<String> expiries = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      types.add(redis.read().text());
      expiries.add(redis.read().text().startsWith("-") ? "" : ", expires");
    }
    for (int i = 0; i < keys.size(); i++) {
      if (types.get(i).equals("string")) redis.send("GET", keys.get(i));
    }
    List<String> strings = new ArrayList<>();
    for (String type : types) strings.add(type.equals("string") ? payload(redis.read()) : "");
    List<String> described = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      String type = types.get(i);
      String content = strings.get(i) + collection(redis, type, keys.get(i));
      described.add(type + expiries.get(i) + ": " + content);
    }
    return described;
  }

  /** The content of a collection; empty for other types. */
  private static String collection(RespSocket redis, String type, String key) throws IOException {
    return switch (type) {
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
