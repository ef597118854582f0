package dev.kermes.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * 1,000 PINGs, each reply awaited separately, against a bare socket that writes 1,000 PINGs at once
 * and reads 7,000 bytes; then one PING at a time, by a caller that waits for each reply.
 * Alternating; arguments: port, rounds.
 */
final class PingBenchmark {
  private static final int COUNT = 1000;
  private static final int SINGLY = 10;
  private static final byte[] PINGS = "*1\r\n$4\r\nPING\r\n".repeat(COUNT).getBytes(US_ASCII);

  private PingBenchmark() {}

  /** Prints medians in microseconds. */
  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[0]);
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4000;
    try (Socket socket = new Socket("localhost", port);
        RedisClient redis = RedisClient.open("redis://localhost:" + port)) {
      socket.setTcpNoDelay(true);
      Command<String> ping = CommandBuilder.of("PING").build(Replies.simple());
      List<Command<String>> batch = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) batch.add(ping);
      long[][] nanos = new long[3][rounds];
      for (int round = -rounds; round < rounds; round++) {
        int slot = Math.max(0, round);
        nanos[0][slot] = floor(socket);
        nanos[1][slot] = each(redis, ping);
        nanos[2][slot] = batch(redis, batch);
      }
      long[][] singly = new long[2][rounds];
      for (int round = -rounds; round < rounds; round++) {
        int slot = Math.max(0, round);
        singly[0][slot] = singlyOnSocket(socket);
        singly[1][slot] = singly(redis, ping);
      }
      print("floor, one at a time", singly[0], singly[0]);
      print("one at a time", singly[1], singly[0]);
      print("floor", nanos[0], nanos[0]);
      print("each ", nanos[1], nanos[0]);
      print("batch", nanos[2], nanos[0]);
    }
  }

  private static long floor(Socket socket) throws IOException {
    long start = System.nanoTime();
    OutputStream out = socket.getOutputStream();
    out.write(PINGS);
    InputStream in = socket.getInputStream();
    byte[] bytes = new byte[8192];
    for (int read = 0; read < 7 * COUNT; ) read += in.read(bytes);
    return System.nanoTime() - start;
  }

  private static long singlyOnSocket(Socket socket) throws IOException {
    byte[] pong = new byte[7];
    long start = System.nanoTime();
    for (int i = 0; i < SINGLY; i++) {
      socket.getOutputStream().write(PINGS, 0, 14);
      if (socket.getInputStream().readNBytes(pong, 0, 7) < 7) throw new IOException("closed");
    }
    return (System.nanoTime() - start) / SINGLY;
  }

  private static long singly(RedisClient redis, Command<String> ping) {
    long start = System.nanoTime();
    for (int i = 0; i < SINGLY; i++) {
      if (!"PONG".equals(redis.call(ping))) throw new IllegalStateException();
    }
    return (System.nanoTime() - start) / SINGLY;
  }

  private static long each(RedisClient redis, Command<String> ping) {
    long start = System.nanoTime();
    @Nullable RedisFuture<?>[] futures = new RedisFuture<?>[COUNT];
    for (int i = 0; i < COUNT; i++) futures[i] = redis.send(ping);
    for (RedisFuture<?> future : futures) {
      if (future == null || !"PONG".equals(future.join())) throw new IllegalStateException();
    }
    return System.nanoTime() - start;
  }

  private static long batch(RedisClient redis, List<Command<String>> pings) {
    long start = System.nanoTime();
    if (redis.sendAll(pings).join().size() != COUNT) throw new IllegalStateException();
    return System.nanoTime() - start;
  }

  private static void print(String name, long[] nanos, long[] floor) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    long[] floors = floor.clone();
    Arrays.sort(floors);
    double median = sorted[sorted.length / 2] / 1e3;
    System.out.printf(
        Locale.ROOT,
        "%s median %.0f us, p10 %.0f, p90 %.0f, ratio %.2f%n",
        name,
        median,
        sorted[sorted.length / 10] / 1e3,
        sorted[sorted.length * 9 / 10] / 1e3,
        median * 1e3 / floors[floors.length / 2]);
  }
}
