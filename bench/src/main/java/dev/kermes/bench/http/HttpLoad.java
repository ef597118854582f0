package dev.kermes.bench.http;

import dev.kermes.bench.harness.BenchmarkException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A client that requests one path over and over on many connections and discards the responses. It
 * uses one thread and reads of up to 1 MiB, so that the server is the bottleneck. Responses need a
 * Content-Length.
 */
final class HttpLoad {

  private static final int BUFFER = 1 << 20;
  private static final int SILENCE_SECONDS_MAX = 20;
  private static final long LATENCY_MAX = TimeUnit.MINUTES.toNanos(1);

  private final InetSocketAddress address;
  private final byte[] request;
  private final int connections;
  private final boolean keepsAlive;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private final Histogram latencies = new Histogram(LATENCY_MAX, 3);
  private long done;

  HttpLoad(InetSocketAddress address, String path, int connections, boolean keepsAlive) {
    this.address = address;
    this.connections = connections;
    this.keepsAlive = keepsAlive;
    String fields = keepsAlive ? "" : "Connection: close\r\n";
    String text = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
    request = text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** An action to run when warming up is over. */
  interface Start {
    void begins();
  }

  /**
   * Runs for {@code warmSeconds} and {@code seconds}; returns the requests per second of the
   * latter.
   */
  double run(double warmSeconds, double seconds, Start start) throws IOException {
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < connections; i++) new Connection(selector);
      drive(selector, warmSeconds);
      start.begins();
      latencies.reset();
      long before = done;
      long began = System.nanoTime();
      drive(selector, seconds);
      // However short the time and busy the machine, at least one request is counted if the server
      // responds.
      for (int i = 0; done == before && i < SILENCE_SECONDS_MAX; i++) drive(selector, 1);
      double rate = (done - before) / ((System.nanoTime() - began) / 1e9);
      for (SelectionKey key : selector.keys()) key.channel().close();
      return rate;
    }
  }

  /**
   * The latencies in nanoseconds, from the request, or from before its connection, to the end of
   * the response.
   */
  Histogram latencies() {
    return latencies;
  }

  private void drive(Selector selector, double seconds) throws IOException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      selector.select(
          key -> {
            try {
              ((Connection) key.attachment()).read(key);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          },
          100);
    }
  }

  /** Reads one response at a time. */
  private final class Connection {
    private final StringBuilder head = new StringBuilder();
    private SocketChannel channel;
    private long left = -1;
    private long began;

    Connection(Selector selector) throws IOException {
      channel = open(selector);
    }

    private SocketChannel open(Selector selector) throws IOException {
      began = System.nanoTime();
      SocketChannel opened = SocketChannel.open(address);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      opened.configureBlocking(false);
      opened.register(selector, SelectionKey.OP_READ, this);
      send(opened);
      return opened;
    }

    private void send(SocketChannel to) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(request);
      while (bytes.hasRemaining()) to.write(bytes);
    }

    void read(SelectionKey key) throws IOException {
      buffer.clear();
      int length = channel.read(buffer);
      if (length < 0) throw new EOFException("server closed: left=" + left);
      int body = left < 0 ? length - readHead(length) : length;
      if (left < 0) return;
      left -= body;
      if (left > 0) return;
      done++;
      latencies.recordValue(Math.min(System.nanoTime() - began, LATENCY_MAX));
      left = -1;
      head.setLength(0);
      if (keepsAlive) {
        began = System.nanoTime();
        send(channel);
      } else {
        channel.close();
        channel = open(key.selector());
      }
    }

    /** Reads the missing part of the head; returns how many bytes of the buffer it used. */
    private int readHead(int length) {
      int before = head.length();
      for (int i = 0; i < Math.min(length, 2048); i++) head.append((char) buffer.get(i));
      int end = head.indexOf("\r\n\r\n");
      if (end < 0) return length;
      if (head.indexOf(" 200 ") < 0) throw new BenchmarkException("not 200: " + head);
      String lower = head.substring(0, end).toLowerCase(Locale.ROOT);
      int field = lower.indexOf("content-length:");
      if (field < 0) throw new BenchmarkException("no length: " + lower);
      int line = lower.indexOf('\r', field);
      left = Long.parseLong(lower.substring(field + 15, line < 0 ? end : line).strip());
      return end + 4 - before;
    }
  }
}
