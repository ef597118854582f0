package dev.kermes.server.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Two lists, and clients that wait for them. A waiting client is answered as if it had asked when
 * the element arrived or, if it waits in vain, at some moment when the list was empty. No client
 * waits for both lists: a script that fills both at once decides by its order, not the client's,
 * which list serves the client.
 */
final class ListModel implements SequentialModel {

  private static final String SECONDS = "0.005";

  private static final String PUSH_BOTH =
      "redis.call('RPUSH', KEYS[1], ARGV[1]) return redis.call('RPUSH', KEYS[2], ARGV[1])";

  @Override
  public List<String> command(Random random) {
    String key = random.nextBoolean() ? "l" : "m";
    String value = Integer.toString(random.nextInt(100));
    return switch (random.nextInt(8)) {
      case 0, 1 -> List.of("RPUSH", key, value);
      case 2 -> List.of("LPOP", key);
      case 3, 4 -> List.of("BLPOP", key, SECONDS);
      case 5 -> List.of("BLMOVE", "l", "m", "LEFT", "RIGHT", SECONDS);
      case 6 -> List.of("EVAL", PUSH_BOTH, "2", "l", "m", value);
      default -> List.of("LRANGE", key, "0", "-1");
    };
  }

  @Override
  public String apply(List<String> command, Map<String, String> data) {
    String key = command.get(1);
    switch (command.getFirst()) {
      case "RPUSH":
        return push(data, key, command.get(2));
      case "LPOP":
        return SequentialModel.bulk(pop(data, key));
      case "BLPOP":
        String popped = pop(data, key);
        if (popped == null) return SequentialModel.bulk(null);
        return SequentialModel.array(
            List.of(SequentialModel.bulk(key), SequentialModel.bulk(popped)));
      case "BLMOVE":
        String moved = pop(data, "l");
        if (moved != null) push(data, "m", moved);
        return SequentialModel.bulk(moved);
      case "EVAL":
        push(data, "l", command.get(5));
        return push(data, "m", command.get(5));
      default:
        List<String> all = elements(data, key).stream().map(SequentialModel::bulk).toList();
        return all.isEmpty() ? "*0" : SequentialModel.array(all);
    }
  }

  private static List<String> elements(Map<String, String> data, String key) {
    String list = data.get(key);
    return list == null ? List.of() : List.of(list.split(","));
  }

  private static String push(Map<String, String> data, String key, String value) {
    data.merge(key, value, (list, added) -> list + "," + added);
    return ":" + elements(data, key).size();
  }

  private static @Nullable String pop(Map<String, String> data, String key) {
    List<String> list = new ArrayList<>(elements(data, key));
    if (list.isEmpty()) return null;
    String first = list.removeFirst();
    if (list.isEmpty()) data.remove(key);
    else data.put(key, String.join(",", list));
    return first;
  }
}
