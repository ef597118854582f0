package dev.kermes.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the server's own memory per connection, with connections that have requested one file of
 * 1 KiB and are then idle. The kernel's buffers are not included.
 */
final class IdleConnections implements AutoCloseable {

  /** 500 connections first, so that classes are loaded and pools created before the measurement. */
  private static final int FIRST = 500;

  private static final byte[] REQUEST =
      "GET /1k.bin HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final InetSocketAddress address;
  private final List<SocketChannel> channels = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(4096);

  private IdleConnections(InetSocketAddress address) {
    this.address = address;
  }

  /** Returns the KiB for each of {@code count} connections. */
  static double kilobytesEach(HttpProcess server, int count)
      throws IOException, InterruptedException {
    try (IdleConnections connections = new IdleConnections(server.address())) {
      connections.open(FIRST);
      long before = server.residentBytes();
      connections.open(count);
      return (server.residentBytes() - before) / 1024.0 / count;
    }
  }

  private void open(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      SocketChannel channel = SocketChannel.open(address);
      channels.add(channel);
      channel.write(ByteBuffer.wrap(REQUEST));
      read(channel);
    }
  }

  /** Reads a response: the head, and the 1,024 bytes of the body. */
  private void read(SocketChannel channel) throws IOException {
    int end = -1;
    buffer.clear();
    while (end < 0 || buffer.position() < end + 1024) {
      if (channel.read(buffer) < 0) throw new EOFException("server closed");
      String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
      int head = text.indexOf("\r\n\r\n");
      if (head >= 0) end = head + 4;
    }
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : channels) channel.close();
  }
}
