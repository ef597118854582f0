package dev.kermes.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArenaTest {

  /** A block as the model knows it: filled with one byte. */
  private record Block(int address, int length, byte fill) {}

  private final Arena arena = new Arena();
  private final List<Block> model = new ArrayList<>();

  private Block allocate(int length, byte fill) {
    int address = arena.allocate(length);
    assertThat(address).isNotZero();
    byte[] chunk = arena.chunk(address);
    int at = Arena.offset(address);
    for (int i = 1; i < length; i++) chunk[at + i] = fill; // the first byte has the flags
    return new Block(address, length, fill);
  }

  private void assertIntact(Block block) {
    byte[] chunk = arena.chunk(block.address);
    int at = Arena.offset(block.address);
    for (int i = 1; i < block.length; i++) {
      assertThat(chunk[at + i]).as("%s, byte %d", block, i).isEqualTo(block.fill);
    }
  }

  private void freeAt(int index) {
    Block block = model.set(index, model.getLast());
    model.removeLast();
    assertIntact(block);
    arena.free(block.address, block.length);
  }

  private long modelBytes() {
    return model.stream().mapToLong(block -> Arena.blockSize(block.length)).sum();
  }

  /** Small blocks of few sizes, of many sizes, and some that are large. */
  @ParameterizedTest
  @ValueSource(ints = {40, 600, Arena.BLOCK_MAX})
  void randomUse_keepsEveryBlock_andGivesAllBack(int lengthMax) {
    Random random = new Random(lengthMax);
    for (int round = 0; round < 6; round++) {
      int target = round % 2 == 0 ? 4_000_000 / lengthMax : 50;
      for (int step = 0; step < 20_000; step++) {
        boolean grows = random.nextInt(Math.max(1, 2 * target)) >= model.size();
        if (grows || model.isEmpty()) {
          int length = Arena.HEADER + random.nextInt(lengthMax - Arena.HEADER);
          model.add(allocate(length, (byte) random.nextInt()));
        } else {
          freeAt(random.nextInt(model.size()));
        }
      }
      model.forEach(this::assertIntact);
      assertThat(arena.usedBytes()).isBetween(modelBytes(), modelBytes() + 8L * model.size());
      assertThat(arena.chunkBytes()).isGreaterThanOrEqualTo(arena.usedBytes());
    }
    while (!model.isEmpty()) freeAt(random.nextInt(model.size()));
    assertThat(arena.usedBytes()).isZero();
    assertThat(arena.chunkBytes()).as("the newest chunk is kept").isLessThanOrEqualTo(1 << 20);
  }

  @Test
  void freedNeighbours_becomeOneBlock() {
    for (int i = 0; i < 3000; i++) model.add(allocate(100, (byte) i));
    long before = arena.chunkBytes();
    for (Block block : model.subList(0, 1500)) arena.free(block.address, block.length);
    for (int i = 0; i < 150; i++) allocate(1000, (byte) i);
    model.subList(1500, 3000).forEach(this::assertIntact);
    assertThat(arena.chunkBytes()).isEqualTo(before);
  }

  @Test
  void smallTable_takesLittleMemory() {
    allocate(24, (byte) 1);
    assertThat(arena.chunkBytes()).isLessThan(200);
    for (int i = 1; i < 1000; i++) allocate(24, (byte) 1);
    assertThat(arena.chunkBytes()).isLessThan(24_000 * 5 / 4 + 200);
  }

  @Test
  void reserve_leavesRoomForTheNextBlock() {
    allocate(24, (byte) 1);
    arena.reserve(Arena.BLOCK_MAX);
    long before = arena.chunkBytes();
    allocate(Arena.BLOCK_MAX, (byte) 2);
    assertThat(arena.chunkBytes()).isEqualTo(before);
  }

  @Test
  void freedTwice_fails() {
    Block block = allocate(24, (byte) 1);
    allocate(24, (byte) 2);
    arena.free(block.address, block.length);
    assertThatThrownBy(() -> arena.free(block.address, block.length))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void touch_ofAnyAddress_readsNothingOutside() {
    allocate(24, (byte) 1);
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      int unused = arena.touch(random.nextInt());
    }
    assertThat(arena.touch(1)).isZero();
  }
}
