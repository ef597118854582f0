package dev.kermes.kotlindsl

import dev.kermes.http.HttpServer
import dev.kermes.http.StandardHttpResponses.notFound
import dev.kermes.http.StandardHttpResponses.ok
import java.net.HttpURLConnection
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.Paths
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** The HTTP server from Kotlin: the project's first program, with a lambda. */
class FileProgramTest {
  @TempDir lateinit var folder: Path

  private fun serve(resources: String): HttpServer =
    HttpServer(0)
      .on("/lib/{resource}**") { request ->
        val path = Paths.get(resources, request.pathParam("resource"))
        request.respond(
          if (Files.exists(path)) ok("application/octet-stream", path) else notFound()
        )
      }
      .start()

  @Test
  fun program_servesFilesOfItsDirectoryOnly() {
    val files = Files.createDirectory(folder.resolve("files"))
    Files.writeString(files.resolve("a.js"), "let a;")
    Files.writeString(folder.resolve("secret"), "secret")
    serve(files.toString()).use { server ->
      val url = URI.create(server.url() + "/lib/a.js").toURL()
      assertThat(url.openStream().use { String(it.readAllBytes()) }).isEqualTo("let a;")
      assertThat(status(server, "/lib/b.js")).isEqualTo(404)
      assertThat(status(server, "/lib/%2e%2e/secret")).isEqualTo(404)
    }
  }

  private fun status(server: HttpServer, path: String): Int =
    (URI.create(server.url() + path).toURL().openConnection() as HttpURLConnection).responseCode
}
