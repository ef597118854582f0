package dev.kermes.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.cli.server.ServerOptions.Option;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerOptionsTest {

  @TempDir Path folder;

  private static List<Option> parse(String... args) {
    return ServerOptions.parse(args, InputStream.nullInputStream());
  }

  @Test
  void parse_options_inOrder() {
    assertThat(parse()).isEmpty();
    assertThat(parse("--port", "1", "--save", "3600", "1", "--requirepass", "-p"))
        .containsExactly(
            new Option("port", "1", ""),
            new Option("save", "3600 1", ""),
            new Option("requirepass", "-p", ""));
  }

  @Test
  void parse_fileThenOptions_optionsLast() throws IOException {
    Path file = folder.resolve("redis.conf");
    Files.writeString(file, "# comment\n\n  port 7000 \r\nrequirepass \"a b\"\n");
    assertThat(parse(file.toString(), "--port", "7001"))
        .containsExactly(
            new Option("port", "7000", file + ":3: "),
            new Option("requirepass", "a b", file + ":4: "),
            new Option("port", "7001", ""));
  }

  @Test
  void parse_standardInput_asAFile() {
    InputStream in = new ByteArrayInputStream("port 1".getBytes(StandardCharsets.UTF_8));
    assertThat(ServerOptions.parse(new String[] {"-"}, in))
        .containsExactly(new Option("port", "1", "standard input:1: "));
  }

  @Test
  void parse_wrong_namesIt() {
    assertThatThrownBy(() -> parse("--port")).hasMessage("option without value: name=port");
    assertThatThrownBy(() -> parse("--port", "--save", "x"))
        .hasMessage("option without value: name=port");
    assertThatThrownBy(() -> parse("--", "x")).hasMessage("expected an option: found=--");
    assertThatThrownBy(() -> parse("no-such.conf"))
        .hasMessage("no such configuration file: path=no-such.conf");
  }

  @Test
  void parseFile_saveWithoutValue_isEmpty() {
    assertThat(ServerOptions.parseFile("f", "save\n"))
        .containsExactly(new Option("save", "", "f:1: "));
  }

  @Test
  void parseFile_wrong_namesFileAndLine() {
    assertThatThrownBy(() -> ServerOptions.parseFile("f", "port 1\nport\n"))
        .hasMessage("f:2: option without value: name=port");
    assertThatThrownBy(() -> ServerOptions.parseFile("f", "requirepass \"cut"))
        .hasMessage("f:1: unbalanced quotes");
    assertThatThrownBy(() -> ServerOptions.parseFile("f", "\"\""))
        .hasMessage("f:1: option without value: name=");
  }

  @Test
  void parseFile_hugeAndHostile_isRead() {
    String huge = "x".repeat(2 << 20);
    assertThat(ServerOptions.parseFile("f", "requirepass " + huge).get(0).value()).isEqualTo(huge);
    assertThat(ServerOptions.parseFile("f", "a b\n".repeat(100_000))).hasSize(100_000);
    assertThat(ServerOptions.parseFile("f", "\0 \0\0\n\u00ff x")).hasSize(2);
  }

  @Test
  void parse_binaryOrMissingFile_isAnError() throws IOException {
    Path binary = folder.resolve("binary");
    Files.write(binary, new byte[] {'p', ' ', (byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> parse(binary.toString())).hasMessageContaining(binary.toString());
    assertThatThrownBy(() -> parse(folder.toString())).hasMessageContaining(folder.toString());
    assertThatThrownBy(() -> parse("\0")).isInstanceOf(IllegalArgumentException.class);
  }
}
