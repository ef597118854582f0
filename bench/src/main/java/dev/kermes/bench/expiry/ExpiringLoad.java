package dev.kermes.bench.expiry;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Connections that write as fast as the server replies. If the writes expire, each key or field is
 * written once, otherwise the same ones again and again.
 */
public final class ExpiringLoad implements AutoCloseable {

  private static final int CONNECTIONS = 20;
  private static final int PIPELINE = 32;

  /** Keys that are written again and again: about as many as are alive with expiry. */
  private static final long LASTING = 150_000;

  /**
   * Keys per millisecond; 100 is a third of the observed rate, so that a server is filled in time.
   */
  private static final int FILL_PER_MILLI = 100;

  /** The placeholder for the number that makes a key or field new. */
  private static final String NUMBER = "000000000000";

  /** The command that writes, as words. */
  enum Kind {
    KEYS("SET PX 300", "DBSIZE") {
      @Override
      List<String> command(@Nullable Duration life) {
        if (life == null) return List.of("SET", "key:" + NUMBER, "v");
        return List.of("SET", "key:" + NUMBER, "v", "PX", millis(life));
      }
    },
    FIELDS("HSETEX PX 300", "HLEN hash") {
      @Override
      List<String> command(@Nullable Duration life) {
        String field = "field:" + NUMBER;
        if (life == null) return List.of("HSETEX", "hash", "FIELDS", "1", field, "v");
        return List.of("HSETEX", "hash", "PX", millis(life), "FIELDS", "1", field, "v");
      }
    };

    private final String label;

    /** A command that replies the number of stored keys or fields. */
    private final String counting;

    Kind(String label, String counting) {
      this.label = label;
      this.counting = counting;
    }

    String label() {
      return label;
    }

    static Kind named(String label) {
      for (Kind kind : values()) if (kind.label.equals(label)) return kind;
      throw new IllegalArgumentException(label);
    }

    abstract List<String> command(@Nullable Duration life);

    private static String millis(Duration time) {
      return Long.toString(time.toMillis());
    }
  }

  private final Kind kind;
  private final long distinct;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ends;
  private volatile @Nullable IOException failure;

  /** Starts the load; {@code life} is the time to live of its writes, null for no expiry. */
  ExpiringLoad(RunningServer server, Kind kind, @Nullable Duration life) throws IOException {
    this.kind = kind;
    distinct = life == null ? LASTING : Long.MAX_VALUE;
    List<String> command = kind.command(life);
    for (int i = 0; i < CONNECTIONS; i++) {
      Wire wire = new Wire(server.address());
      threads.add(Thread.ofPlatform().daemon().start(() -> write(wire, command)));
    }
  }

  /** Returns whether the server has the command. */
  static boolean isKnown(RunningServer server, Kind kind) throws IOException {
    List<String> command = kind.command(Duration.ofMillis(1));
    try (Wire wire = new Wire(server.address())) {
      return !wire.call(command.toArray(String[]::new)).startsWith("-");
    }
  }

  /**
   * Stores {@code keys} keys that expire together, at the earliest {@code calm} from now; returns
   * when.
   */
  public static long fill(RunningServer server, int keys, Duration calm) throws IOException {
    long due = System.currentTimeMillis() + calm.toMillis() + keys / FILL_PER_MILLI;
    List<String> command = List.of("SET", "key:" + NUMBER, "v", "PXAT", Long.toString(due));
    Batch batch = new Batch(command);
    try (Wire wire = new Wire(server.address())) {
      long sent = 0;
      while (sent < keys) sent += batch.send(wire, sent, keys - sent);
    }
    if (System.currentTimeMillis() > due) throw new BenchmarkException("too slow to fill");
    return due;
  }

  private void write(Wire wire, List<String> command) {
    Batch batch = new Batch(command);
    try (wire) {
      while (!ends) {
        long first = next.getAndAdd(PIPELINE) % distinct;
        written.addAndGet(batch.send(wire, first, PIPELINE));
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  /** Returns how many keys or fields have been written and acknowledged. */
  long written() {
    return written.get();
  }

  /**
   * The size of a server's data at a moment.
   *
   * @param micros the moment, since 1970 by the server's clock
   * @param size the number of keys or fields, expired or not
   */
  record Stored(long micros, long size) {}

  /** Asks a server for both in one write, so that it replies them without a pause in between. */
  Stored stored(Wire wire) throws IOException {
    byte[] time = Wire.encode(List.of("TIME"));
    byte[] count = Wire.encode(List.of(kind.counting.split(" ")));
    byte[] both = Arrays.copyOf(time, time.length + count.length);
    System.arraycopy(count, 0, both, time.length, count.length);
    wire.send(both, both.length);
    wire.reply(); // an array of two
    long seconds = Long.parseLong(wire.reply());
    long micros = Long.parseLong(wire.reply());
    return new Stored(seconds * 1_000_000 + micros, Long.parseLong(wire.reply().substring(1)));
  }

  /**
   * Returns when the last write is acknowledged; fails if a connection has failed, because the load
   * was then incomplete.
   */
  void stop() throws IOException, InterruptedException {
    ends = true;
    for (Thread thread : threads) thread.join();
    if (failure != null) throw failure;
  }

  @Override
  public void close() {
    ends = true;
  }

  /** A pipeline of one command with different numbers. */
  private static final class Batch {

    private final byte[] bytes;
    private final int commandLength;
    private final int numberAt;

    Batch(List<String> command) {
      byte[] one = Wire.encode(command);
      commandLength = one.length;
      numberAt = new String(one, StandardCharsets.ISO_8859_1).indexOf(NUMBER);
      bytes = new byte[PIPELINE * commandLength];
      for (int i = 0; i < PIPELINE; i++) {
        System.arraycopy(one, 0, bytes, i * commandLength, commandLength);
      }
    }

    /** Sends the command with the numbers from {@code first} on and reads the replies. */
    int send(Wire wire, long first, long most) throws IOException {
      int count = (int) Math.min(PIPELINE, most);
      for (int i = 0; i < count; i++) number(i * commandLength + numberAt, first + i);
      wire.send(bytes, count * commandLength);
      for (int i = 0; i < count; i++) {
        String reply = wire.reply();
        if (reply.startsWith("-")) throw new IOException(reply);
      }
      return count;
    }

    private void number(int at, long number) {
      for (int i = at + NUMBER.length() - 1; i >= at; i--, number /= 10) {
        bytes[i] = (byte) ('0' + number % 10);
      }
    }
  }
}
