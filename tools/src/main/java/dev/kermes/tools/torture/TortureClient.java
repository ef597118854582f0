package dev.kermes.tools.torture;

import dev.kermes.cli.rediscli.CliConnection;
import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Writes until its server is gone, and records the acknowledged writes. Runs on its own thread. */
final class TortureClient extends Thread {

  private static final int PIPELINE_MAX = 8;

  private final TortureData data;
  private final CliConnection connection;
  private final Random random;
  private volatile long sent;
  private volatile long acknowledged;

  /** The time when each write was acknowledged, 1 for the first one. */
  private volatile long[] acknowledgedNanos = new long[1024];

  private volatile String refusal = "";

  TortureClient(TortureData data, int port, Random random) throws IOException {
    super("kermes-torture-client");
    this.data = data;
    this.random = random;
    connection = connect(port);
  }

  static CliConnection connect(int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return CliConnection.open(address);
  }

  TortureData data() {
    return data;
  }

  long sent() {
    return sent;
  }

  long acknowledged() {
    return acknowledged;
  }

  /** Returns when a write was acknowledged, 1 for the first one, by {@link System#nanoTime}. */
  long acknowledgedNanos(long n) {
    return acknowledgedNanos[(int) n];
  }

  /** Returns how many writes had been acknowledged by then. */
  long acknowledgedBefore(long nanos) {
    long count = acknowledged;
    while (count > 0 && acknowledgedNanos(count) - nanos > 0) count--;
    return count;
  }

  /** The error that a write got; empty if none. */
  String refusal() {
    return refusal;
  }

  @Override
  public void run() {
    try (connection) {
      while (refusal.isEmpty()) burst(1 + random.nextInt(PIPELINE_MAX));
    } catch (IOException e) {
      // The server is gone, which is the expected end.
    }
  }

  private void burst(int operations) throws IOException {
    long first = sent + 1;
    for (long n = first; n < first + operations; n++) {
      sent = n;
      for (List<byte[]> command : data.operation(n)) connection.send(command);
    }
    for (long n = first; n < first + operations; n++) {
      boolean isDone = true;
      for (int i = data.operation(n).size(); i > 0; i--) {
        Reply reply = connection.receive();
        if (!reply.isError()) continue;
        refusal = reply.string();
        isDone = false;
      }
      if (!isDone) return;
      noteAcknowledged(n);
    }
  }

  private void noteAcknowledged(long n) {
    long[] times = acknowledgedNanos;
    if (n == times.length) times = Arrays.copyOf(times, 2 * times.length);
    times[(int) n] = System.nanoTime();
    acknowledgedNanos = times;
    acknowledged = n;
  }
}
