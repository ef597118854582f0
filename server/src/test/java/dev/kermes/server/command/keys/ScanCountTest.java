package dev.kermes.server.command.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.RespReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** COUNT of SCAN and its relatives is the number of entries that a call visits, matching or not. */
final class ScanCountTest extends CommandTest {

  private static final int ENTRIES = 10_000;
  private static final int COUNT = 100;

  @ParameterizedTest
  @CsvSource({
    "HSCAN, ",
    "HSCAN, MATCH nomatch*",
    "HSCAN, NOVALUES",
    "SSCAN, ",
    "SSCAN, MATCH nomatch*",
    "ZSCAN, ",
    "ZSCAN, MATCH nomatch*"
  })
  void calls_areAsManyAsCountSays(String command, String option) throws IOException {
    fill(command);
    List<String> words = new ArrayList<>(List.of(command, "c", "0", "COUNT", "" + COUNT));
    if (option != null) words.addAll(List.of(option.split(" ")));
    int calls = 0;
    do {
      RespReply page = socket.call(words);
      words.set(2, page.elements().get(0).payload());
      calls++;
    } while (!words.get(2).equals("0"));
    assertThat(calls).isBetween(ENTRIES / COUNT * 9 / 10, ENTRIES / COUNT);
  }

  @ParameterizedTest
  @CsvSource({"HSCAN, 2", "SSCAN, 1", "ZSCAN, 2"})
  void firstPage_isFull(String command, int elementsPerEntry) throws IOException {
    fill(command);
    RespReply page = socket.call(command, "c", "0", "COUNT", "50");
    assertThat(page.elements().get(1).elements().size() / elementsPerEntry).isBetween(50, 70);
  }

  private void fill(String command) throws IOException {
    for (int i = 0; i < ENTRIES; i++) {
      switch (command) {
        case "HSCAN" -> socket.call("HSET", "c", "f" + i, "v");
        case "SSCAN" -> socket.call("SADD", "c", "m" + i);
        default -> socket.call("ZADD", "c", "" + i, "m" + i);
      }
    }
  }
}
