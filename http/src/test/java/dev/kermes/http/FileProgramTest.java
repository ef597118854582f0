package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.notFound;
import static dev.kermes.http.StandardHttpResponses.ok;
import static org.assertj.core.api.Assertions.assertThat;

import clojure.java.api.Clojure;
import dev.kermes.reactor.On;
import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The project's first program, which appends a path parameter to a directory, in several languages;
 * the scripts are in src/test/examples. Each must serve the files of its directory and no others.
 */
class FileProgramTest {

  /** Starts the example with a directory. */
  interface Program {
    HttpServer start(String resources) throws Exception;
  }

  record Example(String language, Program program) {
    @Override
    public String toString() {
      return language;
    }
  }

  static List<Example> examples() {
    return List.of(
        new Example("Java", FileProgramTest::java),
        new Example("annotated object", FileProgramTest::annotated),
        new Example("Groovy", FileProgramTest::groovy),
        new Example("Clojure", FileProgramTest::clojure));
  }

  private static HttpServer java(String resources) {
    return new HttpServer(0)
        .on(
            "/lib/{resource}**",
            request -> {
              Path path = Paths.get(resources, request.pathParam("resource"));
              if (Files.exists(path)) request.respond(ok("application/octet-stream", path));
              else request.respond(notFound());
            })
        .start();
  }

  /** A plain object that holds the directory. */
  public record Library(String resources) {
    @On("/lib/{resource}**")
    @Get
    public Response find(String resource) {
      Path path = Paths.get(resources, resource);
      return Files.exists(path) ? ok("application/octet-stream", path) : notFound();
    }
  }

  private static HttpServer annotated(String resources) {
    return new HttpServer(0).register(new Library(resources)).start();
  }

  private static HttpServer groovy(String resources) throws IOException {
    Binding binding = new Binding();
    binding.setVariable("resources", resources);
    String script = Files.readString(Path.of("src/test/examples/files.groovy"));
    return (HttpServer) new GroovyShell(binding).evaluate(script, "files.groovy");
  }

  private static HttpServer clojure(String resources) {
    Clojure.var("clojure.core", "load-file").invoke("src/test/examples/files.clj");
    return (HttpServer) Clojure.var("files", "serve").invoke(resources);
  }

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("examples")
  void program_servesFilesOfItsDirectoryOnly(Example example) throws Exception {
    Path files = folder.resolve("files");
    Files.createDirectories(files.resolve("js"));
    Files.writeString(files.resolve("js/a.min.js"), "let a;");
    Files.writeString(folder.resolve("secret"), "secret");
    Files.createSymbolicLink(files.resolve("link"), folder.resolve("secret"));
    try (HttpServer server = example.program().start(files.toString())) {
      Wire.Reply reply = Wire.get(server, "/lib/js/a.min.js");
      assertThat(reply.text()).isEqualTo("let a;");
      assertThat(reply.header("content-type")).isEqualTo("application/octet-stream");
      assertThat(Wire.get(server, "/lib/js/a.min.js", "Range: bytes=-2").text()).isEqualTo("a;");
      assertThat(Wire.get(server, "/lib/").status()).isEqualTo(404);
      assertThat(Wire.get(server, "/lib/js").status()).isEqualTo(404);
      assertThat(Wire.get(server, "/lib/none").status()).isEqualTo(404);
      assertThat(Wire.get(server, "/lib/link").status()).isEqualTo(404);
      assertThat(Wire.get(server, "/lib/%00").status()).isEqualTo(400);
      for (String up : List.of("/lib/../secret", "/lib/%2e%2e/secret", "/lib/..%2fsecret")) {
        Wire.Reply escape = Wire.get(server, up);
        assertThat(escape.status()).isBetween(400, 404);
        assertThat(escape.text()).doesNotContain("secret");
      }
    }
  }
}
