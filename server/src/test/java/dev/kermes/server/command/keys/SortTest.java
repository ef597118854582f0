package dev.kermes.server.command.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of SORT against a model, for elements that share their first bits as well. */
final class SortTest extends FamilyTest {

  private static final Comparator<String> BY_NUMBER =
      Comparator.comparingDouble(Double::parseDouble).thenComparing(Comparator.naturalOrder());

  private static void push(List<String> elements) throws IOException {
    call("DEL l");
    if (!elements.isEmpty()) call("RPUSH", "l", elements.toArray(new String[0]));
  }

  private static String array(List<String> elements) {
    if (elements.isEmpty()) return "*0";
    return elements.stream()
        .map(element -> "$" + element.length() + ":" + element)
        .collect(Collectors.joining(", ", "*" + elements.size() + "[", "]"));
  }

  private static void assertSorts(List<String> elements, Comparator<String> order, String options)
      throws IOException {
    push(elements);
    List<String> sorted = new ArrayList<>(elements);
    sorted.sort(order);
    assertThat(call("SORT l" + options)).isEqualTo(array(sorted));
    if (sorted.size() > 3) {
      assertThat(call("SORT l LIMIT 1 2" + options)).isEqualTo(array(sorted.subList(1, 3)));
    }
    Collections.reverse(sorted);
    assertThat(call("SORT l DESC" + options)).isEqualTo(array(sorted));
  }

  @ParameterizedTest(name = "{0} elements")
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 16, 17, 300, 2500})
  void sort_ofNumbers_equalsTheModel(int size) throws IOException {
    Random random = new Random(size);
    for (int round = 0; round < 14; round++) {
      List<String> elements = new ArrayList<>();
      for (int i = 0; i < size; i++) elements.add(number(random, round));
      assertSorts(elements, BY_NUMBER, "");
      assertSorts(elements, Comparator.naturalOrder(), " ALPHA");
    }
  }

  /**
   * Small integers, of which some are the same; others; decimals; numbers that hardly differ; longs
   * of any length; different ones that are the same double.
   */
  private static String number(Random random, int round) {
    return switch (round % 7) {
      case 0 -> Integer.toString(random.nextInt(-20, 20));
      case 1 -> Integer.toString(random.nextInt());
      case 2 -> Double.toString(random.nextDouble(-1, 1));
      case 3 -> "1.00000000000" + random.nextInt(1000);
      case 4 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 5 -> Long.toString((1L << 53) + random.nextInt(-4, 5));
      default -> random.nextInt(3) + (random.nextBoolean() ? ".0" : "");
    };
  }

  @Test
  void sort_ofSpecialNumbers() throws IOException {
    push(List.of("0", "-0", "inf", "-inf", "1e300", "-1e300", "5e-300", "-5e-300", "00", "1"));
    assertThat(call("SORT l"))
        .isEqualTo(
            array(
                List.of(
                    "-inf", "-1e300", "-5e-300", "-0", "0", "00", "5e-300", "1", "1e300", "inf")));
    push(List.of("1", "x"));
    assertThat(call("SORT l")).isEqualTo("-ERR One or more scores can't be converted into double");
  }

  @Test
  void sort_ofIntegers_storesAndGets() throws IOException {
    push(List.of("10", "-2", "7", "127", "300", "-5000", "70000"));
    List<String> sorted = List.of("-5000", "-2", "7", "10", "127", "300", "70000");
    assertThat(call("SORT l STORE d")).isEqualTo(":7");
    assertThat(call("LRANGE d 0 -1")).isEqualTo(array(sorted));
    assertThat(call("SORT l DESC LIMIT 5 9 STORE d")).isEqualTo(":2");
    assertThat(call("LRANGE d 0 -1")).isEqualTo(array(List.of("-2", "-5000")));
    call("MSET w_-2 short w_7_ x w_70000 longer w_300 3");
    assertThat(call("SORT l LIMIT 5 2 GET # GET w_*"))
        .isEqualTo(array(List.of("300", "3", "70000", "longer")));
    assertThat(call("SORT l BY nosort LIMIT 1 2 GET w_*_ GET #"))
        .isEqualTo("*4[$-1, $2:-2, $1:x, $1:7]");
    assertThat(call("SORT l BY nosort DESC LIMIT 0 2")).isEqualTo(array(List.of("70000", "-5000")));
    assertThat(call("LRANGE l 0 1")).isEqualTo(array(List.of("10", "-2")));
  }

  @Test
  void sort_ofIntegersBeforeAText() throws IOException {
    push(List.of("3", "1", "2", "x"));
    assertThat(call("SORT l")).isEqualTo("-ERR One or more scores can't be converted into double");
    assertThat(call("SORT l ALPHA")).isEqualTo(array(List.of("1", "2", "3", "x")));
    push(List.of("3", "1", "2", "1.5"));
    assertThat(call("SORT l")).isEqualTo(array(List.of("1", "1.5", "2", "3")));
  }

  @ParameterizedTest(name = "after {0}")
  @ValueSource(strings = {"", "a", "item:000"})
  void sort_ofTexts_equalsTheModel(String prefix) throws IOException {
    Random random = new Random(prefix.length());
    for (int size : new int[] {1, 2, 3, 50, 400}) {
      List<String> elements = new ArrayList<>();
      for (int i = 0; i < size; i++) elements.add(prefix + text(random));
      assertSorts(elements, Comparator.naturalOrder(), " ALPHA");
    }
  }

  /** Up to 12 of two letters, so that many begin with the same eight. */
  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(13);
    for (int i = 0; i < length; i++) text.append(random.nextBoolean() ? 'a' : 'b');
    return text.toString();
  }

  @Test
  void sort_byWeights_putsElementsWithoutOneFirst() throws IOException {
    push(List.of("a", "b", "c", "d", "e"));
    call("MSET w_a 3 w_b 1 w_c -2 w_d 1");
    assertThat(call("SORT l BY w_*")).isEqualTo(array(List.of("c", "e", "b", "d", "a")));
    assertThat(call("SORT l BY w_* DESC")).isEqualTo(array(List.of("a", "d", "b", "e", "c")));
    call("MSET t_a same2 t_b same1 t_c samer");
    push(List.of("a", "b", "c", "d"));
    assertThat(call("SORT l BY t_* ALPHA")).isEqualTo(array(List.of("d", "b", "a", "c")));
    assertThat(call("SORT l BY t_* ALPHA DESC")).isEqualTo(array(List.of("c", "a", "b", "d")));
  }
}
