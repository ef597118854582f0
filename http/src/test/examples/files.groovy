import static dev.kermes.http.StandardHttpResponses.notFound
import static dev.kermes.http.StandardHttpResponses.ok

import dev.kermes.http.HttpServer
import java.nio.file.Files
import java.nio.file.Paths

// Serves the files below `resources`, a variable in the binding of the script.
def server = new HttpServer(0)

server.on("/lib/{resource}**") { request ->
  def path = Paths.get(resources, request.pathParam("resource"))
  request.respond(Files.exists(path) ? ok("application/octet-stream", path) : notFound())
}

server.start()
