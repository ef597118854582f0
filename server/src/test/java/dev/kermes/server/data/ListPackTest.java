package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static dev.kermes.server.data.Bytes.text;
import static dev.kermes.server.data.Bytes.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.resp.RespWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListPackTest {

  private static void append(ListPack pack, String element) {
    byte[] bytes = bytes(element);
    pack.append(bytes, 0, bytes.length);
  }

  private static List<String> forward(ListPack pack) {
    List<String> elements = new ArrayList<>();
    for (int at = pack.first(); at != ListPack.NONE; at = pack.next(at)) {
      elements.add(text(pack.get(at)));
    }
    return elements;
  }

  private static List<String> backward(ListPack pack) {
    List<String> elements = new ArrayList<>();
    for (int at = pack.last(); at != ListPack.NONE; at = pack.previous(at)) {
      elements.add(0, text(pack.get(at)));
    }
    return elements;
  }

  @Test
  void append_integersOfEveryWidth_readBack() {
    for (int shift = 0; shift < 64; shift++) {
      for (long near = -2; near <= 2; near++) {
        for (long value : new long[] {(1L << shift) + near, -(1L << shift) + near}) {
          ListPack pack = new ListPack();
          append(pack, Long.toString(value));
          assertThat(pack.isInteger(pack.first())).isTrue();
          assertThat(pack.integer(pack.first())).isEqualTo(value);
          assertThat(pack.previous(pack.last())).isEqualTo(ListPack.NONE);
          assertThat(pack.last()).isEqualTo(pack.first());
        }
      }
    }
  }

  @Test
  void lend_aLargeElement_staysAsItWasWhenItChanges() {
    ListPack pack = new ListPack();
    String element = "x".repeat(RespWriter.SHARED_LENGTH_MIN);
    append(pack, element);
    RespWriter out = new RespWriter(64);
    pack.lend(pack.first(), out);
    assertThat(out.sharedCount()).isEqualTo(1);
    byte[] before = out.toByteArray();
    int at = pack.replace(pack.first(), bytes("y".repeat(element.length())), 0, element.length());
    assertThat(text(pack.get(at))).startsWith("y");
    assertThat(pack.delete(at)).isEqualTo(ListPack.NONE);
    append(pack, "z".repeat(element.length()));
    assertThat(out.toByteArray()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 4095, 4096, 300_000})
  void replace_byTextOfTheSameLength_leavesOthersAndCopiesAsTheyAre(int length) {
    ListPack pack = new ListPack();
    append(pack, "before");
    append(pack, "x".repeat(length));
    append(pack, "after");
    int at = pack.replace(pack.seek(1), bytes("y".repeat(length)), 0, length);
    assertThat(forward(pack)).containsExactly("before", "y".repeat(length), "after");
    ListPack copy = pack.share();
    assertThat(text(pack.get(pack.replace(at, bytes("z".repeat(length)), 0, length))))
        .isEqualTo("z".repeat(length));
    assertThat(forward(pack)).containsExactly("before", "z".repeat(length), "after");
    assertThat(forward(copy)).containsExactly("before", "y".repeat(length), "after");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 63, 64, 4096, 16_383, 300_000, 3_000_000})
  void of_aString_isAPackOfItInTheRoom(int length) {
    Slice string = Slice.of(bytes("x".repeat(length)));
    ListPack built = new ListPack();
    append(built, "x".repeat(length));
    byte[] room = new byte[ListPack.length(string) + 3];
    Arrays.fill(room, (byte) 0xdb);
    ListPack pack = ListPack.of(string, room);
    assertThat(pack.array() == room).isTrue();
    assertThat(pack.toRedis()).isEqualTo(built.toRedis());
    assertThat(ListPack.of(string, null).toRedis()).isEqualTo(built.toRedis());
    pack.prepend(bytes("before"), 0, 6);
    append(pack, "after");
    assertThat(forward(pack)).containsExactly("before", "x".repeat(length), "after");
    assertThat(backward(pack)).containsExactly("before", "x".repeat(length), "after");
  }

  @Test
  void writeLast_givesTheArrayOfASingleLargeElementAwayUnlessItIsLent() {
    String element = "x".repeat(RespWriter.SHARED_LENGTH_MIN);
    for (String how : List.of("alone", "lent", "shared", "one of two", "small")) {
      ListPack pack = new ListPack();
      append(pack, how.equals("small") ? "s" : element);
      if (how.equals("lent")) pack.lend(pack.first(), new RespWriter(64));
      if (how.equals("shared")) assertThat(pack.share().size()).isEqualTo(1);
      if (how.equals("one of two")) append(pack, "other");
      byte[] array = pack.array();
      RespWriter out = new RespWriter(64);
      pack.writeLast(pack.first(), out);
      boolean isLastUse = out.sharedCount() > 0 && out.shared(0).isLastUse();
      assertThat(isLastUse).as(how).isEqualTo(how.equals("alone"));
      byte[] before = out.toByteArray();
      int unused = pack.delete(pack.first());
      append(pack, "z".repeat(element.length()));
      assertThat(out.toByteArray()).as(how).isEqualTo(before);
      if (isLastUse) assertThat(pack.array()).isNotSameAs(array);
    }
  }

  @Test
  void trim_releasesRoomUnlessACopyCostsMore() {
    for (int length : new int[] {1000, 60_000, 300_000}) {
      byte[] room = new byte[length + 9000];
      ListPack pack = ListPack.of(Slice.of(new byte[length]), room);
      pack.trim();
      assertThat(pack.array() == room).isEqualTo(length == 300_000);
      assertThat(pack.heapBytes()).isLessThan(length + length / 8 + 100L);
      assertThat(pack.size()).isOne();
    }
    ListPack roomy = ListPack.of(Slice.of(new byte[300_000]), new byte[400_000]);
    roomy.trim();
    assertThat(roomy.heapBytes()).isLessThan(300_100);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 63, 64, 126, 127, 128, 4095, 4096, 16_383, 16_384, 2_097_151, 3_000_000})
  void append_stringsAroundEveryBoundary_readBackFromBothEnds(int length) {
    ListPack pack = new ListPack();
    String element = "x".repeat(length);
    append(pack, "before");
    append(pack, element);
    append(pack, "7");
    List<String> expected = List.of("before", element, "7");
    assertThat(forward(pack)).isEqualTo(expected);
    assertThat(backward(pack)).isEqualTo(expected);
    assertThat(pack.textLength(pack.seek(1))).isEqualTo(length);
  }

  @Test
  void append_beyondOneGigabyte_throwsAndKeepsWhatWasThere() {
    ListPack pack = new ListPack();
    append(pack, "a");
    assertThat(pack.hasRoomFor(1L << 30)).isFalse();
    assertThatThrownBy(() -> pack.insertAfter(pack.first(), new byte[1], 0, 1 << 30))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("bytes=1073741");
    assertThat(forward(pack)).containsExactly("a");
  }

  @Test
  void insertRaw_bytesThatSpellAnInteger_staysAString() {
    ListPack pack = new ListPack();
    int at = pack.insertRaw(ListPack.NONE, 0x3837363534333231L);
    assertThat(pack.isInteger(at)).isFalse();
    assertThat(text(pack.get(at))).isEqualTo("12345678");
    assertThat(pack.raw(at)).isEqualTo(0x3837363534333231L);
  }

  @Test
  void compare_isUnsignedAndShorterFirst() {
    ListPack pack = new ListPack();
    append(pack, "\u00ff");
    append(pack, "12");
    assertThat(pack.compare(pack.first(), bytes("a"), 0, 1)).isPositive();
    assertThat(pack.compare(pack.last(), bytes("123"), 0, 3)).isNegative();
    assertThat(pack.compare(pack.last(), bytes("12"), 0, 2)).isZero();
  }

  @Test
  void randomOperations_matchAnArrayList() {
    for (long seed = 0; seed < 40; seed++) runRandomOperations(new Random(seed));
  }

  private static void runRandomOperations(Random random) {
    ListPack pack = new ListPack();
    List<String> model = new ArrayList<>();
    int target = random.nextInt(1, 200);
    for (int step = 0; step < 400; step++) {
      boolean grows = model.size() < random.nextInt(2 * target);
      if (grows) insert(random, pack, model);
      else change(random, pack, model);
      assertThat(pack.size()).isEqualTo(model.size());
      if (step % 10 == 0) assertSame(pack, model, random);
    }
    assertThat(forward(pack.copy())).isEqualTo(model);
  }

  private static void insert(Random random, ListPack pack, List<String> model) {
    String element = Bytes.element(random);
    byte[] bytes = bytes("__" + element + "_");
    int length = bytes.length - 3;
    int index = random.nextInt(model.size() + 1);
    switch (random.nextInt(4)) {
      case 0 -> {
        pack.append(bytes, 2, length);
        model.add(element);
      }
      case 1 -> {
        pack.prepend(bytes, 2, length);
        model.add(0, element);
      }
      default -> {
        int at = pack.insert(pack.seek(index), bytes, 2, length);
        assertThat(text(pack.get(at))).isEqualTo(element);
        model.add(index, element);
      }
    }
  }

  private static void change(Random random, ListPack pack, List<String> model) {
    if (model.isEmpty()) return;
    int index = random.nextInt(model.size());
    int at = pack.seek(index);
    switch (random.nextInt(4)) {
      case 0 -> {
        String element = Bytes.element(random);
        int replaced = pack.replace(at, bytes(element), 0, element.length());
        assertThat(text(pack.get(replaced))).isEqualTo(element);
        model.set(index, element);
      }
      case 1 -> {
        int count = random.nextInt(1, 5);
        int next = pack.delete(at, count);
        model.subList(index, Math.min(model.size(), index + count)).clear();
        assertThat(next == ListPack.NONE).isEqualTo(index == model.size());
        if (index < model.size()) assertThat(text(pack.get(next))).isEqualTo(model.get(index));
      }
      case 2 -> {
        ListPack tail = pack.split(at);
        List<String> modelTail = new ArrayList<>(model.subList(index, model.size()));
        assertThat(forward(tail)).isEqualTo(modelTail);
        model.subList(index, model.size()).clear();
        for (String element : modelTail) append(pack, element);
        model.addAll(modelTail);
      }
      default -> {
        pack.trim();
        int next = pack.delete(pack.seek(index));
        model.remove(index);
        if (index < model.size()) assertThat(text(pack.get(next))).isEqualTo(model.get(index));
      }
    }
  }

  private static void assertSame(ListPack pack, List<String> model, Random random) {
    assertThat(forward(pack)).isEqualTo(model);
    assertThat(backward(pack)).isEqualTo(model);
    for (int i = -model.size() - 1; i <= model.size(); i++) {
      int index = i < 0 ? i + model.size() : i;
      int at = pack.seek(i);
      if (index < 0 || index >= model.size()) assertThat(at).isEqualTo(ListPack.NONE);
      else assertThat(text(pack.get(at))).isEqualTo(model.get(index));
    }
    String wanted = Bytes.element(random);
    int found = pack.find(bytes(wanted), 0, wanted.length(), 1);
    int expected = model.indexOf(wanted);
    assertThat(found).isEqualTo(expected < 0 ? ListPack.NONE : pack.seek(expected));
  }

  @Test
  void write_isABulkOfTheText() {
    ListPack pack = new ListPack();
    append(pack, "-12");
    append(pack, "a\r\n");
    assertThat(written(out -> pack.write(pack.first(), out))).isEqualTo("$3\r\n-12\r\n");
    assertThat(written(out -> pack.write(pack.last(), out))).isEqualTo("$3\r\na\r\n\r\n");
  }

  /** Reads a list pack from the middle of an array. */
  private static ListPack readRedis(byte[] form, int offset) {
    byte[] bytes = new byte[offset + form.length + offset];
    System.arraycopy(form, 0, bytes, offset, form.length);
    return new ListPack().readRedis(bytes, offset, form.length);
  }

  @Test
  void readRedis_elementsOfAnyKind_areTheSame() {
    Random random = new Random(11);
    for (int round = 0; round < 50; round++) {
      ListPack pack = new ListPack();
      for (int i = random.nextInt(40); i > 0; i--) append(pack, Bytes.element(random));
      ListPack read = readRedis(pack.toRedis(), round % 3);
      assertThat(forward(read)).isEqualTo(forward(pack));
      assertThat(backward(read)).isEqualTo(forward(pack));
      assertThat(read.size()).isEqualTo(pack.size());
      ListPack copy = read.copy();
      assertThat(forward(copy)).isEqualTo(forward(pack));
      assertThat(copy.heapBytes()).isEqualTo(32 + HeapArray.bytes(read.length()));
    }
  }

  @Test
  void find_similarStringsOfEveryLength_findsTheRightOne() {
    for (int length = 1; length < 70; length++) {
      ListPack pack = new ListPack();
      for (String each : Bytes.similar(length)) {
        assertThat(pack.find(bytes(each), 0, each.length(), 1)).isEqualTo(ListPack.NONE);
        append(pack, each);
        assertThat(pack.find(bytes(each), 0, each.length(), 1)).isEqualTo(pack.last());
      }
      int at = pack.first();
      for (String each : Bytes.similar(length)) {
        assertThat(pack.find(bytes(each), 0, each.length(), 1)).isEqualTo(at);
        at = pack.next(at);
      }
    }
  }

  /** Redis never writes such strings; a search for the integer 12 would not find one. */
  @Test
  void readRedis_integerWrittenAsString_becomesAnInteger() {
    ListPack pack = new ListPack();
    append(pack, "ab");
    append(pack, "c");
    byte[] form = pack.toRedis();
    form[7] = '1';
    form[8] = '2';
    ListPack read = readRedis(form, 2);
    assertThat(forward(read)).containsExactly("12", "c");
    assertThat(read.isInteger(read.first())).isTrue();
    assertThat(read.find(bytes("12"), 0, 2, 1)).isEqualTo(read.first());
  }

  /**
   * The question of hashes and sorted sets is about every second element, that of sets about all.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void isDistinct_anyElements_isFalseIfOneComesTwice(int stride) {
    Random random = new Random(12);
    int[] packs = new int[2];
    for (int round = 0; round < 2000; round++) {
      ListPack pack = new ListPack();
      List<String> asked = new ArrayList<>();
      int size = stride * random.nextInt(12);
      for (int i = 0; i < size; i++) {
        String element = Bytes.element(random);
        append(pack, element);
        if (i % stride == 0) asked.add(element);
      }
      boolean isDistinct = Set.copyOf(asked).size() == asked.size();
      assertThat(pack.isDistinct(stride)).as("%s", asked).isEqualTo(isDistinct);
      packs[isDistinct ? 1 : 0]++;
    }
    assertThat(packs[0]).isGreaterThan(100);
    assertThat(packs[1]).isGreaterThan(100);
  }

  /** More elements than there are marks: different elements have the same mark. */
  @Test
  void isDistinct_manyElements_isTrue() {
    ListPack pack = new ListPack();
    for (int i = 0; i < 200; i++) append(pack, "member " + i);
    assertThat(pack.isDistinct(1)).isTrue();
    append(pack, "member 77");
    assertThat(pack.isDistinct(1)).isFalse();
  }

  /** Redis writes only the shortest form; longer ones can be read. */
  @Test
  void isDistinct_sameInOtherForm_isFalse() {
    byte[] integers = {19, 0, 0, 0, 2, 0, 5, 1, (byte) 0xf4, 5, 0, 0, 0, 0, 0, 0, 0, 9, -1};
    assertThat(readRedis(integers, 1).isDistinct(1)).isFalse();
    byte[] strings = {14, 0, 0, 0, 2, 0, (byte) 0x81, 'a', 2, (byte) 0xe0, 1, 'a', 3, -1};
    assertThat(readRedis(strings, 1).isDistinct(1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 100, 1000})
  void take_theElements_arriveAndLeaveAnEmptyPack(int room) {
    ListPack pack = new ListPack(room);
    ListPack same = new ListPack();
    for (int i = 0; i < 20; i++) {
      append(pack, "element " + i);
      append(same, "element " + i);
    }
    ListPack taken = pack.take();
    append(pack, "other");
    append(taken, "last");
    append(same, "last");
    assertThat(taken.toRedis()).isEqualTo(same.toRedis());
    assertThat(pack.size()).isEqualTo(1);
    assertThat(pack.get(pack.first())).isEqualTo(bytes("other"));
  }

  @Test
  void clear_whatWasFrozen_staysAsItWas() {
    ListPack pack = new ListPack();
    append(pack, "one");
    ListPack frozen = pack.freeze();
    pack.clear();
    append(pack, "two");
    assertThat(forward(pack)).containsExactly("two");
    assertThat(forward(frozen)).containsExactly("one");
  }
}
