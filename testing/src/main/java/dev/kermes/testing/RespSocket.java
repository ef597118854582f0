package dev.kermes.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A connection that sends commands and reads replies without interpreting them. Blocking. */
public final class RespSocket implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final long POLL_NANOS = 1_000_000;

  private final Closeable socket;
  private final InputStream in;
  private final OutputStream out;

  /** A connection whose reads and writes end with an exception if the thread is interrupted. */
  public RespSocket(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Socket tcp = SocketChannel.open(new InetSocketAddress(loopback, port)).socket();
    tcp.setTcpNoDelay(true);
    tcp.setSoTimeout(TIMEOUT_MILLIS);
    socket = tcp;
    in = new BufferedInputStream(tcp.getInputStream());
    out = tcp.getOutputStream();
  }

  /** A connection over other streams; closing it closes {@code channel}. */
  public RespSocket(Closeable channel, InputStream input, OutputStream output) {
    socket = channel;
    in = new BufferedInputStream(input);
    out = output;
  }

  /** Sends a command and reads its reply; a character is a byte. */
  public RespReply call(List<String> arguments) throws IOException {
    send(arguments);
    return read();
  }

  public RespReply call(String... arguments) throws IOException {
    return call(List.of(arguments));
  }

  public void send(String... arguments) throws IOException {
    send(List.of(arguments));
  }

  public void send(List<String> arguments) throws IOException {
    sendBytes(encode(arguments));
  }

  /** The bytes of a command. */
  public static byte[] encode(List<String> arguments) {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.writeBytes(("*" + arguments.size() + "\r\n").getBytes(ISO_8859_1));
    for (String argument : arguments) {
      String bulk = "$" + argument.length() + "\r\n" + argument + "\r\n";
      command.writeBytes(bulk.getBytes(ISO_8859_1));
    }
    return command.toByteArray();
  }

  /** Sends bytes, one per character, unchanged. */
  public void sendRaw(String bytes) throws IOException {
    sendBytes(bytes.getBytes(ISO_8859_1));
  }

  public void sendBytes(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends INFO until it contains a text. */
  public void awaitInfo(String text) throws IOException {
    await(text, "INFO", "all");
  }

  /** Sends a command until its reply matches a regular expression or contains it as a text. */
  public void await(String wanted, String... command) throws IOException {
    long deadline = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
    while (true) {
      String reply = call(command).text();
      if (reply.contains(wanted) || reply.matches("(?s)" + wanted)) return;
      if (System.nanoTime() > deadline) {
        throw new IOException("never came: wanted=" + wanted + ", reply=" + reply);
      }
      LockSupport.parkNanos(POLL_NANOS); // without a pause it would keep the event loop busy
    }
  }

  /** Reads until the peer closes the connection; returns one character per byte. */
  public String readToEnd() throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b >= 0; b = in.read()) rest.write(b);
    } catch (SocketTimeoutException e) {
      throw new IOException("the connection stays open: read=" + rest.toString(ISO_8859_1), e);
    } catch (SocketException e) {
      // A reset counts as the end.
    }
    return rest.toString(ISO_8859_1);
  }

  /** Reads this many bytes, or fewer at the end; returns one character per byte. */
  public String readRaw(int length) throws IOException {
    return new String(in.readNBytes(length), ISO_8859_1);
  }

  /** Reads a line; returns it without its end. */
  public String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read())
      if (b != '\r') line.append((char) b);
    return line.toString();
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
