package dev.kermes.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.config.Settings;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.LogReplay;
import dev.kermes.server.time.Clock;
import dev.kermes.testing.RespSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A part of an append only file, cut at every byte and with every bit flipped. */
final class DamagedAppendOnlyTest {

  private static final List<List<String>> UNITS =
      List.of(
          List.of("SELECT 0"),
          List.of("SET a 1 PXAT 99999999999999"),
          List.of("RPUSH l a b c"),
          List.of("MULTI", "SELECT 1", "SADD s 1 2", "SELECT 0", "HSET h f v", "EXEC"),
          List.of("XADD x 1-1 f v"),
          List.of("LPOP l"),
          List.of("DEL a"));

  @TempDir private Path folder;
  private byte[] sample;

  /** The offset at which each unit ends, and the number of keys at that point. */
  private final List<int[]> ends = new ArrayList<>();

  private static final int[] KEYS_AFTER = {0, 1, 2, 4, 5, 5, 4};

  @BeforeEach
  void write() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ends.add(new int[] {0, 0});
    for (int i = 0; i < UNITS.size(); i++) {
      for (String command : UNITS.get(i)) {
        file.writeBytes(RespSocket.encode(List.of(command.split(" "))));
      }
      ends.add(new int[] {file.size(), KEYS_AFTER[i]});
    }
    sample = file.toByteArray();
    Files.createDirectories(folder.resolve("appendonlydir"));
    Files.writeString(
        folder.resolve("appendonlydir/appendonly.aof.manifest"), "file part seq 1 type i\n");
  }

  private Path part() {
    return folder.resolve("appendonlydir/part");
  }

  /** Loads the folder with this part; returns the number of keys in all databases. */
  private int load(byte[] content) throws IOException {
    Files.write(part(), content);
    Settings settings = new Settings();
    settings.configure("dir", folder.toString());
    settings.configure("appendonly", "yes");
    CommandTable table = CommandTable.standard();
    Engine engine = new Engine(Clock.system(), new Random(1), settings, table, null);
    try {
      engine.appendOnly().start(() -> new LogReplay(engine, table));
      return engine.keyspace().databases().stream().mapToInt(database -> database.size()).sum();
    } finally {
      engine.appendOnly().close();
    }
  }

  @Test
  void cutAtEveryByte_hasTheWholeUnitsBefore() throws IOException {
    for (int length = 0; length <= sample.length; length++) {
      int at = length;
      int[] last = ends.stream().filter(end -> end[0] <= at).reduce((a, b) -> b).orElseThrow();
      assertThat(load(Arrays.copyOf(sample, length))).as("length=%d", length).isEqualTo(last[1]);
      assertThat(Files.size(part())).as("length=%d", length).isEqualTo(last[0]);
    }
  }

  @Test
  void everyBitFlipped_isLoadedOrRefused() throws IOException {
    int refused = 0;
    for (int bit = 0; bit < 8 * sample.length; bit++) {
      byte[] damaged = sample.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(load(damaged)).isBetween(0, 6);
      } catch (IOException e) {
        assertThat(e).as("bit=%d", bit).hasMessageContaining("offset=");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(sample.length); // the whole structure is checked
  }
}
