package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedisListTest {

  private final EncodingLimits limits = new EncodingLimits();
  private final RedisList list = new RedisList();
  private final List<String> model = new ArrayList<>();

  private void push(String element, boolean head) {
    byte[] bytes = bytes(element);
    list.growing(1, bytes.length, limits);
    if (head) list.pushHead(Slice.of(bytes), limits);
    else list.pushTail(Slice.of(bytes), limits);
    model.add(head ? 0 : model.size(), element);
  }

  private static List<String> elements(RedisList list) {
    List<String> elements = new ArrayList<>();
    list.forEach(0, Long.MAX_VALUE, (a, offset, length) -> elements.add(text(a, offset, length)));
    return elements;
  }

  private static List<String> backwards(RedisList list) {
    List<String> elements = new ArrayList<>();
    for (RedisList.Cursor c = list.seek(-1); c.isOn(); c.previous()) {
      c.visit((a, offset, length) -> elements.add(0, text(a, offset, length)));
    }
    return elements;
  }

  @ParameterizedTest
  @CsvSource({"-2, listpack", "4, quicklist", "-1, listpack"})
  void anyOperation_inEveryEncoding_matches(int listMaxListpackSize, String encoding) {
    limits.listMaxListpackSize(listMaxListpackSize);
    for (String element : List.of("b", "2", "d", "a", "2")) push(element, false);
    assertThat(list.encoding()).isEqualTo(encoding);
    push("z", true);
    assertThat(elements(list)).containsExactly("z", "b", "2", "d", "a", "2");
    list.seek(3).insertBefore(Slice.of(bytes("c")), limits);
    list.seek(-1).insertAfter(Slice.of(bytes("y")), limits);
    assertThat(elements(list)).containsExactly("z", "b", "2", "c", "d", "a", "2", "y");
    list.seek(2).replace(Slice.of(bytes("two")), limits);
    assertThat(text(list.pop(true))).isEqualTo("z");
    assertThat(text(list.pop(false))).isEqualTo("y");
    list.dropTail(1);
    list.dropHead(1);
    assertThat(elements(list)).containsExactly("two", "c", "d", "a");
    assertThat(list.encoding()).isEqualTo(encoding);
  }

  @Test
  void growing_beyondTheLimit_becomesAQuicklistAndShrunkToHalf_aListpackAgain() {
    String element = "x".repeat(1000);
    while (list.size() < 8) push(element, false);
    assertThat(list.encoding()).isEqualTo("listpack");
    push(element, false);
    assertThat(list.encoding()).isEqualTo("quicklist");
    list.dropTail(1);
    list.shrunk(limits);
    assertThat(list.encoding()).isEqualTo("quicklist");
    list.dropTail(4);
    list.shrunk(limits);
    assertThat(list.encoding()).isEqualTo("listpack");
    assertThat(list.size()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {-2, -1, 1, 3, 128, 0, -9})
  void randomOperations_matchAnArrayList(int listMaxListpackSize) {
    limits.listMaxListpackSize(listMaxListpackSize);
    Random random = new Random(listMaxListpackSize);
    for (int step = 0; step < 4000; step++) {
      boolean grows = random.nextInt(100) < (step / 400 % 2 == 0 ? 75 : 35);
      if (grows) push(Bytes.element(random), random.nextBoolean());
      else if (!model.isEmpty()) change(random);
      assertThat(list.size()).isEqualTo(model.size());
      if (step % 25 == 0) assertSame();
    }
  }

  private void assertSame() {
    assertThat(elements(list)).isEqualTo(model);
    assertThat(backwards(list)).isEqualTo(model);
    assertThat(elements(list.copy())).isEqualTo(model);
  }

  private void change(Random random) {
    int index = random.nextInt(model.size());
    RedisList.Cursor cursor = list.seek(random.nextBoolean() ? index : index - model.size());
    String element = Bytes.element(random);
    byte[] bytes = bytes(element);
    switch (random.nextInt(9)) {
      case 0 -> {
        list.growing(1, bytes.length, limits);
        cursor.insertBefore(Slice.of(bytes), limits);
        cursor.visit((a, o, l) -> assertThat(text(a, o, l)).isEqualTo(model.get(index)));
        model.add(index, element);
      }
      case 1 -> {
        list.growing(1, bytes.length, limits);
        cursor.insertAfter(Slice.of(bytes), limits);
        model.add(index + 1, element);
        cursor.visit((a, o, l) -> assertThat(text(a, o, l)).isEqualTo(element));
      }
      case 2 -> {
        list.growing(1, bytes.length, limits);
        cursor.replace(Slice.of(bytes), limits);
        model.set(index, element);
      }
      case 3 -> removeThenNext(cursor, index);
      case 4 -> removeThenPrevious(cursor, index);
      case 5 -> assertThat(text(list.pop(true))).isEqualTo(model.remove(0));
      case 6 -> assertThat(text(list.pop(false))).isEqualTo(model.remove(model.size() - 1));
      case 7 -> {
        int count = random.nextInt(Math.min(index, 10) + 1);
        list.dropHead(count);
        model.subList(0, count).clear();
      }
      default -> {
        int count = random.nextInt(Math.min(index, 10) + 1);
        list.dropTail(count);
        model.subList(model.size() - count, model.size()).clear();
      }
    }
    list.shrunk(limits);
  }

  private void removeThenNext(RedisList.Cursor cursor, int index) {
    cursor.removeThenNext();
    model.remove(index);
    assertThat(cursor.isOn()).isEqualTo(index < model.size());
    if (cursor.isOn()) {
      cursor.visit((a, o, l) -> assertThat(text(a, o, l)).isEqualTo(model.get(index)));
    }
  }

  private void removeThenPrevious(RedisList.Cursor cursor, int index) {
    cursor.removeThenPrevious();
    model.remove(index);
    assertThat(cursor.isOn()).isEqualTo(index > 0);
    if (cursor.isOn()) {
      cursor.visit((a, o, l) -> assertThat(text(a, o, l)).isEqualTo(model.get(index - 1)));
    }
  }

  @Test
  void copy_isNotChangedWithTheOriginal() {
    push("a", false);
    RedisList copy = list.copy();
    push("b", false);
    assertThat(elements(copy)).containsExactly("a");
    copy.dropHead(1);
    assertThat(elements(list)).containsExactly("a", "b");
  }

  @Test
  void seek_farOutside_isOff() {
    push("a", false);
    assertThat(list.seek(Long.MAX_VALUE).isOn()).isFalse();
    assertThat(list.seek(Long.MIN_VALUE).isOn()).isFalse();
    assertThat(new RedisList().seek(0).isOn()).isFalse();
  }

  /** Packs that the limit allows become nodes, unless there is room in the last one. */
  @ParameterizedTest
  @CsvSource({"-2, listpack", "4, quicklist", "-1, listpack"})
  void pushTail_ofPacks_isAsOfTheirElements(int listMaxListpackSize, String encoding) {
    limits.listMaxListpackSize(listMaxListpackSize);
    RedisList one = new RedisList();
    for (String elements : List.of("a b 3", "d", "e f g h", "i j k l m n", "o p q r", "s")) {
      ListPack pack = new ListPack();
      for (String each : elements.split(" ")) {
        pack.append(bytes(each), 0, each.length());
        push(each, false);
      }
      one.pushTail(pack, limits);
    }
    assertThat(elements(one)).isEqualTo(model);
    assertThat(backwards(one)).isEqualTo(model);
    assertThat(one.size()).isEqualTo(list.size());
    assertThat(one.encoding()).isEqualTo(encoding).isEqualTo(list.encoding());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void push_ofALargeElementsPack_isAsOfTheElement(boolean head) {
    String large = "x".repeat(10_000);
    for (int before = 0; before < 3; before++) {
      RedisList one = new RedisList();
      model.clear();
      for (int i = 0; i < before; i++) {
        one.pushTail(Slice.of(bytes("e" + i)), limits);
        model.add("e" + i);
      }
      assertThat(one.isOwnNode(large.length(), limits)).isFalse();
      one.growing(1, large.length(), limits);
      assertThat(one.isOwnNode(large.length(), limits)).isTrue();
      assertThat(one.isOwnNode(8000, limits)).isFalse();
      one.push(ListPack.of(Slice.of(bytes(large)), null), head);
      model.add(head ? 0 : before, large);
      one.pushHead(Slice.of(bytes("first")), limits);
      one.pushTail(Slice.of(bytes("last")), limits);
      model.addFirst("first");
      model.addLast("last");
      assertThat(elements(one)).isEqualTo(model);
      assertThat(backwards(one)).isEqualTo(model);
      assertThat(one.size()).isEqualTo(model.size());
      assertThat(one.encoding()).isEqualTo("quicklist");
    }
  }

  @Test
  void pushTail_ofPacksThatDoNotFitInOne_keepsThem() {
    byte[] element = bytes("x".repeat(1000));
    List<ListPack> packs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ListPack pack = new ListPack();
      for (int j = 0; j < 5; j++) pack.append(element, 0, element.length);
      packs.add(pack);
      list.pushTail(pack, limits);
    }
    assertThat(list.size()).isEqualTo(25);
    assertThat(list.packCount()).isEqualTo(5);
    for (int i = 0; i < 5; i++) assertThat(list.pack(i)).isSameAs(packs.get(i));
    assertThat(list.encoding()).isEqualTo("quicklist");
  }
}
