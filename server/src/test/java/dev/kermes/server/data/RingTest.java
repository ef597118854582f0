package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RingTest {

  @Test
  void randomOperations_matchAnArrayList() {
    Random random = new Random(3);
    Ring<Integer> ring = new Ring<>();
    List<Integer> model = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (model.isEmpty() || random.nextInt(100) < (step / 500 % 2 == 0 ? 70 : 30)) {
        int index = random.nextInt(model.size() + 1);
        ring.insert(index, step);
        model.add(index, step);
      } else {
        int index = random.nextInt(model.size());
        ring.remove(index);
        model.subList(index, index + 1).clear();
      }
      if (step % 50 == 0) assertThat(elements(ring)).isEqualTo(model);
    }
  }

  private static List<Integer> elements(Ring<Integer> ring) {
    List<Integer> elements = new ArrayList<>();
    for (int i = 0; i < ring.size(); i++) elements.add(ring.get(i));
    return elements;
  }

  @Test
  void get_outside_throws() {
    Ring<Integer> ring = new Ring<>();
    assertThatThrownBy(ring::first).isInstanceOf(IndexOutOfBoundsException.class);
    ring.add(1);
    assertThatThrownBy(() -> ring.get(1)).hasMessage("ring: index=1, size=1");
  }
}
