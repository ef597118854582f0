package dev.kermes.server.command.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** LPOS, LREM and LINSERT against a model, with elements of all encodings. */
final class ListSearchTest extends FamilyTest {

  private static final int ROUNDS = 60;

  private static final List<String> ELEMENTS =
      List.of(
          "a",
          "b",
          "e:1",
          "e:2",
          "1",
          "2",
          "-3",
          "300",
          "1234567890123",
          "01",
          "exactly8",
          "nine-long",
          "x".repeat(63),
          "x".repeat(64),
          "y".repeat(5000));

  private final Random random = new Random(1);

  private List<String> push() throws IOException {
    int size = 1 + random.nextInt(random.nextBoolean() ? 20 : 300);
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) elements.add(element());
    call("DEL l");
    call("RPUSH", "l", elements.toArray(new String[0]));
    return elements;
  }

  private String element() {
    return ELEMENTS.get(random.nextInt(ELEMENTS.size()));
  }

  private static String integers(List<Integer> integers) {
    if (integers.isEmpty()) return "*0";
    return integers.stream()
        .map(each -> ":" + each)
        .collect(Collectors.joining(", ", "*" + integers.size() + "[", "]"));
  }

  @Test
  void lpos_equalsTheModel() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      List<String> elements = push();
      String sought = element();
      int rank = 1 + random.nextInt(3);
      int count = random.nextInt(4);
      int compared = random.nextInt(elements.size() + 1);
      boolean isBackwards = random.nextBoolean();
      List<Integer> found = new ArrayList<>();
      int size = elements.size();
      for (int i = 0; i < (compared == 0 ? size : compared); i++) {
        int index = isBackwards ? size - 1 - i : i;
        if (elements.get(index).equals(sought)) found.add(index);
      }
      found = found.subList(Math.min(rank - 1, found.size()), found.size());
      String options = " RANK " + (isBackwards ? -rank : rank) + " MAXLEN " + compared;
      assertThat(call("LPOS l " + sought + options))
          .isEqualTo(found.isEmpty() ? "$-1" : ":" + found.get(0));
      int most = count == 0 ? found.size() : Math.min(count, found.size());
      assertThat(call("LPOS l " + sought + options + " COUNT " + count))
          .isEqualTo(integers(found.subList(0, most)));
    }
  }

  @Test
  void lrem_equalsTheModel() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      List<String> elements = push();
      String sought = element();
      int count = random.nextInt(-3, 4);
      List<Integer> found = new ArrayList<>(indexes(elements, sought));
      if (count < 0) Collections.reverse(found);
      if (count != 0) found = found.subList(0, Math.min(Math.abs(count), found.size()));
      List<String> left = new ArrayList<>();
      for (int i = 0; i < elements.size(); i++) if (!found.contains(i)) left.add(elements.get(i));
      assertThat(call("LREM l " + count + " " + sought)).isEqualTo(":" + found.size());
      assertHolds(left);
    }
  }

  private static List<Integer> indexes(List<String> elements, String sought) {
    return IntStream.range(0, elements.size())
        .filter(i -> elements.get(i).equals(sought))
        .boxed()
        .toList();
  }

  @Test
  void linsert_equalsTheModel() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      List<String> elements = push();
      String pivot = element();
      boolean isBefore = random.nextBoolean();
      int at = elements.indexOf(pivot);
      if (at >= 0) elements.add(isBefore ? at : at + 1, "new");
      assertThat(call("LINSERT l " + (isBefore ? "BEFORE " : "AFTER ") + pivot + " new"))
          .isEqualTo(at < 0 ? ":-1" : ":" + elements.size());
      assertHolds(elements);
    }
  }

  private static void assertHolds(List<String> elements) throws IOException {
    String array =
        elements.stream()
            .map(each -> "$" + each.length() + ":" + each)
            .collect(Collectors.joining(", ", "*" + elements.size() + "[", "]"));
    assertThat(call("LRANGE l 0 -1")).isEqualTo(elements.isEmpty() ? "*0" : array);
  }
}
