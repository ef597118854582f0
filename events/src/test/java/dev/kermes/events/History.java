package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.reactor.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events that handlers of all members have handled, in order. The payloads of a key are the
 * numbers from 0. A repetition after a fault is a suffix: {@code 0 1 2 | 1 2 3}, never {@code 0 2
 * 1}.
 */
final class History {

  private final Map<String, List<Integer>> byKey = new LinkedHashMap<>();
  private final Map<String, Long> tokens = new LinkedHashMap<>();

  synchronized void add(Event<?> event) {
    byKey
        .computeIfAbsent(event.key(), key -> new ArrayList<>())
        .add(Integer.parseInt(event.payload().toString()));
    tokens.merge(event.key(), event.meta().token(), Math::max);
  }

  /** How many different events have been handled. */
  synchronized long distinct() {
    return byKey.values().stream().mapToLong(each -> each.stream().distinct().count()).sum();
  }

  synchronized long all() {
    return byKey.values().stream().mapToLong(List::size).sum();
  }

  synchronized List<Integer> of(String key) {
    return List.copyOf(byKey.getOrDefault(key, List.of()));
  }

  synchronized long token(String key) {
    return tokens.getOrDefault(key, 0L);
  }

  /** Checks that each event was handled after the one before it in its key. */
  synchronized void checkOrder() {
    byKey.forEach((key, numbers) -> {
      int highest = -1;
      for (int number : numbers) {
        assertThat(number).as("%s: %s", key, numbers).isLessThanOrEqualTo(highest + 1);
        highest = Math.max(highest, number);
      }
    });
  }
}
