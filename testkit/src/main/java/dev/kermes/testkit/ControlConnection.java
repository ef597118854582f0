package dev.kermes.testkit;

import dev.kermes.resp.ReplyParser;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import dev.kermes.resp.RespLimits;
import dev.kermes.resp.RespWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to a server, by which the kit reads the server's state and changes it; no proxy is
 * in between. It speaks RESP2. Used by one thread at a time.
 */
final class ControlConnection implements AutoCloseable {

  /** A server that has not replied after this time cannot be reset. */
  private static final int TIMEOUT_MILLIS = 5000;

  private final Socket socket = new Socket();
  private final ReplyParser parser = new ReplyParser(RespLimits.REPLIES);

  ControlConnection(ServerAddress address) throws IOException {
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      logIn(address);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void logIn(ServerAddress address) throws IOException {
    if (address.userInfo() != null) {
      List<String> words = new ArrayList<>(List.of("AUTH"));
      for (String part : address.userInfo().split(":", 2)) {
        if (!part.isEmpty()) words.add(URLDecoder.decode(part, StandardCharsets.UTF_8));
      }
      require(call(words));
    }
    require(call(List.of("SELECT", address.database())));
  }

  /** Sends one command; returns its reply, which may be an error. */
  ReplyReader call(List<String> words) throws IOException {
    return callAll(List.of(words)).get(0);
  }

  /** Sends one command, whose words need not be text; returns its reply, which may be an error. */
  ReplyReader callBytes(List<byte[]> words) throws IOException {
    RespWriter request = new RespWriter(256);
    request.array(words.size());
    words.forEach(request::bulk);
    socket.getOutputStream().write(request.toByteArray());
    return readReply();
  }

  /** Sends commands at once; returns their replies, each of which may be an error. */
  List<ReplyReader> callAll(List<List<String>> commands) throws IOException {
    RespWriter request = new RespWriter(256);
    for (List<String> words : commands) {
      request.array(words.size());
      words.forEach(request::bulk);
    }
    socket.getOutputStream().write(request.toByteArray());
    List<ReplyReader> replies = new ArrayList<>();
    while (replies.size() < commands.size()) replies.add(readReply());
    return replies;
  }

  private ReplyReader readReply() throws IOException {
    InputStream in = socket.getInputStream();
    while (!parser.next()) {
      parser.ensureWritable(8192);
      int n = in.read(parser.writeBuffer(), parser.writeIndex(), 8192);
      if (n < 0) throw new EOFException("the server has closed the connection");
      parser.wrote(n);
    }
    return ReplyReader.over(parser.reader().copy());
  }

  /** Throws the error that a reply is. */
  static void require(ReplyReader reply) throws IOException {
    if (isError(reply)) throw new IOException(reply.readError());
  }

  /**
   * The reply itself.
   *
   * @throws IllegalStateException with the error that it is
   */
  static ReplyReader accepted(ReplyReader reply) {
    if (isError(reply)) throw new IllegalStateException(reply.readError());
    return reply;
  }

  static boolean isError(ReplyReader reply) {
    return reply.type() == ReplyType.ERROR;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
