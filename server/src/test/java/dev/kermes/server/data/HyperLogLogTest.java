package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.data.HyperLogLog.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HyperLogLogTest {

  private static final int SPARSE_MAX = 3000;

  private static Change add(RawString string, String element) {
    byte[] array = bytes(element);
    return HyperLogLog.add(string, Slice.of(array), SPARSE_MAX);
  }

  private static byte[] registers(RawString string) {
    byte[] registers = new byte[HyperLogLog.REGISTERS];
    assertThat(HyperLogLog.merge(string.bytes(), 0, string.length(), registers)).isTrue();
    return registers;
  }

  private static @Nullable String decode(RawString string) {
    return HyperLogLog.decode(string.bytes(), 0, string.length());
  }

  @Test
  void create_isSparseAndEmpty() {
    RawString empty = HyperLogLog.create();
    assertThat(Arrays.copyOf(empty.bytes(), empty.length()))
        .isEqualTo(bytes("HYLL\1\0\0\0\0\0\0\0\0\0\0\0\177\377"));
    assertThat(decode(empty)).isEqualTo("Z:16384");
    assertThat(HyperLogLog.count(registers(empty))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 'v:1,1 Z:16383'",
    "16383, 32, 'Z:16383 v:32,1'",
    "1, 3, 'z:1 v:3,1 Z:16382'",
    "64, 3, 'z:64 v:3,1 Z:16319'",
    "16319, 3, 'Z:16319 v:3,1 z:64'"
  })
  void raise_splitsTheRunOfZeros(int index, int value, String runs) {
    RawString string = HyperLogLog.create();
    assertThat(HyperLogLog.raise(string, index, value, SPARSE_MAX)).isEqualTo(Change.SOME);
    assertThat(decode(string)).isEqualTo(runs);
    assertThat(HyperLogLog.raise(string, index, value, SPARSE_MAX)).isEqualTo(Change.NONE);
  }

  @Test
  void raise_joinsEqualNeighbours() {
    RawString string = HyperLogLog.create();
    for (int index = 0; index < 5; index++) {
      assertThat(HyperLogLog.raise(string, index, 2, SPARSE_MAX)).isEqualTo(Change.SOME);
    }
    assertThat(decode(string)).isEqualTo("v:2,4 v:2,1 Z:16379");
    assertThat(HyperLogLog.raise(string, 1, 5, SPARSE_MAX)).isEqualTo(Change.SOME);
    assertThat(decode(string)).isEqualTo("v:2,1 v:5,1 v:2,3 Z:16379");
  }

  @Test
  void raise_beyondWhatSparseHolds_makesDense() {
    RawString high = HyperLogLog.create();
    assertThat(HyperLogLog.raise(high, 5, 33, SPARSE_MAX)).isEqualTo(Change.SOME);
    assertThat(high.length()).isEqualTo(12_304);
    assertThat(registers(high)[5]).isEqualTo((byte) 33);
    RawString longer = HyperLogLog.create();
    assertThat(HyperLogLog.raise(longer, 100, 1, 19)).isEqualTo(Change.SOME);
    assertThat(HyperLogLog.isSparse(longer.bytes(), 0)).isFalse();
    assertThat(decode(longer)).isNull();
  }

  @Test
  void sparseAndDense_haveTheSameRegisters() {
    RawString sparse = HyperLogLog.create();
    RawString dense = HyperLogLog.create();
    assertThat(HyperLogLog.makeDense(dense)).isTrue();
    for (int i = 0; i < 1200; i++) {
      assertThat(add(sparse, "x" + i)).isEqualTo(add(dense, "x" + i));
    }
    assertThat(HyperLogLog.isSparse(sparse.bytes(), 0)).isTrue();
    assertThat(registers(sparse)).isEqualTo(registers(dense));
    assertThat(HyperLogLog.makeDense(sparse)).isTrue();
    assertThat(Arrays.copyOfRange(sparse.bytes(), 16, sparse.length()))
        .isEqualTo(Arrays.copyOfRange(dense.bytes(), 16, dense.length()));
  }

  @ParameterizedTest
  @CsvSource({"10, 0", "1000, 20", "100000, 3000"})
  void count_isNearTheTruth(int elements, int errorMax) {
    RawString string = HyperLogLog.create();
    for (int i = 0; i < elements; i++) {
      assertThat(add(string, "element " + i)).isNotEqualTo(Change.CORRUPT);
    }
    assertThat(Math.abs(HyperLogLog.count(registers(string)) - elements))
        .isLessThanOrEqualTo(errorMax);
  }

  @Test
  void corruptRuns_areNoticed() {
    byte[] registers = new byte[HyperLogLog.REGISTERS];
    String header = "HYLL\1\0\0\0\0\0\0\0\0\0\0\200";
    for (String runs : new String[] {"", "\177", "\177\376", "\177\377\0", "\177\377\177\377"}) {
      byte[] array = bytes(header + runs);
      assertThat(HyperLogLog.isOne(array, 0, array.length)).isTrue();
      assertThat(HyperLogLog.merge(array, 0, array.length, registers)).isFalse();
      assertThat(HyperLogLog.isSound(array, 0, array.length)).isFalse();
    }
    RawString shortOne = new RawString(bytes(header + "\0"), 0, 17);
    assertThat(HyperLogLog.raise(shortOne, 7, 1, SPARSE_MAX)).isEqualTo(Change.CORRUPT);
    assertThat(HyperLogLog.raise(shortOne, 0, 33, SPARSE_MAX)).isEqualTo(Change.CORRUPT);
  }

  /** Few and many registers, so that there are runs of all lengths, each searched by groups. */
  @ParameterizedTest
  @ValueSource(ints = {20, 100, 300, 1000, 5000})
  void raise_ofAnyRegister_leavesTheRunsOfAllRegisters(int count) {
    Random random = new Random(count);
    for (int round = 0; round < 20; round++) {
      RawString string = HyperLogLog.create();
      byte[] wanted = new byte[HyperLogLog.REGISTERS];
      for (int i = 0; i < count; i++) {
        int index = random.nextInt(HyperLogLog.REGISTERS);
        int value = 1 + random.nextInt(32);
        Change change = HyperLogLog.raise(string, index, value, 20_000);
        assertThat(change).isEqualTo(value > wanted[index] ? Change.SOME : Change.NONE);
        wanted[index] = (byte) Math.max(value, wanted[index]);
      }
      assertThat(HyperLogLog.isSparse(string.bytes(), 0)).isTrue();
      assertThat(registers(string)).isEqualTo(wanted);
    }
  }

  /** Runs of two bytes that follow each other, whose second bytes look like first ones. */
  @Test
  void raise_afterLongRunsInARow_findsTheRegister() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      StringBuilder runs = new StringBuilder();
      int left = HyperLogLog.REGISTERS;
      while (left > 0) left -= appendZeros(runs, Math.min(left, 1 + random.nextInt(128)));
      byte[] array = bytes("HYLL\1\0\0\0\0\0\0\0\0\0\0\200" + runs);
      RawString string = new RawString(array, 0, array.length);
      byte[] wanted = new byte[HyperLogLog.REGISTERS];
      int index = random.nextInt(HyperLogLog.REGISTERS);
      wanted[index] = 7;
      assertThat(HyperLogLog.raise(string, index, 7, 20_000)).isEqualTo(Change.SOME);
      assertThat(registers(string)).isEqualTo(wanted);
    }
  }

  /** Appends a run of zeros with two bytes, the second one 00xxxxxx or 01xxxxxx. */
  private static int appendZeros(StringBuilder runs, int registers) {
    runs.append('\100').append((char) (registers - 1));
    return registers;
  }

  /** By eight at a time and one by one; also at the end of an array, and in the middle of one. */
  @Test
  void putAll_andMerge_areThoseOfSingleRegisters() {
    Random random = new Random(1);
    for (int round = 0; round < 20; round++) {
      byte[] wanted = new byte[HyperLogLog.REGISTERS];
      RawString single = HyperLogLog.create();
      assertThat(HyperLogLog.makeDense(single)).isTrue();
      for (int i = 0; i < wanted.length; i++) {
        if (random.nextInt(20) < round) wanted[i] = (byte) random.nextInt(64);
        Change unused = HyperLogLog.raise(single, i, wanted[i], SPARSE_MAX);
      }
      RawString together = HyperLogLog.create();
      assertThat(HyperLogLog.makeDense(together)).isTrue();
      HyperLogLog.putAll(together, wanted, SPARSE_MAX);
      byte[] dense = Arrays.copyOf(together.bytes(), together.length());
      assertThat(dense).isEqualTo(Arrays.copyOf(single.bytes(), single.length()));
      byte[] before = new byte[wanted.length];
      random.nextBytes(before);
      for (int i = 0; i < before.length; i++) before[i] &= 63;
      byte[] framed = new byte[dense.length + 20];
      Arrays.fill(framed, (byte) -1);
      System.arraycopy(dense, 0, framed, 7, dense.length);
      assertMerged(dense, 0, before, wanted);
      assertMerged(framed, 7, before, wanted);
    }
  }

  private static void assertMerged(byte[] array, int offset, byte[] before, byte[] wanted) {
    byte[] merged = before.clone();
    assertThat(HyperLogLog.merge(array, offset, 12_304, merged)).isTrue();
    for (int i = 0; i < merged.length; i++) {
      assertThat(merged[i]).as("register %d", i).isEqualTo((byte) Math.max(before[i], wanted[i]));
    }
  }

  /** All pairs of values, each at every place of a group of eight. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void merge_takesTheGreaterOfAllPairs(int shift) {
    byte[] before = new byte[HyperLogLog.REGISTERS];
    byte[] wanted = new byte[HyperLogLog.REGISTERS];
    for (int i = 0; i < before.length; i++) {
      before[i] = (byte) (i + shift & 63);
      wanted[i] = (byte) (i + shift >> 6 & 63);
    }
    RawString dense = HyperLogLog.create();
    assertThat(HyperLogLog.makeDense(dense)).isTrue();
    HyperLogLog.putAll(dense, wanted, SPARSE_MAX);
    assertMerged(Arrays.copyOf(dense.bytes(), dense.length()), 0, before, wanted);
  }

  /** All pairs of values, each at every place of a group of 32; also in the middle of an array. */
  @Test
  void raiseDense_takesTheGreaterOfAllPairs() {
    for (int shift = 0; shift < 32; shift++) {
      byte[] some = new byte[HyperLogLog.REGISTERS];
      byte[] others = new byte[HyperLogLog.REGISTERS];
      for (int i = 0; i < some.length; i++) {
        some[i] = (byte) (i + shift & 63);
        others[i] = (byte) (i + shift >> 6 & 63);
      }
      assertRaised(some, others);
    }
  }

  @Test
  void raiseDense_ofRandomRegisters_takesTheGreater() {
    Random random = new Random(1);
    for (int round = 0; round < 50; round++) {
      byte[] some = new byte[HyperLogLog.REGISTERS];
      byte[] others = new byte[HyperLogLog.REGISTERS];
      for (int i = 0; i < some.length; i++) {
        some[i] = (byte) random.nextInt(64);
        others[i] = (byte) (random.nextInt(50) < round ? random.nextInt(64) : some[i]);
      }
      assertRaised(some, others);
    }
  }

  /** Checks both forms: the others dense, and a byte each. */
  private static void assertRaised(byte[] some, byte[] others) {
    byte[] wanted = some.clone();
    for (int i = 0; i < wanted.length; i++) wanted[i] = (byte) Math.max(some[i], others[i]);
    byte[] other = dense(others).bytes();
    byte[] framed = new byte[other.length + 5];
    Arrays.fill(framed, (byte) -1);
    System.arraycopy(other, 0, framed, 5, other.length);

    RawString string = dense(some);
    Slice inFrame = new Slice().wrap(framed, 5, other.length);
    HyperLogLog.raise(string, List.of(inFrame, Slice.of(dense(some).bytes())), SPARSE_MAX);
    assertThat(string.length()).isEqualTo(12_304);
    assertThat(registers(string)).isEqualTo(wanted);
    RawString same = dense(some);
    HyperLogLog.raiseDense(same, others.clone());
    assertThat(registers(same)).isEqualTo(wanted);
  }

  /** A string that fills its array. */
  private static RawString dense(byte[] registers) {
    RawString string = HyperLogLog.create();
    HyperLogLog.raiseDense(string, registers);
    return new RawString(string.bytes(), 0, string.length());
  }

  /** Few values in clusters, so that runs are split and joined; some strings become dense. */
  @Test
  void putAll_ofSparse_leavesTheRunsThatSingleRegistersLeave() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      int bytesMax = round % 10 == 0 ? 300 : SPARSE_MAX;
      RawString single = HyperLogLog.create();
      raiseSome(single, 200, random, bytesMax);
      RawString together = new RawString(single.bytes(), 0, single.length());
      RawString other = HyperLogLog.create();
      raiseSome(other, 200, random, SPARSE_MAX);
      byte[] wanted = registers(single);
      assertThat(HyperLogLog.merge(other.bytes(), 0, other.length(), wanted)).isTrue();

      for (int i = 0; i < wanted.length; i++) {
        Change unused = HyperLogLog.raise(single, i, wanted[i], bytesMax);
      }
      HyperLogLog.putAll(together, wanted, bytesMax);

      assertThat(decode(together)).isEqualTo(decode(single));
      assertThat(registers(together)).isEqualTo(wanted);
    }
  }

  /** Up to more strings than are walked through at once; some of them dense. */
  @Test
  void raiseAndCount_ofSeveral_areThoseOfSingleRegisters() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      byte[] wanted = new byte[HyperLogLog.REGISTERS];
      List<Slice> others = new ArrayList<>();
      boolean isAnyDense = false;
      for (int i = random.nextInt(11); i > 0; i--) {
        RawString other = HyperLogLog.create();
        raiseSome(other, random.nextInt(100), random, SPARSE_MAX);
        if (random.nextInt(12) == 0) isAnyDense |= HyperLogLog.makeDense(other);
        assertThat(HyperLogLog.isSound(other.bytes(), 0, other.length())).isTrue();
        assertThat(HyperLogLog.merge(other.bytes(), 0, other.length(), wanted)).isTrue();
        others.add(new Slice().wrap(other.bytes(), 0, other.length()));
      }
      assertThat(HyperLogLog.count(others)).isEqualTo(HyperLogLog.count(wanted));
      RawString string = HyperLogLog.create();
      raiseSome(string, random.nextInt(100), random, SPARSE_MAX);
      assertThat(HyperLogLog.merge(string.bytes(), 0, string.length(), wanted)).isTrue();
      HyperLogLog.raise(string, others, SPARSE_MAX);
      assertThat(registers(string)).isEqualTo(wanted);
      assertThat(HyperLogLog.isSparse(string.bytes(), 0)).isEqualTo(!isAnyDense);
    }
  }

  private static void raiseSome(RawString string, int count, Random random, int bytesMax) {
    int index = 0;
    for (int i = 0; i < count; i++) {
      index = random.nextInt(10) == 0 ? random.nextInt(HyperLogLog.REGISTERS) : index + 1;
      int value = 1 + random.nextInt(3);
      Change unused = HyperLogLog.raise(string, index % HyperLogLog.REGISTERS, value, bytesMax);
    }
  }
}
