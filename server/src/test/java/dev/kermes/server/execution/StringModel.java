package dev.kermes.server.execution;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Numbers in two keys, changed by commands, and by scripts and functions that read them first. */
final class StringModel implements SequentialModel {

  private static final String ADD =
      "local sum = (redis.call('GET', KEYS[1]) or 0) + ARGV[1]"
          + " redis.call('SET', KEYS[1], sum) return sum";

  private static final String EXCHANGE =
      "local function put(key, value)"
          + " if value then redis.call('SET', key, value) else redis.call('DEL', key) end end"
          + " local first, second = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])"
          + " put(KEYS[1], second) put(KEYS[2], first)"
          + " return {first or 'none', second or 'none'}";

  /** {@code ADD} and {@code EXCHANGE} as functions. */
  static final String LIBRARY =
      "#!lua name=model\n" + function("add", ADD) + function("exchange", EXCHANGE);

  private static String function(String name, String body) {
    return "redis.register_function('" + name + "', function(KEYS, ARGV) " + body + " end)\n";
  }

  @Override
  public List<String> command(Random random) {
    boolean isFirst = random.nextBoolean();
    String key = isFirst ? "a" : "b";
    String other = isFirst ? "b" : "a";
    String value = Integer.toString(random.nextInt(100));
    return switch (random.nextInt(12)) {
      case 0 -> List.of("SET", key, value);
      case 1 -> List.of("GET", key);
      case 2 -> List.of("INCR", key);
      case 3 -> List.of("GETSET", key, value);
      case 4 -> List.of("GETDEL", key);
      case 5 -> List.of("MSET", "a", value, "b", value);
      case 6 -> List.of("MGET", "a", "b");
      case 7 -> List.of("EVAL", ADD, "1", key, value);
      case 8 -> List.of("FCALL", "add", "1", key, value);
      case 9 -> List.of("EVAL", EXCHANGE, "2", key, other);
      case 10 -> List.of("FCALL", "exchange", "2", key, other);
      default -> List.of("SET", key, value, "NX");
    };
  }

  @Override
  public String apply(List<String> command, Map<String, String> data) {
    String key = command.get(1);
    String old = data.get(key);
    switch (command.getFirst()) {
      case "SET":
        if (command.size() > 3 && old != null) return SequentialModel.bulk(null);
        data.put(key, command.get(2));
        return "+OK";
      case "GET":
        return SequentialModel.bulk(old);
      case "INCR":
        return add(data, key, 1);
      case "GETSET":
        data.put(key, command.get(2));
        return SequentialModel.bulk(old);
      case "GETDEL":
        data.remove(key);
        return SequentialModel.bulk(old);
      case "MSET":
        data.put("a", command.get(2));
        data.put("b", command.get(4));
        return "+OK";
      case "MGET":
        return pair(data.get("a"), data.get("b"));
      default: // EVAL and FCALL: two keys for an exchange, one for an addition
        if (command.get(2).equals("2")) return exchange(data, command.get(3), command.get(4));
        return add(data, command.get(3), Long.parseLong(command.get(4)));
    }
  }

  private static String add(Map<String, String> data, String key, long number) {
    data.merge(
        key, Long.toString(number), (old, n) -> "" + (Long.parseLong(old) + Long.parseLong(n)));
    return ":" + data.get(key);
  }

  private static String exchange(Map<String, String> data, String firstKey, String secondKey) {
    String first = data.remove(firstKey);
    String second = data.remove(secondKey);
    if (second != null) data.put(firstKey, second);
    if (first != null) data.put(secondKey, first);
    return pair(first == null ? "none" : first, second == null ? "none" : second);
  }

  private static String pair(@Nullable String first, @Nullable String second) {
    return SequentialModel.array(
        List.of(SequentialModel.bulk(first), SequentialModel.bulk(second)));
  }
}
