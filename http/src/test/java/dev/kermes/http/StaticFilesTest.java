package dev.kermes.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directory listings, and precompressed variants of files. */
class StaticFilesTest {

  @TempDir Path folder;
  @TempDir Path outside;

  private final HttpServer server = new HttpServer(0);

  @BeforeEach
  void start() throws IOException {
    Files.writeString(folder.resolve("a.js"), "let a; // plain");
    server.files("/plain/{file}**", folder);
    server.files("/listed/{file}**", StaticFiles.of(folder).withListing());
    server.files("/coded/{file}**", StaticFiles.of(folder).withPrecompressed());
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  // ---- listings

  @Test
  void listing_isOffByDefault() throws IOException {
    assertThat(Wire.get(server, "/plain/").status()).isEqualTo(404);
  }

  @Test
  void listing_sortsAndEscapesNames() throws IOException {
    Files.createDirectory(folder.resolve("sub dir"));
    Files.writeString(folder.resolve("<b>&\"x\".txt"), "");
    Files.writeString(folder.resolve("100%;#?.txt"), "");
    Files.writeString(folder.resolve(".hidden"), "");
    Files.createSymbolicLink(folder.resolve("out"), outside);
    Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("not there"));
    Wire.Reply reply = Wire.get(server, "/listed/");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(reply.text())
        .contains("<a href=\"./sub%20dir/\">sub dir/</a>")
        .contains("<a href=\"./a.js\">a.js</a>")
        .contains("&lt;b&gt;&amp;&quot;x&quot;.txt</a>")
        .contains("<a href=\"./100%25%3B%23%3F.txt\">")
        .doesNotContain("<b>")
        .doesNotContain("hidden")
        .doesNotContain("out")
        .doesNotContain("nowhere");
    assertThat(Wire.get(server, "/listed/100%25%3B%23%3F.txt").status()).isEqualTo(200);
  }

  @Test
  void listing_showsSizesAndDates_directoriesFirst_withParentLink() throws IOException {
    Files.createDirectories(folder.resolve("z/inner"));
    Path file = Files.writeString(folder.resolve("z/a"), "x".repeat(1536));
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2024-05-06T07:08:09Z")));
    String page = Wire.get(server, "/listed/z/").text();
    assertThat(page)
        .contains("<title>Index of /listed/z/</title>")
        .contains("color-scheme:light dark")
        .contains("<a href=\"../\">")
        .contains("1.5 KiB")
        .contains("2024-05-06");
    assertThat(page.indexOf("inner/")).isLessThan(page.indexOf("<a href=\"./a\">"));
  }

  @Test
  void listing_ofDirectoryWithIndex_isTheIndex() throws IOException {
    Files.writeString(folder.resolve("index.html"), "index");
    assertThat(Wire.get(server, "/listed/").text()).isEqualTo("index");
  }

  @Test
  void listing_withoutSlash_redirects() throws IOException {
    Files.createDirectory(folder.resolve("d \u00fc"));
    Wire.Reply reply = Wire.get(server, "/listed/d%20%C3%BC");
    assertThat(reply.status()).isEqualTo(308);
    assertThat(reply.header("location")).isEqualTo("/listed/d%20%C3%BC/");
    assertThat(Wire.get(server, "/plain/d%20%C3%BC").status()).isEqualTo(404);
  }

  @Test
  void listing_throughLinkOutOfTheRoot_isNotFound() throws IOException {
    Files.createSymbolicLink(folder.resolve("out"), outside);
    assertThat(Wire.get(server, "/listed/out/").status()).isEqualTo(404);
    assertThat(Wire.get(server, "/listed/out").status()).isEqualTo(404);
    assertThat(Wire.get(server, "/listed/.git/").status()).isEqualTo(404);
    assertThat(Wire.get(server, "/listed/../").status()).isNotEqualTo(500);
  }

  // ---- variants

  private void sibling(String ending, String content) throws IOException {
    Files.writeString(folder.resolve("a.js." + ending), content);
  }

  @Test
  void variant_isSentToClientsThatAcceptIt() throws IOException {
    sibling("br", "in brotli");
    sibling("gz", "in gzip");
    Wire.Reply br = Wire.get(server, "/coded/a.js", "Accept-Encoding: gzip, br");
    assertThat(br.text()).isEqualTo("in brotli");
    assertThat(br.header("content-encoding")).isEqualTo("br");
    assertThat(br.header("content-type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(br.header("vary")).isEqualTo("accept-encoding");
    Wire.Reply gzip = Wire.get(server, "/coded/a.js", "Accept-Encoding: gzip");
    assertThat(gzip.text()).isEqualTo("in gzip");
    Wire.Reply plain = Wire.get(server, "/coded/a.js");
    assertThat(plain.text()).isEqualTo("let a; // plain");
    assertThat(plain.header("content-encoding")).isEmpty();
    assertThat(plain.header("vary")).isEqualTo("accept-encoding");
    assertThat(Set.of(br.header("etag"), gzip.header("etag"), plain.header("etag"))).hasSize(3);
  }

  @Test
  void variant_hasItsOwnValidatorsAndRanges() throws IOException {
    sibling("gz", "in gzip");
    String coded = "Accept-Encoding: gzip";
    String etag = Wire.get(server, "/coded/a.js", coded).header("etag");
    Wire.Reply again = Wire.get(server, "/coded/a.js", coded, "If-None-Match: " + etag);
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.header("vary")).isEqualTo("accept-encoding");
    assertThat(Wire.get(server, "/coded/a.js", "If-None-Match: " + etag).status()).isEqualTo(200);
    Wire.Reply part =
        Wire.get(server, "/coded/a.js", coded, "Range: bytes=3-", "If-Range: " + etag);
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.text()).isEqualTo("gzip");
    Wire.Reply other = Wire.get(server, "/coded/a.js", "Range: bytes=3-", "If-Range: " + etag);
    assertThat(other.status()).isEqualTo(200);
  }

  @Test
  void variant_older_isNotUsed() throws IOException {
    sibling("gz", "old");
    Files.setLastModifiedTime(
        folder.resolve("a.js.gz"), FileTime.from(Instant.now().minusSeconds(3600)));
    assertThat(Wire.get(server, "/coded/a.js", "Accept-Encoding: gzip").text())
        .isEqualTo("let a; // plain");
  }

  @Test
  void variant_linkOutOfTheRoot_isNotFound() throws IOException {
    Files.writeString(outside.resolve("secret"), "secret");
    Files.createSymbolicLink(folder.resolve("a.js.gz"), outside.resolve("secret"));
    assertThat(Wire.get(server, "/coded/a.js", "Accept-Encoding: gzip").text())
        .doesNotContain("secret");
  }

  @Test
  void variant_isOffByDefault() throws IOException {
    sibling("gz", "in gzip");
    assertThat(Wire.get(server, "/plain/a.js", "Accept-Encoding: gzip").text())
        .isEqualTo("let a; // plain");
  }
}
