package dev.kermes.scaladsl

import dev.kermes.http.{HttpMessage, HttpServer}
import dev.kermes.http.StandardHttpResponses.{notFound, ok}
import dev.kermes.reactor.{Event, Reactor}
import java.net.{HttpURLConnection, URI}
import java.nio.file.{Files, Path, Paths}
import java.time.Duration
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import scala.compiletime.uninitialized
import scala.util.Using

/** The HTTP server and the reactor from Scala, with lambdas and function values. */
class FileProgramTest:
  @TempDir var folder: Path = uninitialized

  /** The project's first program. */
  private def serve(resources: String): HttpServer =
    HttpServer(0)
      .on(
        "/lib/{resource}**",
        request =>
          val path = Paths.get(resources, request.pathParam("resource"))
          request.respond(if Files.exists(path) then ok("application/octet-stream", path) else notFound())
      )
      .start()

  @Test
  def program_servesFilesOfItsDirectoryOnly(): Unit =
    val files = Files.createDirectory(folder.resolve("files"))
    Files.writeString(files.resolve("a.js"), "let a;")
    Files.writeString(folder.resolve("secret"), "secret")
    Using.resource(serve(files.toString)) { server =>
      assertThat(body(server, "/lib/a.js")).isEqualTo("let a;")
      assertThat(status(server, "/lib/b.js")).isEqualTo(404)
      assertThat(status(server, "/lib/%2e%2e/secret")).isEqualTo(404)
    }

  @Test
  def functionValue_isAHandler(): Unit =
    val greet: HttpMessage => Unit = request => request.respond(ok("Hello " + request.pathParam("name")))
    Using.resource(HttpServer(0).onFunction("/hello/{name}", greet).start()) { server =>
      assertThat(body(server, "/hello/Jo")).isEqualTo("Hello Jo")
    }

  @Test
  def functionValue_answersCalls(): Unit =
    val price: Event[Object] => Int = event => event.param("item").length * 10
    Using.resource(Reactor.create()) { reactor =>
      reactor.onFunction("price/{item}", price)
      assertThat(reactor.call("price/book", "", Duration.ofSeconds(10)).join()).isEqualTo(40)
    }

  private def body(server: HttpServer, path: String): String =
    Using.resource(URI.create(server.url + path).toURL.openStream())(in => String(in.readAllBytes))

  private def status(server: HttpServer, path: String): Int =
    URI.create(server.url + path).toURL.openConnection match
      case connection: HttpURLConnection => connection.getResponseCode
