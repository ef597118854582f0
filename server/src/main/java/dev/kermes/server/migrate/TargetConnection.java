package dev.kermes.server.migrate;

import dev.kermes.resp.RespWriter;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A connection to a target: commands go out, and a line comes back for each. No operation waits
 * longer than the time given in the last call of {@link #timeout}. A plain socket cannot promise
 * that for writing. One thread at a time; {@link #close()} from any.
 */
public final class TargetConnection implements AutoCloseable {

  /** 64 KiB: a larger buffer would be copied as a whole for each write. */
  private static final int CHUNK = 1 << 16;

  private static final int LINE_LENGTH_MAX = 1 << 16;

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final ByteBuffer input = ByteBuffer.allocate(4096).flip();
  private long timeoutMillis;

  /** The database selected on the target; -1 if unknown. */
  private long database = -1;

  private TargetConnection(SocketChannel channel, long timeoutMillis) throws IOException {
    this.channel = channel;
    this.timeoutMillis = timeoutMillis;
    selector = Selector.open();
    channel.configureBlocking(false);
    key = channel.register(selector, 0);
  }

  /** Opens a connection to a target. */
  static TargetConnection open(Target target, long timeoutMillis) throws IOException {
    InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
    if (address.isUnresolved()) throw new UnknownHostException(target.host());
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      TargetConnection connection = new TargetConnection(channel, timeoutMillis);
      connection.connect(address);
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void connect(InetSocketAddress address) throws IOException {
    try {
      if (channel.connect(address)) return;
      await(SelectionKey.OP_CONNECT);
      if (!channel.finishConnect()) throw new SocketTimeoutException("no connection");
    } catch (IOException | RuntimeException e) {
      selector.close();
      throw e;
    }
  }

  /** Sets the longest time that any later operation waits. */
  public void timeout(long millis) {
    timeoutMillis = millis;
  }

  /** Logs in if the target has credentials. */
  public void authenticate(Target target) throws IOException, TargetException {
    if (target.credentials().isEmpty()) return;
    RespWriter auth = new RespWriter(64);
    auth.array(1 + target.credentials().size());
    auth.bulk("AUTH");
    for (String word : target.credentials()) auth.bulk(word.getBytes(StandardCharsets.ISO_8859_1));
    ask(auth);
  }

  /** Selects a database unless it is already selected. */
  public void select(long index) throws IOException, TargetException {
    if (index == database) return;
    database = -1;
    RespWriter select = new RespWriter(64);
    select.array(2);
    select.bulk("SELECT");
    select.bulk(index);
    ask(select);
    database = index;
  }

  private void ask(RespWriter command) throws IOException, TargetException {
    write(command.toByteArray());
    String reply = readLine();
    if (reply.startsWith("-")) throw new TargetException(reply.substring(1));
  }

  /** Writes all bytes. */
  public void write(byte[] bytes) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    while (out.position() < bytes.length) {
      out.limit(Math.min(bytes.length, out.position() + CHUNK));
      if (channel.write(out) == 0) await(SelectionKey.OP_WRITE);
    }
  }

  /** Reads a line and returns it without its end. */
  public String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(64);
    for (byte b = read(); b != '\n'; b = read()) {
      if (line.size() == LINE_LENGTH_MAX) throw new IOException("line too long");
      if (b != '\r') line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  private byte read() throws IOException {
    if (!input.hasRemaining()) fill();
    return input.get();
  }

  private void fill() throws IOException {
    input.clear();
    int count = channel.read(input);
    while (count == 0) {
      await(SelectionKey.OP_READ);
      count = channel.read(input);
    }
    input.flip();
    if (count < 0) throw new EOFException("connection closed");
  }

  private void await(int operation) throws IOException {
    int ready;
    try {
      key.interestOps(operation);
      ready = selector.select(timeoutMillis);
      selector.selectedKeys().clear();
    } catch (CancelledKeyException | ClosedSelectorException e) {
      throw new IOException("the connection was closed", e);
    }
    if (!channel.isOpen()) throw new ClosedChannelException();
    if (ready == 0) throw new SocketTimeoutException("timeout: milliseconds=" + timeoutMillis);
  }

  /** Closes the connection; a thread that waits on it gets an error. */
  @Override
  public void close() throws IOException {
    channel.close();
    selector.close();
  }
}
