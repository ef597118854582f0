package dev.kermes.server.command.bitmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.data.Slice;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operations of BITOP against their definitions, bit by bit. */
final class BitOperationTest {

  @ParameterizedTest
  @EnumSource
  void apply_ofRandomStrings_equalsTheDefinition(BitOperation operation) {
    Random random = new Random(29);
    for (int round = 0; round < 200; round++) {
      int count = operation == BitOperation.NOT ? 1 : random.nextInt(2, 5);
      Slice[] sources = new Slice[count];
      int length = 0;
      for (int i = 0; i < count; i++) {
        sources[i] = randomString(random, round % 2 == 0 ? 40 : 1200); // below and above a block
        length = Math.max(length, sources[i].length());
      }
      byte[] expected = new byte[length];
      for (int bit = 0; bit < 8 * length; bit++) {
        if (isSet(operation, sources, bit)) expected[bit / 8] |= (byte) (0x80 >> bit % 8);
      }
      assertThat(operation.apply(sources, null)).isEqualTo(expected);
      byte[] room = new byte[expected.length];
      Arrays.fill(room, (byte) 0x55);
      assertThat(operation.apply(sources, room)).isEqualTo(expected);
    }
  }

  /** Up to {@code lengthMax} bytes somewhere in a longer array. */
  private static Slice randomString(Random random, int lengthMax) {
    byte[] array = new byte[lengthMax + 20];
    random.nextBytes(array);
    return new Slice().wrap(array, random.nextInt(20), random.nextInt(lengthMax + 1));
  }

  private static boolean isSet(BitOperation operation, Slice[] sources, int bit) {
    boolean first = isSet(sources[0], bit);
    int count = 0;
    for (Slice source : sources) if (isSet(source, bit)) count++;
    boolean isInOthers = count > (first ? 1 : 0);
    return switch (operation) {
      case AND -> count == sources.length;
      case OR -> count > 0;
      case XOR -> count % 2 == 1;
      case NOT -> !first;
      case DIFF -> first && !isInOthers;
      case DIFF1 -> !first && isInOthers;
      case ANDOR -> first && isInOthers;
      case ONE -> count == 1;
    };
  }

  private static boolean isSet(Slice source, int bit) {
    return bit / 8 < source.length() && (source.at(bit / 8) & 0x80 >> bit % 8) != 0;
  }
}
