package dev.kermes.kotlindsl

import java.io.BufferedInputStream
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.concurrent.thread

/**
 * A peer that answers as its script says: it sends nothing for an empty answer, and disconnects if
 * there is none. It answers the handshake by itself.
 */
class ScriptedPeer(private val script: (List<String>) -> String?) : AutoCloseable {
  private val server = ServerSocket(0, 50, InetAddress.getLoopbackAddress())
  private val sockets = CopyOnWriteArrayList<Socket>()

  /** The requests received, as words. */
  val requests = CopyOnWriteArrayList<List<String>>()
  val url = "redis://127.0.0.1:${server.localPort}"

  init {
    thread(isDaemon = true) {
      ignoringTheEnd { while (true) server.accept().let { thread(isDaemon = true) { serve(it) } } }
    }
  }

  /** Answers on every connection. */
  fun send(wire: String) {
    for (socket in sockets) ignoringTheEnd { write(socket.getOutputStream(), wire) }
  }

  private fun serve(socket: Socket) = ignoringTheEnd {
    sockets += socket
    socket.use {
      val input = BufferedInputStream(it.getInputStream())
      while (true) write(it.getOutputStream(), answer(readRequest(input)) ?: return@ignoringTheEnd)
    }
  }

  private fun answer(request: List<String>): String? =
    when (request.first()) {
      "HELLO" -> "%1\r\n$5\r\nproto\r\n:3\r\n"
      "CLIENT" -> "+OK\r\n"
      else -> {
        requests += request
        script(request)
      }
    }

  private fun readRequest(input: InputStream): List<String> =
    List(line(input).drop(1).toInt()) {
      val length = line(input).drop(1).toInt()
      String(input.readNBytes(length), Charsets.ISO_8859_1).also { line(input) }
    }

  private fun line(input: InputStream): String = buildString {
    while (true) {
      val byte = input.read()
      if (byte < 0) throw IOException("end of stream")
      if (byte == '\n'.code) return@buildString
      if (byte != '\r'.code) append(byte.toChar())
    }
  }

  private fun write(output: OutputStream, wire: String) {
    output.write(wire.toByteArray(Charsets.ISO_8859_1))
    output.flush()
  }

  private fun ignoringTheEnd(talk: () -> Unit) {
    try {
      talk()
    } catch (_: IOException) {
      // closed
    }
  }

  override fun close() {
    server.close()
    sockets.forEach { it.close() }
  }
}
