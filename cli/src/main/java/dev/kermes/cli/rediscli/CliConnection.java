package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kermes.cli.reply.Reply;
import dev.kermes.resp.ReplyParser;
import dev.kermes.resp.RespLimits;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * One blocking connection that writes requests and reads replies.
 *
 * <p>The program does not use a connection of the client library, for three reasons. The user may
 * send SELECT, MULTI, SUBSCRIBE or HELLO, which the library reserves for itself. Errors must print
 * as replies. A program that lives for one command should not start event loops. The parser is the
 * library's. Owned by one thread, except {@link #close}, which ends a read.
 */
public final class CliConnection implements Closeable {

  private static final int READ_SIZE = 16 * 1024;

  private final Closeable socket;
  private final Closeable plain;
  private final InputStream in;
  private final OutputStream out;
  private final ReplyParser parser = new ReplyParser(RespLimits.REPLIES);

  private CliConnection(Closeable socket, Closeable plain, InputStream in, OutputStream out) {
    this.socket = socket;
    this.plain = plain;
    this.in = in;
    this.out = out;
  }

  /** Connects without TLS. */
  public static CliConnection open(SocketAddress address) throws IOException {
    return open(address, new CliTls());
  }

  /** Connects to an Internet address, with TLS if it is on, or to a unix socket. */
  public static CliConnection open(SocketAddress address, CliTls tls) throws IOException {
    if (address instanceof UnixDomainSocketAddress unix) {
      SocketChannel channel = SocketChannel.open(unix);
      return new CliConnection(
          channel, channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }
    if (!(address instanceof InetSocketAddress internet)) {
      throw new IOException("not reachable from another process: " + address);
    }
    Socket plain = connected(internet);
    try {
      Socket socket = tls.isOn ? tls.encrypted(plain, internet) : plain;
      return new CliConnection(socket, plain, socket.getInputStream(), socket.getOutputStream());
    } catch (IOException e) {
      plain.close(); // the server may have closed at any moment, also right after the handshake
      throw e;
    }
  }

  /** Tries every address of the name. */
  private static Socket connected(InetSocketAddress address) throws IOException {
    IOException failure = new IOException("no address");
    for (InetAddress one : InetAddress.getAllByName(address.getHostString())) {
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(one, address.getPort()));
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure;
  }

  /** Writes one command. */
  public void send(List<byte[]> arguments) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream(64);
    header(request, '*', arguments.size());
    for (byte[] argument : arguments) {
      header(request, '$', argument.length);
      request.write(argument, 0, argument.length);
      request.write('\r');
      request.write('\n');
    }
    request.writeTo(out);
    out.flush();
  }

  /** Writes bytes unchanged, such as encoded requests. */
  public void sendRaw(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    out.flush();
  }

  /** Returns the incoming bytes, for input that is not a reply. */
  public InputStream input() {
    return in;
  }

  private static void header(ByteArrayOutputStream request, char type, int number) {
    byte[] line = (type + Integer.toString(number) + "\r\n").getBytes(US_ASCII);
    request.write(line, 0, line.length);
  }

  /**
   * Waits for the next reply or push.
   *
   * @throws EOFException if the server closed the connection
   * @throws dev.kermes.resp.ProtocolException if the input is not RESP
   */
  public Reply receive() throws IOException {
    while (!parser.next()) {
      parser.ensureWritable(READ_SIZE);
      int length = in.read(parser.writeBuffer(), parser.writeIndex(), READ_SIZE);
      if (length < 0) throw new EOFException("Server closed the connection");
      parser.wrote(length);
    }
    return Reply.read(parser.reader());
  }

  /**
   * Closes the connection without TLS's goodbye, which would wait for a write that the server does
   * not read.
   */
  public void abort() throws IOException {
    plain.close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException ignored) {
      // Nothing is lost: every wanted reply has been read.
    }
  }
}
