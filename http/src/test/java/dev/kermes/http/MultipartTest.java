package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.http.internal.forms.MultipartReader;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms; RFC 7578 and RFC 2046, 5.1. */
class MultipartTest {

  private static final String FORM =
      String.join(
          "\r\n",
          "preamble",
          "--xx",
          "Content-Disposition: form-data; name=\"a\"",
          "",
          "one",
          "--xx \t",
          "content-disposition: form-data; name=b; filename=\"C:\\\\dir\\\\f.txt\"",
          "Content-Type: text/css",
          "",
          "two",
          "--x",
          "-",
          "--xx",
          "",
          "",
          "--xx--",
          "epilogue");

  private static MultipartReader reader(String form) {
    return reader(new ByteArrayInputStream(form.getBytes(UTF_8)));
  }

  private static MultipartReader reader(InputStream in) {
    return MultipartReader.of("multipart/form-data; boundary=xx", in, 1 << 20);
  }

  private static List<String> texts(MultipartReader reader) throws IOException {
    List<String> texts = new ArrayList<>();
    while (reader.hasNext()) texts.add(reader.next().text());
    return texts;
  }

  @Test
  void parts_haveFieldsAndContent() throws IOException {
    MultipartReader reader = reader(FORM);
    Part a = reader.next();
    assertThat(a.name()).isEqualTo("a");
    assertThat(a.fileName()).isNull();
    assertThat(a.contentType()).isEqualTo("text/plain");
    assertThat(a.text()).isEqualTo("one");
    Part b = reader.next();
    assertThat(b.name()).isEqualTo("b");
    assertThat(b.fileName()).isEqualTo("f.txt");
    assertThat(b.contentType()).isEqualTo("text/css");
    assertThat(b.text()).isEqualTo("two\r\n--x\r\n-");
    Part empty = reader.next();
    assertThat(empty.name()).isEmpty();
    assertThat(empty.text()).isEmpty();
    assertThat(reader.hasNext()).isFalse();
  }

  @Test
  void parts_byteByByte_areTheSame() throws IOException {
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(FORM.getBytes(UTF_8))) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return super.read(bytes, offset, 1);
          }
        };
    assertThat(texts(reader(slow))).containsExactly("one", "two\r\n--x\r\n-", "");
  }

  @Test
  void next_skipsTheUnreadContent() {
    MultipartReader reader = reader(FORM);
    Part a = reader.next();
    assertThat(reader.next().name()).isEqualTo("b");
    assertThat(a.stream()).isEmpty();
  }

  /** Content with many prefixes of the delimiter, across many buffers. */
  @Test
  void content_similarToTheDelimiter_isKept() throws IOException {
    Random random = new Random(5);
    String[] pieces = {"\r", "\n", "-", "x", "\r\n", "\r\n-", "\r\n--", "\r\n--x", "y"};
    StringBuilder content = new StringBuilder();
    while (content.length() < 100_000) content.append(pieces[random.nextInt(pieces.length)]);
    String text = content.toString().replace("\r\n--xx", "z");
    assertThat(texts(reader("--xx\r\n\r\n" + text + "\r\n--xx--"))).containsExactly(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--xx",
        "--xx\r\n",
        "--xx\r\n\r\nnever ends",
        "--xx\r\n\r\nno dashes\r\n--x--",
        "--xxy\r\n\r\na\r\n--xx--",
        "--xx\r\nno colon\r\n\r\na\r\n--xx--",
        "--xx\r\n: no name\r\n\r\na\r\n--xx--",
        "--xx\r\n folded: line\r\n\r\na\r\n--xx--",
      })
  void malformedForm_throws400(String form) {
    assertThatThrownBy(() -> texts(reader(form)))
        .isInstanceOfSatisfying(HttpException.class, e -> assertThat(e.status()).isEqualTo(400));
  }

  @Test
  void tooManyPartsOrFields_throw413() {
    assertTooMuch("--xx\r\n\r\na\r\n".repeat(1001) + "--xx--");
    assertTooMuch("--xx\r\nA: " + "b".repeat(9000) + "\r\n\r\na\r\n--xx--");
    assertTooMuch("--xx\r\n" + "A: b\r\n".repeat(3000) + "\r\na\r\n--xx--");
    assertTooMuch("--xx\r\n\r\n" + "a".repeat(2 << 20) + "\r\n--xx--");
  }

  private static void assertTooMuch(String form) {
    assertThatThrownBy(() -> texts(reader(form)))
        .isInstanceOfSatisfying(HttpException.class, e -> assertThat(e.status()).isEqualTo(413));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "multipart/form-data; boundary=xx | 0",
        "Multipart/Form-Data;charset=utf-8; Boundary=\"xx\" | 0",
        "multipart/form-data | 400",
        "multipart/form-data; boundary= | 400",
        "multipart/form-data; boundary=\"xx \" | 400",
        "multipart/form-data; boundary=a@b | 400",
        "multipart/mixed; boundary=xx | 415",
        "application/json | 415",
      })
  void contentType_decidesTheStatus(String type, int status) {
    InputStream in = new ByteArrayInputStream("--xx--".getBytes(UTF_8));
    if (status == 0) {
      assertThat(MultipartReader.of(type, in, 1).hasNext()).isFalse();
    } else {
      assertThatThrownBy(() -> MultipartReader.of(type, in, 1))
          .isInstanceOfSatisfying(
              HttpException.class, e -> assertThat(e.status()).isEqualTo(status));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "\"a.txt\" | a.txt",
        "a.txt | a.txt",
        "\"../../etc/passwd\" | passwd",
        "\"..\" | none",
        "\"a/\" | none",
        "\"\" | none",
        "\"a\\\"b\" | a\"b",
      })
  void fileName_isNeverAPath(String field, String expected) {
    String head = "--xx\r\nContent-Disposition: form-data; name=x; filename=" + field;
    assertThat(reader(head + "\r\n\r\na\r\n--xx--").next().fileName()).isEqualTo(expected);
  }

  @Test
  void saveTo_limitsTheLength(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("f");
    assertThat(reader(FORM).next().saveTo(file, 3)).isEqualTo(3);
    assertThat(file).hasContent("one");
    Path other = folder.resolve("g");
    assertThatThrownBy(() -> reader(FORM).next().saveTo(other, 2))
        .isInstanceOf(HttpException.class);
    assertThat(Files.exists(other)).isFalse();
  }

  @Test
  void server_readsForms() throws IOException {
    try (HttpServer server = new HttpServer(0)) {
      server.post(
          "/parts",
          request -> {
            StringBuilder names = new StringBuilder();
            for (Part part : request.parts())
              names.append(part.name()).append('=').append(part.text()).append(';');
            request.respond(ok(names.toString()));
          });
      server.post("/form", request -> request.respond(ok(request.form().toString())));
      server.start();
      String type = "Content-Type: multipart/form-data; boundary=xx\r\n";
      assertThat(post(server, "/parts", type, FORM).text()).startsWith("a=one;b=two");
      assertThat(post(server, "/parts", type, "--xx\r\n\r\nno end").status()).isEqualTo(400);
      assertThat(post(server, "/parts", "", FORM).status()).isEqualTo(415);
      String form = "Content-Type: application/x-www-form-urlencoded\r\n";
      assertThat(post(server, "/form", form, "a=1&b=%20x+y&a=2").text())
          .isEqualTo("{a=[1, 2], b=[ x y]}");
      assertThat(post(server, "/form", "", "a=1").status()).isEqualTo(415);
    }
  }

  private static Wire.Reply post(HttpServer server, String path, String fields, String body)
      throws IOException {
    return Wire.ask(
        server,
        "POST "
            + path
            + " HTTP/1.1\r\nHost: x\r\n"
            + fields
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }
}
