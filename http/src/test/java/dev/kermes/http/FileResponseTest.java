package dev.kermes.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.http.internal.files.CachedFile;
import dev.kermes.http.internal.files.FileCache;
import dev.kermes.http.internal.syntax.HttpDates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files: conditions and ranges of RFC 9110, and files that must not be served. */
class FileResponseTest {

  private static final String TEXT = "0123456789";
  private static final String CHANGED = "Sun, 06 Nov 1994 08:49:37 GMT";
  private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
  private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";

  @TempDir Path parent;

  private final HttpServer server = new HttpServer(0);
  private Path folder = Path.of("");
  private String etag = "";

  @BeforeEach
  void start() throws IOException {
    folder = Files.createDirectory(parent.resolve("public"));
    Path file = Files.writeString(folder.resolve("a.txt"), TEXT);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("1994-11-06T08:49:37.5Z")));
    server.files("/{file}**", folder).start();
    etag = Wire.get(server, "/a.txt").header("etag");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void get_sendsTheWholeFile() throws IOException {
    Wire.Reply reply = Wire.get(server, "/a.txt");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).isEqualTo(TEXT);
    assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(reply.header("last-modified")).isEqualTo(CHANGED);
    assertThat(reply.header("accept-ranges")).isEqualTo("bytes");
    assertThat(reply.header("etag")).matches("\"[0-9a-f]+-a-[0-9a-f]+\"");
    assertThat(reply.header("date")).endsWith("GMT");
  }

  @Test
  void head_sendsTheHeadOfGet() throws IOException {
    try (Wire wire = new Wire(server)) {
      Wire.Reply head = wire.send("HEAD /a.txt HTTP/1.1\r\nHost: x\r\n\r\n").reply(true);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("content-length")).isEqualTo("10");
      Wire.Reply next = wire.send("GET /a.txt HTTP/1.1\r\nHost: x\r\n\r\n").reply();
      assertThat(next.text()).isEqualTo(TEXT);
    }
  }

  // ---- conditions; RFC 9110, 13.1

  /** E is the file's tag, C its modification time, B the second before, A the second after. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // 13.1.1 If-Match
        "If-Match: E                                          | 200",
        "If-Match: *                                          | 200",
        "If-Match: \"x\", E                                   | 200",
        "If-Match: \"x\"                                      | 412",
        "If-Match: W/E                                        | 412",
        // 13.1.2 If-None-Match
        "If-None-Match: E                                     | 304",
        "If-None-Match: W/E                                   | 304",
        "If-None-Match: *                                     | 304",
        "If-None-Match: \"x,y\", E                            | 304",
        "If-None-Match: \"x\"                                 | 200",
        "If-None-Match: broken                                | 200",
        // 13.1.3 If-Modified-Since
        "If-Modified-Since: C                                 | 304",
        "If-Modified-Since: A                                 | 304",
        "If-Modified-Since: B                                 | 200",
        "If-Modified-Since: nonsense                          | 200",
        // 13.1.4 If-Unmodified-Since
        "If-Unmodified-Since: C                               | 200",
        "If-Unmodified-Since: A                               | 200",
        "If-Unmodified-Since: B                               | 412",
        "If-Unmodified-Since: nonsense                        | 200",
        // 13.2.2 the order: tags before times
        "If-Match: E; If-Unmodified-Since: B                  | 200",
        "If-Match: \"x\"; If-Unmodified-Since: A              | 412",
        "If-None-Match: \"x\"; If-Modified-Since: A           | 200",
        "If-None-Match: E; If-Modified-Since: B               | 304",
        "If-Match: \"x\"; If-None-Match: E                    | 412",
        "If-Match: E; If-None-Match: E                        | 304",
        // conditions before ranges
        "If-None-Match: E; Range: bytes=0-1                   | 304",
        "If-Match: \"x\"; Range: bytes=0-1                    | 412",
        "If-None-Match: \"x\"; Range: bytes=0-1               | 206",
      })
  void conditions_decideTheStatus(String fields, int status) throws IOException {
    Wire.Reply reply = Wire.get(server, "/a.txt", lines(fields));
    assertThat(reply.status()).isEqualTo(status);
    if (status == 304) {
      assertThat(reply.header("etag")).isEqualTo(etag);
      assertThat(reply.header("last-modified")).isEqualTo(CHANGED);
      assertThat(reply.header("content-type")).isEmpty();
    }
  }

  private String[] lines(String fields) {
    List<String> lines = new ArrayList<>();
    for (String field : fields.strip().split("; ")) {
      int colon = field.indexOf(": ");
      String value = field.substring(colon + 2);
      value =
          switch (value) {
            case "C" -> CHANGED;
            case "B" -> BEFORE;
            case "A" -> AFTER;
            default -> value.replace("E", etag);
          };
      lines.add(field.substring(0, colon + 2) + value);
    }
    return lines.toArray(String[]::new);
  }

  // ---- ranges; RFC 9110, 14

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-0      | 0          | bytes 0-0/10",
        "bytes=0-9      | 0123456789 | bytes 0-9/10",
        "bytes=3-5      | 345        | bytes 3-5/10",
        "bytes=9-9      | 9          | bytes 9-9/10",
        "bytes=9-       | 9          | bytes 9-9/10",
        "bytes=7-       | 789        | bytes 7-9/10",
        "bytes=7-100    | 789        | bytes 7-9/10",
        "bytes=-1       | 9          | bytes 9-9/10",
        "bytes=-10      | 0123456789 | bytes 0-9/10",
        "bytes=-11      | 0123456789 | bytes 0-9/10",
        "BYTES=1-2      | 12         | bytes 1-2/10",
        "bytes= 1-2     | 12         | bytes 1-2/10",
        "bytes=1-2,     | 12         | bytes 1-2/10",
        "bytes=1-2,20-30 | 12        | bytes 1-2/10",
        "bytes=0-99999999999999999999 | 0123456789 | bytes 0-9/10",
      })
  void range_one_isSent(String range, String text, String contentRange) throws IOException {
    Wire.Reply reply = Wire.get(server, "/a.txt", "Range: " + range);
    assertThat(reply.status()).isEqualTo(206);
    assertThat(reply.text()).isEqualTo(text);
    assertThat(reply.header("content-range")).isEqualTo(contentRange);
    assertThat(reply.header("etag")).isEqualTo(etag);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=10-",
        "bytes=10-20",
        "bytes=99999999999999999999-",
        "bytes=-0",
        "bytes=10-,20-"
      })
  void range_beyondTheEnd_isAnswered416(String range) throws IOException {
    Wire.Reply reply = Wire.get(server, "/a.txt", "Range: " + range);
    assertThat(reply.status()).isEqualTo(416);
    assertThat(reply.header("content-range")).isEqualTo("bytes */10");
  }

  /** A malformed field, another unit, or useless ranges are ignored. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=5-3",
        "bytes=1",
        "bytes=--1",
        "bytes 0-1",
        "lines=0-1",
        "0-1",
        "bytes=0-5,3-7",
        "bytes=0-,0-,0-",
        "bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8,9-9,9-9,9-9,9-9,9-9,9-9,9-9,9-9"
      })
  void range_invalid_isIgnored(String range) throws IOException {
    Wire.Reply reply = Wire.get(server, "/a.txt", "Range: " + range);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).isEqualTo(TEXT);
  }

  @Test
  void ranges_several_areSentAsMultipart() throws IOException {
    Wire.Reply reply = Wire.get(server, "/a.txt", "Range: bytes=0-1,-2");
    assertThat(reply.status()).isEqualTo(206);
    String type = reply.header("content-type");
    assertThat(type).startsWith("multipart/byteranges; boundary=");
    String boundary = type.substring(type.indexOf('=') + 1);
    String part = "\r\n--%s\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes ";
    assertThat(reply.text())
        .isEqualTo(
            (part + "0-1/10\r\n\r\n01" + part + "8-9/10\r\n\r\n89\r\n--%s--\r\n")
                .formatted(boundary, boundary, boundary));
  }

  /** 13.1.5: the range applies only to the state of the file that the client has. */
  @Test
  void ifRange_appliesToTheNamedStateOnly() throws IOException {
    String range = "Range: bytes=1-2";
    assertThat(Wire.get(server, "/a.txt", range, "If-Range: " + etag).text()).isEqualTo("12");
    assertThat(Wire.get(server, "/a.txt", range, "If-Range: " + CHANGED).text()).isEqualTo("12");
    for (String other : List.of("\"x\"", "W/" + etag, BEFORE, AFTER, "nonsense")) {
      Wire.Reply reply = Wire.get(server, "/a.txt", range, "If-Range: " + other);
      assertThat(reply.text()).as(other).isEqualTo(TEXT);
    }
  }

  @Test
  void range_ofHead_isIgnored() throws IOException {
    Wire.Reply reply =
        Wire.ask(server, "HEAD /a.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=1-2\r\n\r\n");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-length")).isEqualTo("10");
  }

  // ---- which files

  @Test
  void fileOutsideTheRoot_isNotFound() throws IOException {
    Files.writeString(parent.resolve("secret"), "secret");
    Files.createSymbolicLink(folder.resolve("link"), parent.resolve("secret"));
    Files.createSymbolicLink(folder.resolve("up"), parent);
    for (String path :
        List.of("/link", "/up/secret", "//etc/passwd", "/a.txt/", "/./link", "///../secret")) {
      assertThat(Wire.get(server, path).status()).as(path).isIn(400, 404);
    }
  }

  @Test
  void hiddenFile_isNotFound() throws IOException {
    Files.writeString(folder.resolve(".env"), "secret");
    Files.createDirectory(folder.resolve(".git"));
    Files.writeString(folder.resolve(".git/config"), "secret");
    for (String path : List.of("/.env", "/%2eenv", "/.git/config", "/x/../.env")) {
      assertThat(Wire.get(server, path).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void directory_sendsItsIndex() throws IOException {
    assertThat(Wire.get(server, "/").status()).isEqualTo(404);
    Files.createDirectory(folder.resolve("sub"));
    Files.writeString(folder.resolve("sub/index.html"), "<p>");
    assertThat(Wire.get(server, "/sub/").text()).isEqualTo("<p>");
    assertThat(Wire.get(server, "/sub").status()).isEqualTo(308);
  }

  @Test
  void emptyFile_isSent() throws IOException {
    Files.createFile(folder.resolve("empty"));
    assertThat(Wire.get(server, "/empty").bytes()).isEmpty();
    assertThat(Wire.get(server, "/empty", "Range: bytes=0-0").status()).isEqualTo(416);
    assertThat(Wire.get(server, "/empty", "Range: bytes=0-").status()).isEqualTo(416);
    assertThat(Wire.get(server, "/empty", "Range: bytes=-1").status()).isEqualTo(200);
    assertThat(Wire.get(server, "/empty", "Range: bytes=-0").status()).isEqualTo(416);
  }

  @Test
  void otherMethods_areAnswered405() throws IOException {
    Wire.Reply reply =
        Wire.ask(server, "POST /a.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow")).isEqualTo("GET, HEAD, OPTIONS");
  }

  /** A file too large for memory is sent from the disk, also in ranges. */
  @Test
  void largeFile_isSentWholeAndInRanges() throws IOException {
    byte[] bytes = new byte[5_000_000];
    new Random(1).nextBytes(bytes);
    Files.write(folder.resolve("large"), bytes);
    try (Wire wire = new Wire(server)) {
      for (int i = 0; i < 3; i++) {
        wire.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(wire.reply().bytes()).isEqualTo(bytes);
      }
      wire.send("GET /large HTTP/1.1\r\nHost: x\r\nRange: bytes=4000000-4000009\r\n\r\n");
      byte[] part = Arrays.copyOfRange(bytes, 4_000_000, 4_000_010);
      assertThat(wire.reply().bytes()).isEqualTo(part);
    }
  }

  @Test
  void changedFile_isNoticedWithinTheCheckInterval() throws Exception {
    Files.writeString(folder.resolve("b.txt"), "old");
    assertThat(Wire.get(server, "/b.txt").text()).isEqualTo("old");
    Files.writeString(folder.resolve("b.txt"), "newer");
    long deadline = System.nanoTime() + 20 * FileCache.FRESH_NANOS;
    String text = "old";
    while (text.equals("old") && System.nanoTime() < deadline) {
      Thread.sleep(20);
      text = new String(Wire.get(server, "/b.txt").bytes(), StandardCharsets.UTF_8);
    }
    assertThat(text).isEqualTo("newer");
    Files.delete(folder.resolve("b.txt"));
    int status = 200;
    while (status == 200 && System.nanoTime() < deadline) {
      Thread.sleep(20);
      status = Wire.get(server, "/b.txt").status();
    }
    assertThat(status).isEqualTo(404);
  }

  // ---- replaced files

  @ParameterizedTest
  @ValueSource(ints = {9, 100_000})
  void fileReplacedBySameSizeAndTime_isNoticed(int length) throws Exception {
    FileTime time = FileTime.fromMillis(1_000_000_000);
    Path file = Files.writeString(folder.resolve("page"), "1".repeat(length));
    Files.setLastModifiedTime(file, time);
    Wire.Reply before = Wire.get(server, "/page");
    Path other = Files.writeString(folder.resolve("new"), "2".repeat(length));
    Files.setLastModifiedTime(other, time);
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Wire.Reply after = before;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (after.text().startsWith("1") && System.nanoTime() < end) {
      after = Wire.get(server, "/page");
    }
    assertThat(after.text()).isEqualTo("2".repeat(length));
    assertThat(after.header("etag")).isNotEqualTo(before.header("etag"));
    String condition = "If-None-Match: " + before.header("etag");
    assertThat(Wire.get(server, "/page", condition).status()).isEqualTo(200);
  }

  @Test
  void changingLink_neverServesAFileOutside() throws Exception {
    Path outside = Files.createDirectory(parent.resolve("outside"));
    Files.writeString(outside.resolve("f"), "outside!");
    Path inside = Files.createDirectory(folder.resolve("inside"));
    Files.writeString(inside.resolve("f"), "inside");
    Path link = folder.resolve("link");
    AtomicBoolean isOver = new AtomicBoolean();
    Thread flipping =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; !isOver.get(); i++) {
                try {
                  Path next = parent.resolve("next");
                  Files.createSymbolicLink(next, i % 2 == 0 ? outside : inside);
                  Files.move(
                      next,
                      link,
                      StandardCopyOption.ATOMIC_MOVE,
                      StandardCopyOption.REPLACE_EXISTING);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    try {
      int served = 0;
      // More attempts on a busy machine, where the link may point outside for long.
      for (int i = 0; i < 400 || served == 0 && i < 100_000; i++) {
        FileCache cache = new FileCache(); // so that the file is opened each time
        try {
          CachedFile file = cache.open("f", link.resolve("f"), folder, false);
          assertThat(file.size()).isEqualTo("inside".length());
          file.release();
          served++;
        } catch (NoSuchFileException e) {
          // the link pointed outside
        }
        cache.close();
      }
      assertThat(served).isPositive();
    } finally {
      isOver.set(true);
      flipping.join();
    }
  }

  @Test
  void modificationTimeInTheFuture_lastModifiedIsNotLaterThanDate() throws IOException {
    Path file = Files.writeString(folder.resolve("future"), "x");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(86_400)));
    Wire.Reply reply = Wire.get(server, "/future");
    assertThat(HttpDates.parse(reply.header("last-modified")))
        .isLessThanOrEqualTo(HttpDates.parse(reply.header("date")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void parse_threeDateFormats(String date) throws IOException {
    assertThat(Wire.get(server, "/a.txt", "If-Modified-Since: " + date).status()).isEqualTo(304);
    assertThat(HttpDates.parse(date)).isEqualTo(784_111_777);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Sun",
        "Sunday, 06-Nov-94",
        "Sun Nov 6",
        "Foo, 06 Nov 1994 08:49:37 GMT",
        ",",
        "1994"
      })
  void parse_invalidDate_returnsNone(String date) {
    assertThat(HttpDates.parse(date)).isEqualTo(HttpDates.NONE);
  }

  @Test
  void ifRange_dateOfTheCurrentSecond_isIgnored() throws IOException {
    Path file = Files.writeString(folder.resolve("fresh"), TEXT);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(3600)));
    Wire.Reply whole = Wire.get(server, "/fresh"); // "now": its time is not over
    String condition = "If-Range: " + HttpDates.format(Instant.now().getEpochSecond() + 3600);
    assertThat(Wire.get(server, "/fresh", "Range: bytes=0-1", condition).status()).isEqualTo(200);
    String old = "If-Range: " + CHANGED;
    assertThat(Wire.get(server, "/a.txt", "Range: bytes=0-1", old).status()).isEqualTo(206);
    assertThat(whole.status()).isEqualTo(200);
  }

  @Test
  void redirectToADirectory_keepsTheQuery() throws IOException {
    Files.createDirectory(folder.resolve("sub"));
    Files.writeString(folder.resolve("sub/index.html"), "<p>");
    assertThat(Wire.get(server, "/sub?x=1&y=%2F").header("location")).isEqualTo("/sub/?x=1&y=%2F");
  }

  // ---- errors

  @Test
  void errors_areHtmlForBrowsersAndJsonForOthers() throws IOException {
    Wire.Reply page =
        Wire.get(server, "/no<such", "Accept: text/html,application/xhtml+xml,*/*;q=0.8");
    assertThat(page.status()).isEqualTo(404);
    assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.text()).contains("<h1>404 Not Found</h1>").doesNotContain("no<such");
    for (String accept : List.of("*/*", "application/json", "application/json, text/html")) {
      Wire.Reply problem = Wire.get(server, "/nosuch", "Accept: " + accept);
      assertThat(problem.header("content-type")).isEqualTo("application/problem+json");
      assertThat(problem.header("vary")).isEqualTo("accept");
    }
  }
}
