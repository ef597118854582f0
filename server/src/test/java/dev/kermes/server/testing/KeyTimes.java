package dev.kermes.server.testing;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The time at which each key of a server, and each field of its hashes, expires, in Unix
 * milliseconds.
 */
public final class KeyTimes {

  private KeyTimes() {}

  public static Map<String, String> of(RespSocket redis) throws IOException {
    Map<String, String> times = new TreeMap<>();
    for (int database = 0; database < 16; database++) {
      redis.call("SELECT", Integer.toString(database));
      for (RespReply name : redis.call("KEYS", "*").elements()) {
        String key = payload(name);
        times.put(database + "/" + key, redis.call("PEXPIRETIME", key).text());
        if (redis.call("TYPE", key).text().equals("hash")) {
          times.put(database + "/" + key + " fields", ofFields(redis, key));
        }
      }
    }
    redis.call("SELECT", "0");
    return times;
  }

  private static String ofFields(RespSocket redis, String key) throws IOException {
    List<String> command = new ArrayList<>(List.of("HPEXPIRETIME", key, "FIELDS"));
    List<String> fields =
        redis.call("HKEYS", key).sorted(1).elements().stream().map(KeyTimes::payload).toList();
    command.add(Integer.toString(fields.size()));
    command.addAll(fields);
    return redis.call(command).toString();
  }

  private static String payload(RespReply bulk) {
    return bulk.text().substring(bulk.text().indexOf(':') + 1);
  }
}
