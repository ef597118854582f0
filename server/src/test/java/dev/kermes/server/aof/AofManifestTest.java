package dev.kermes.server.aof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AofManifestTest {

  private static final String TEXT =
      """
      file a.aof.2.base.rdb seq 2 type b
      file a.aof.1.incr.aof seq 1 type h
      file a.aof.2.incr.aof seq 2 type i
      file a.aof.3.incr.aof seq 3 type i
      """;

  @Test
  void parse_isTheOppositeOfText() throws IOException {
    assertThat(AofManifest.parse(TEXT).text()).isEqualTo(TEXT);
  }

  @Test
  void parse_quotedName_isUnquoted() throws IOException {
    String text = "file \"a \\\"b\\\" c\" seq 1 type b\n";
    AofManifest manifest = AofManifest.parse("# written by hand\n" + text);
    assertThat(manifest.base()).isEqualTo(new AofManifest.Part("a \"b\" c", 1));
    assertThat(manifest.text()).isEqualTo(text);
  }

  @Test
  void text_nameWithControlCharacters_staysInItsLine() throws IOException {
    AofManifest.Part part = new AofManifest.Part("a\n\r\t\b\u0007\u0001\u007f\\ é", 1);
    AofManifest manifest = AofManifest.EMPTY.with(part, 1);
    assertThat(manifest.text())
        .isEqualTo("file \"a\\n\\r\\t\\b\\a\\x01\\x7f\\\\ é\" seq 1 type b\n");
    assertThat(AofManifest.parse(manifest.text())).isEqualTo(manifest);
  }

  @Test
  void withBase_whatCameBeforeIsHistory() throws IOException {
    AofManifest manifest = AofManifest.parse(TEXT);
    AofManifest next = manifest.with(manifest.nextBase("a.aof", true), 3);
    assertThat(next.text())
        .isEqualTo(
            """
            file a.aof.3.base.rdb seq 3 type b
            file a.aof.2.incr.aof seq 2 type h
            file a.aof.2.base.rdb seq 2 type h
            file a.aof.1.incr.aof seq 1 type h
            file a.aof.3.incr.aof seq 3 type i
            """);
    assertThat(next.withoutHistory().nextIncrement("a.aof").name()).isEqualTo("a.aof.4.incr.aof");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "file a seq 1",
        "file a seq x type i",
        "file a seq 1 type z",
        "file ../a seq 1 type i",
        "file a seq 1 type b\nfile b seq 2 type b",
        "file a seq 2 type i\nfile b seq 1 type i"
      })
  void parse_notSound_throws(String text) {
    assertThatThrownBy(() -> AofManifest.parse(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line=");
  }
}
