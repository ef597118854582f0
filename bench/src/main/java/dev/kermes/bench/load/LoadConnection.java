package dev.kermes.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/**
 * One connection of the load, which keeps {@code pipeline} requests outstanding. It answers the
 * replies of one read by the same number of new requests in one write. The latency of a request
 * runs from that write to the read that delivered its reply. Owned by its thread.
 */
final class LoadConnection implements AutoCloseable {

  private final SocketChannel channel;
  private final SelectionKey key;
  private final Requests requests;
  private final ReplyScanner scanner = new ReplyScanner();
  private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);
  private final ByteBuffer out;

  // A ring of writes with outstanding replies: the time of each write, and how many replies are
  // missing.
  private final long[] sentNanos;
  private final int[] sentCounts;
  private int head;
  private int tail;

  private long completed;
  private double latencyNanos;

  LoadConnection(LoadSettings settings, Selector selector, int number) throws IOException {
    channel = SocketChannel.open(settings.address());
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ, this);
    requests = settings.requests().forConnection(number, settings.pipeline());
    out = ByteBuffer.allocateDirect(requests.bytes().length);
    sentNanos = new long[settings.pipeline() + 1];
    sentCounts = new int[settings.pipeline() + 1];
  }

  /** Returns the number of replies since the last {@link #reset}. */
  long completed() {
    return completed;
  }

  double latencyNanos() {
    return latencyNanos;
  }

  ReplyScanner scanner() {
    return scanner;
  }

  void reset() {
    completed = 0;
    latencyNanos = 0;
  }

  void send(int count) throws IOException {
    requests.fill(count);
    // The space suffices: the bytes still in the buffer belong to other outstanding requests.
    out.put(requests.bytes(), 0, requests.length());
    sentNanos[tail] = System.nanoTime();
    sentCounts[tail] = count;
    tail = next(tail);
    flush();
  }

  private int next(int index) {
    return index + 1 == sentNanos.length ? 0 : index + 1;
  }

  private void flush() throws IOException {
    out.flip();
    channel.write(out);
    boolean isBlocked = out.hasRemaining();
    out.compact();
    boolean isWaiting = (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    if (isBlocked != isWaiting) key.interestOpsOr(SelectionKey.OP_WRITE);
    if (!isBlocked && isWaiting) key.interestOps(SelectionKey.OP_READ);
  }

  void ready(Histogram latencies) throws IOException {
    if (key.isWritable()) flush();
    if (!key.isReadable()) return;
    if (channel.read(in) < 0) throw new EOFException("the server closed the connection");
    int count = scanner.scan(in);
    if (count == 0) return;
    settle(count, System.nanoTime(), latencies);
    send(count);
  }

  private void settle(int count, long now, Histogram latencies) {
    completed += count;
    int left = count;
    while (left > 0) {
      int part = Math.min(left, sentCounts[head]);
      long latency = now - sentNanos[head];
      latencies.recordValueWithCount(Math.min(latency, LoadThread.LATENCY_MAX), part);
      latencyNanos += (double) latency * part;
      left -= part;
      sentCounts[head] -= part;
      if (sentCounts[head] == 0) head = next(head);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
