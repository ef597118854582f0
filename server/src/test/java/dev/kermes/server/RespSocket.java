package dev.kermes.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A connection that sends commands and reads replies without interpreting them. Blocking. */
public final class RespSocket implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  public RespSocket(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends a command and reads its reply; a character is a byte. */
  public RespReply call(List<String> arguments) throws IOException {
    send(arguments);
    return read();
  }

  public RespReply call(String... arguments) throws IOException {
    return call(List.of(arguments));
  }

  public void send(List<String> arguments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + arguments.size() + "\r\n").getBytes(ISO_8859_1));
    for (String argument : arguments) {
      out.writeBytes(("$" + argument.length() + "\r\n" + argument + "\r\n").getBytes(ISO_8859_1));
    }
    socket.getOutputStream().write(out.toByteArray());
  }

  /** Reads one reply. */
  public RespReply read() throws IOException {
    String line = line();
    char type = line.charAt(0);
    String text = line.substring(1);
    return switch (type) {
      case '$', '=' -> new RespReply(type, text.equals("-1") ? text : bulk(text), List.of());
      case '*', '~', '>' -> new RespReply(type, text, elements(Integer.parseInt(text)));
      case '%' -> new RespReply(type, text, elements(2 * Integer.parseInt(text)));
      default -> new RespReply(type, text, List.of());
    };
  }

  private String bulk(String length) throws IOException {
    byte[] bytes = in.readNBytes(Integer.parseInt(length) + 2);
    return length + ":" + new String(bytes, 0, bytes.length - 2, ISO_8859_1);
  }

  private List<RespReply> elements(int count) throws IOException {
    List<RespReply> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) elements.add(read());
    return elements;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) throw new EOFException("connection closed inside a reply: line=" + line);
      line.write(b);
    }
    if (in.read() != '\n') throw new IOException("carriage return without line feed: line=" + line);
    return line.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
