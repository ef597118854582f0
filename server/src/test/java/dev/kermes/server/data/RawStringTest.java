package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RawStringTest {

  private static final int LARGE = RawString.LARGE_LENGTH_MIN;

  /** Bytes that a reply refers to, and their content when it received them. */
  private record Lent(byte[] array, int offset, byte[] content) {

    static Lent of(byte[] array, int offset, int length) {
      return new Lent(array, offset, Arrays.copyOfRange(array, offset, offset + length));
    }

    boolean isUnchanged() {
      int end = offset + content.length;
      return Arrays.equals(array, offset, end, content, 0, content.length);
    }
  }

  private final List<Lent> lent = new ArrayList<>();

  private static RawString start(int form, byte[] content) {
    byte[] around = new byte[content.length + 20];
    Arrays.fill(around, (byte) 7);
    System.arraycopy(content, 0, around, 11, content.length);
    return switch (form) {
      case 0 -> new RawString(content, 0, content.length);
      case 1 -> RawString.after(around, 11, content.length);
      case 3 -> RawString.copyOf(Slice.of(content), around); // whose end is not zero
      default -> RawString.within(new Slice().wrap(around, 11, content.length));
    };
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] written(byte[] model, int at, byte[] patch) {
    byte[] longer = Arrays.copyOf(model, Math.max(model.length, at + patch.length));
    System.arraycopy(patch, 0, longer, at, patch.length);
    return longer;
  }

  private void lend(RawString string) {
    if (string.headLength() > 0) {
      lent.add(Lent.of(string.lendHead(), string.headOffset(), string.headLength()));
    }
    lent.add(Lent.of(string.lendRest(), 0, string.restLength()));
  }

  private static void check(RawString string, byte[] model, Random random) {
    assertThat(string.length()).isEqualTo(model.length);
    int from = random.nextInt(model.length);
    assertThat(string.at(from)).isEqualTo(model[from]);
    int count = random.nextInt(Math.min(model.length - from, 3 * LARGE) + 1);
    assertThat(string.range(from, count)).isEqualTo(Arrays.copyOfRange(model, from, from + count));
  }

  private static void checkWhole(RawString string, byte[] model) {
    byte[] array = string.array();
    int offset = string.offset();
    assertThat(Arrays.copyOfRange(array, offset, offset + model.length)).isEqualTo(model);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void writes_inEachForm_asInAModel(int form) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      byte[] model = bytes(random, seed % 2 == 0 ? LARGE + 5 : 100);
      RawString string = start(form, model);
      RawString copy = string.copy();
      byte[] copied = model;
      for (int i = 0; i < 40; i++) {
        int edge = random.nextBoolean() && string.headLength() > 0 ? string.headLength() : 1;
        int at = Math.max(0, random.nextInt(2) == 0 ? random.nextInt(model.length) : edge - 1);
        byte[] patch = bytes(random, 1 + random.nextInt(random.nextInt(4) == 0 ? LARGE : 10));
        switch (random.nextInt(9)) {
          case 0 -> {
            string.append(Slice.of(patch));
            model = written(model, model.length, patch);
          }
          case 1 -> {
            string.put(at, patch[0]);
            model = written(model, at, Arrays.copyOf(patch, 1));
          }
          case 2 -> {
            string.put(model.length + patch.length, patch[0]);
            model = written(model, model.length + patch.length, Arrays.copyOf(patch, 1));
          }
          case 3 -> lend(string);
          case 4 -> {
            copy = string.copy();
            copied = model;
          }
          case 5 -> {
            if (random.nextInt(4) == 0) checkWhole(string, model);
          }
          default -> {
            string.write(at, Slice.of(patch));
            model = written(model, at, patch);
          }
        }
        check(string, model, random);
      }
      checkWhole(string, model);
      checkWhole(copy, copied);
      assertThat(lent).allMatch(Lent::isUnchanged);
      lent.clear();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3})
  void write_toALargeStringThatIsNotLent_copiesNothing(int form) {
    RawString string = start(form, new byte[LARGE]);
    byte[] array = string.array();
    int offset = string.offset();
    string.write(5, Slice.of(new byte[] {1, 2}));
    string.put(9, (byte) 3);
    assertThat(Arrays.copyOfRange(array, offset + 5, offset + 10)).containsExactly(1, 2, 0, 0, 3);
    string.put(2 * LARGE, (byte) 4);
    string.write(6, Slice.of(new byte[] {8}));
    assertThat(array[offset + 6]).isEqualTo((byte) 8);
  }

  @Test
  void spareArray_ofACopy_isItsArrayUntilItIsLent() {
    byte[] room = new byte[120];
    RawString string = RawString.copyOf(Slice.of(new byte[100]), room);
    assertThat(string.length()).isEqualTo(100);
    assertThat(string.spareArray()).isSameAs(room);
    string.append(Slice.of(new byte[5]));
    assertThat(string.spareArray()).isSameAs(room);
    byte[] unused = string.lendRest();
    assertThat(string.spareArray()).isNull();
    byte[] content = bytes(new Random(1), 100);
    RawString fresh = RawString.copyOf(Slice.of(content), null);
    assertThat(fresh.spareArray()).isEqualTo(content).isNotSameAs(content);
  }

  @Test
  void takeSpareArray_isTakenOnce() {
    RawString copied = RawString.copyOf(Slice.of(new byte[100]), new byte[120]);
    assertThat(copied.takeSpareArray()).isSameAs(copied.rest());
    assertThat(copied.spareArray()).isNull();
    RawString input = start(2, new byte[100]);
    input.arrived();
    assertThat(input.takeSpareArray()).isSameAs(input.head());
    assertThat(input.spareArray()).isNull();
  }

  @Test
  void spareArray_isTheHeadOnceNothingElseUsesIt() {
    RawString string = start(2, new byte[100]);
    assertThat(string.spareArray()).as("still input").isNull();
    string.arrived();
    assertThat(string.spareArray()).isSameAs(string.head());
    string.write(3, Slice.of(new byte[5]));
    assertThat(string.spareArray()).isSameAs(string.head());
    RawString appended = start(2, new byte[100]);
    appended.arrived();
    appended.append(Slice.of(new byte[5]));
    assertThat(appended.spareArray()).as("of the head only").isNull();
    RawString unused = string.copy();
    assertThat(string.spareArray()).as("shared by a copy").isNull();
    RawString replied = start(2, new byte[100]);
    replied.arrived();
    lend(replied);
    assertThat(replied.spareArray()).as("lent to a reply").isNull();
    assertThat(start(1, new byte[100]).spareArray()).as("of a record").isNull();
  }

  @Test
  void contentBytes_ofTakenInput_areThoseOfItsArray() {
    assertThat(start(2, new byte[100]).contentBytes()).isEqualTo(24 + 120);
    assertThat(start(1, new byte[100]).contentBytes()).isEqualTo(24 + 100);
  }
}
