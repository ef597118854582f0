package dev.kermes.server.aof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AofReaderTest {

  private static final String GET_A = "*2\r\n$3\r\nGET\r\n$1\r\na\r\n";
  private static final String PING = "*1\r\n$4\r\nPING\r\n";

  private static AofReader reader(String file, long offset) throws IOException {
    byte[] bytes = file.getBytes(StandardCharsets.ISO_8859_1);
    return new AofReader(new ByteArrayInputStream(bytes), offset);
  }

  private static String text(AofReader reader, int command) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < reader.argumentCount(command); i++) {
      int slice = reader.firstSlice(command) + 2 * i;
      int[] slices = reader.slices();
      words.add(
          new String(
              reader.bytes(), slices[slice], slices[slice + 1], StandardCharsets.ISO_8859_1));
    }
    return String.join(" ", words);
  }

  @Test
  void read_severalAtHand_givesAsManyAsAreWanted() throws IOException {
    AofReader reader = reader("skipped" + GET_A + PING + GET_A, 7);
    assertThat(reader.read(2)).isEqualTo(2);
    assertThat(text(reader, 0)).isEqualTo("GET a");
    assertThat(text(reader, 1)).isEqualTo("PING");
    assertThat(reader.commandOffset(0)).isEqualTo(7);
    assertThat(reader.commandOffset(1)).isEqualTo(7 + GET_A.length());
    assertThat(reader.offset()).isEqualTo(7 + GET_A.length() + PING.length());
    assertThat(reader.read(2)).isEqualTo(1);
    assertThat(text(reader, 0)).isEqualTo("GET a");
    assertThat(reader.read(2)).isZero();
  }

  @Test
  void read_annotations_areSkipped() throws IOException {
    AofReader reader = reader("#TS:1\r\n" + PING + "#TS:2\r\n#TS:3\r\n" + GET_A + "#TS:4\r\n", 0);
    assertThat(reader.read(8)).isEqualTo(1);
    assertThat(text(reader, 0)).isEqualTo("PING");
    assertThat(reader.read(8)).isEqualTo(1);
    assertThat(text(reader, 0)).isEqualTo("GET a");
    assertThat(reader.commandOffset(0)).isEqualTo(7 + PING.length() + 14);
    assertThat(reader.read(8)).isZero();
  }

  /** Sound commands are returned first, whatever follows them. */
  @Test
  void read_damageBehindOthers_isMetByTheNextCall() throws IOException {
    AofReader wrong = reader(GET_A + PING + "*x\r\n", 0);
    assertThat(wrong.read(8)).isEqualTo(2);
    assertThat(text(wrong, 1)).isEqualTo("PING");
    assertThatThrownBy(() -> wrong.read(8))
        .isInstanceOfSatisfying(
            AofException.class,
            e -> assertThat(e.offset()).isEqualTo(GET_A.length() + PING.length()));

    AofReader cut = reader(PING + GET_A.substring(0, 15), 0);
    assertThat(cut.read(8)).isEqualTo(1);
    assertThatThrownBy(() -> cut.read(8))
        .isInstanceOfSatisfying(
            AofException.class,
            e -> {
              assertThat(e.endsEarly()).isTrue();
              assertThat(e.offset()).isEqualTo(PING.length());
            });
  }

  @Test
  void read_longerThanTheBuffer_isWhole() throws IOException {
    String value = "x".repeat(3 << 20);
    AofReader reader =
        reader(PING + "*1\r\n$" + value.length() + "\r\n" + value + "\r\n" + PING, 0);
    List<String> all = new ArrayList<>();
    for (int count = reader.read(8); count > 0; count = reader.read(8)) {
      for (int i = 0; i < count; i++) all.add(text(reader, i));
    }
    assertThat(all).containsExactly("PING", value, "PING");
  }
}
