package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static org.assertj.core.api.Assertions.assertThat;

import clojure.java.api.Clojure;
import groovy.lang.Closure;
import groovy.lang.GroovyShell;
import java.io.IOException;
import kotlin.Unit;
import kotlin.jvm.functions.Function1;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Functions of other languages as handlers, as compiled by their compilers. */
class LanguagesTest {

  private final HttpServer server = new HttpServer(0).start();

  @AfterEach
  void close() {
    server.close();
  }

  private void assertGreets(Object function) throws IOException {
    server.onFunction("/hello/{name}", function);
    assertThat(Wire.get(server, "/hello/Jo").text()).isEqualTo("Hello Jo");
  }

  @Test
  void groovyScript_servesFiles() throws IOException {
    Object closure =
        new GroovyShell()
            .evaluate(
                """
                import static dev.kermes.http.StandardHttpResponses.ok
                return { request -> request.respond(ok("Hello " + request.pathParam("name"))) }
                """);
    assertThat(closure).isInstanceOf(Closure.class);
    assertGreets(closure);
  }

  @Test
  void clojureFunction_servesFiles() throws IOException {
    Object text =
        Clojure.var("clojure.core", "read-string")
            .invoke(
                "(fn [request] (.respond request (dev.kermes.http.StandardHttpResponses/ok"
                    + " (str \"Hello \" (.pathParam request \"name\")))))");
    assertGreets(Clojure.var("clojure.core", "eval").invoke(text));
  }

  @Test
  void scalaFunction_isAHandler() throws IOException {
    scala.Function1<HttpMessage, Object> function =
        request -> {
          request.respond(ok("Hello " + request.pathParam("name")));
          return scala.runtime.BoxedUnit.UNIT;
        };
    assertGreets(function);
  }

  @Test
  void kotlinFunction_isAHandler() throws IOException {
    Function1<HttpMessage, Unit> function =
        request -> {
          request.respond(ok("Hello " + request.pathParam("name")));
          return Unit.INSTANCE;
        };
    assertGreets(function);
  }
}
