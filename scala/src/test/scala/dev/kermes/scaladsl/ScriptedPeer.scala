package dev.kermes.scaladsl

import java.io.{BufferedInputStream, IOException, InputStream}
import java.net.{InetAddress, ServerSocket, Socket}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.concurrent.CopyOnWriteArrayList

/** A peer that answers as its script says: it sends nothing for an empty answer, and disconnects if there is none. It
  * answers the handshake by itself.
  */
class ScriptedPeer(script: List[String] => Option[String]) extends AutoCloseable:
  private val server = ServerSocket(0, 50, InetAddress.getLoopbackAddress)
  private val sockets = CopyOnWriteArrayList[Socket]()
  val url = s"redis://127.0.0.1:${server.getLocalPort}"

  Thread.ofVirtual().start(() => untilTheEnd(accept()))

  private def accept(): Unit =
    while true do
      val socket = server.accept()
      sockets.add(socket)
      Thread.ofVirtual().start(() => untilTheEnd(serve(socket)))

  private def serve(socket: Socket): Unit =
    val in = BufferedInputStream(socket.getInputStream)
    var isOpen = true
    while isOpen do
      answer(readRequest(in)) match
        case Some(wire) => socket.getOutputStream.write(wire.getBytes(ISO_8859_1))
        case None       => isOpen = false
    socket.close()

  private def answer(request: List[String]): Option[String] = request.head match
    case "HELLO"  => Some("%1\r\n$5\r\nproto\r\n:3\r\n")
    case "CLIENT" => Some("+OK\r\n")
    case _        => script(request)

  private def readRequest(in: InputStream): List[String] =
    List.fill(line(in).drop(1).toInt) {
      val length = line(in).drop(1).toInt
      val word = String(in.readNBytes(length), ISO_8859_1)
      line(in)
      word
    }

  private def line(in: InputStream): String =
    val bytes = Iterator.continually(in.read()).takeWhile(_ != '\n').map { byte =>
      if byte < 0 then throw IOException("end of stream")
      byte.toChar
    }
    bytes.filter(_ != '\r').mkString

  private def untilTheEnd(talk: => Unit): Unit =
    try talk
    catch case _: IOException => ()

  def close(): Unit =
    server.close()
    sockets.forEach(_.close())
