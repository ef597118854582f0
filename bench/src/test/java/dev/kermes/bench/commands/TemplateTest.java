package dev.kermes.bench.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TemplateTest {

  private static final Size SIZE = Size.of(3, 4, true);

  private static String text(String line, Numbers numbers) {
    Template template = new Template(line, new Bindings(SIZE));
    RequestBuffer buffer = new RequestBuffer(template.lengthMax());
    template.put(buffer, numbers);
    return new String(buffer.bytes(), 0, buffer.length(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void put_placeholders_areReplaced() {
    Numbers numbers = new Numbers(SIZE, 12);
    assertThat(text("SET k:{connection}:{value} {count}", numbers))
        .isEqualTo("*3\r\n$3\r\nSET\r\n$9\r\nk:12:xxxx\r\n$1\r\n3\r\n");
    assertThat(text("LINDEX {last} {next}", numbers))
        .isEqualTo("*3\r\n$6\r\nLINDEX\r\n$1\r\n2\r\n$1\r\n2\r\n");
  }

  @Test
  void put_group_isRepeatedPerElement() {
    assertThat(text("SADD s [ m:{index} ] z", new Numbers(SIZE, 0)))
        .isEqualTo(
            String.join("\r\n", "*6", "$4", "SADD", "$1", "s", "$3", "m:0", "$3", "m:1", "")
                + String.join("\r\n", "$3", "m:2", "$1", "z", ""));
  }

  @Test
  void words_quotes_keepWordsTogether() {
    assertThat(Template.words("EVAL \"local t = {}\\nreturn 1\" 0"))
        .isEqualTo(List.of("EVAL", "local t = {}\nreturn 1", "0"));
  }

  @Test
  void put_numbersOfACycle_areTheSameInAllCommands() {
    Numbers numbers = new Numbers(SIZE, 0);
    String first = text("GET {key}:{element}", numbers);
    assertThat(text("GET {key}:{element}", numbers)).isEqualTo(first);
    numbers.nextCycle();
    assertThat(text("GET {next}", numbers)).contains("\r\n3\r\n");
  }
}
