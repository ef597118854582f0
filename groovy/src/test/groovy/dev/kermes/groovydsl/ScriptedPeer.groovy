package dev.kermes.groovydsl

import groovy.transform.CompileStatic
import java.util.concurrent.CopyOnWriteArrayList

/**
 * A peer that answers as its script says: it sends nothing for an empty answer, and disconnects if
 * there is none. It answers the handshake by itself.
 */
@CompileStatic
class ScriptedPeer implements Closeable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.loopbackAddress)
  private final List<Socket> sockets = new CopyOnWriteArrayList<>()
  private final Closure<String> script
  final String url = "redis://127.0.0.1:${server.localPort}"

  ScriptedPeer(Closure<String> script) {
    this.script = script
    Thread.startVirtualThread { untilTheEnd { accept() } }
  }

  private void accept() {
    while (true) {
      Socket socket = server.accept()
      sockets << socket
      Thread.startVirtualThread { untilTheEnd { serve(socket) } }
    }
  }

  private void serve(Socket socket) {
    def input = new BufferedInputStream(socket.inputStream)
    for (String wire = answer(readRequest(input)); wire != null; wire = answer(readRequest(input))) {
      socket.outputStream.write(wire.bytes)
    }
    socket.close()
  }

  private String answer(List<String> request) {
    switch (request.first()) {
      case 'HELLO': return '%1\r\n$5\r\nproto\r\n:3\r\n'
      case 'CLIENT': return '+OK\r\n'
      default: return script.call(request)
    }
  }

  private static List<String> readRequest(InputStream input) {
    int count = line(input).substring(1) as int
    (1..count).collect {
      int length = line(input).substring(1) as int
      String word = new String(input.readNBytes(length), 'ISO-8859-1')
      line(input)
      word
    }
  }

  private static String line(InputStream input) {
    def line = new StringBuilder()
    for (int b = input.read(); b != 10; b = input.read()) {
      if (b < 0) throw new IOException('end of stream')
      if (b != 13) line.append((char) b)
    }
    line.toString()
  }

  private static void untilTheEnd(Closure<?> talk) {
    try {
      talk()
    } catch (IOException ignored) {
      // closed
    }
  }

  @Override
  void close() {
    server.close()
    sockets*.close()
  }
}
