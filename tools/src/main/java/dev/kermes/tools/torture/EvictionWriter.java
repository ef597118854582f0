package dev.kermes.tools.torture;

import static dev.kermes.tools.torture.TortureData.words;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kermes.cli.rediscli.CliConnection;
import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Sends bursts of random commands, mostly writes of values of very different sizes. */
final class EvictionWriter extends Thread {

  private static final int BURST = 16;

  /** More faults than this are only counted. */
  private static final int FAULTS_SHOWN = 5;

  /** Sizes of values are 16 to 16 Ki bytes; one in {@link #LARGE_EACH} has up to a mebibyte. */
  private static final int SIZE_BITS_MIN = 4;

  private static final int SIZE_BITS_MAX = 14;
  private static final int SIZE_BITS_LARGE = 20;
  private static final int LARGE_EACH = 2000;

  /** Elements of a collection that are drawn from. */
  private static final int ELEMENTS = 1000;

  private final CliConnection connection;
  private final Random random;
  private final int keys;
  private final int rate;
  private final long endNanos;
  private final List<String> faults = new ArrayList<>();
  private long commands;
  private long worstNanos;

  /**
   * A writer until {@code endNanos}.
   *
   * @param dataMax the bytes of data that the server keeps; all keys together want more
   * @param rate commands a second; 0 for as many as possible
   */
  EvictionWriter(CliConnection connection, Random random, long dataMax, int rate, long endNanos) {
    super("kermes-eviction-writer");
    this.connection = connection;
    this.random = random;
    this.keys = (int) Math.min(Integer.MAX_VALUE, dataMax / 500);
    this.rate = rate;
    this.endNanos = endNanos;
  }

  long commands() {
    return commands;
  }

  /** The longest time from sending a burst to its last reply. */
  long worstNanos() {
    return worstNanos;
  }

  /** The errors of replies, or why the connection was lost. */
  List<String> faults() {
    return faults;
  }

  @Override
  public void run() {
    long begin = System.nanoTime();
    try (connection) {
      while (System.nanoTime() - endNanos < 0) {
        burst();
        if (rate == 0) continue;
        long due = begin + commands * 1_000_000_000L / rate;
        LockSupport.parkNanos(due - System.nanoTime());
      }
    } catch (IOException e) {
      fault("a writer was lost: " + e.getMessage());
    }
  }

  private void burst() throws IOException {
    List<List<byte[]>> burst = new ArrayList<>();
    for (int i = 0; i < BURST; i++) burst.add(command());
    long start = System.nanoTime();
    for (List<byte[]> command : burst) connection.send(command);
    for (List<byte[]> command : burst) {
      Reply reply = connection.receive();
      if (reply.isError()) fault(new String(command.get(0), US_ASCII) + ": " + reply.string());
    }
    worstNanos = Math.max(worstNanos, System.nanoTime() - start);
    commands += BURST;
  }

  private void fault(String what) {
    if (faults.size() < FAULTS_SHOWN) faults.add(what);
  }

  private List<byte[]> command() {
    return switch (random.nextInt(20)) {
      case 0, 1 -> words("SET", key("s"), value(), "PX", number(60_000));
      case 2 -> words("APPEND", key("a"), "x".repeat(1 + random.nextInt(100)));
      case 3, 4 -> words("HSET", key("h"), number(ELEMENTS), value());
      case 5, 6 -> words("ZADD", key("z"), number(ELEMENTS), number(ELEMENTS));
      case 7 -> words("SADD", key("u"), number(ELEMENTS));
      case 8 -> words("RPUSH", key("l"), value());
      case 9 -> words("XADD", key("x"), "MAXLEN", "~", "100", "*", "f", value());
      case 10 -> words("LTRIM", key("l"), "-100", "-1");
      case 11 -> words("UNLINK", key("s"), key("h"), key("z"));
      case 12 -> words("EXPIRE", key("h"), "60");
      case 13, 14 -> words("GET", key("s"));
      default -> words("SET", key("s"), value());
    };
  }

  private String key(String type) {
    return type + random.nextInt(keys);
  }

  private String number(int max) {
    return Integer.toString(1 + random.nextInt(max));
  }

  /** A value of a random size: each power of two is as likely as the others. */
  private String value() {
    int bits = SIZE_BITS_MIN + random.nextInt(SIZE_BITS_MAX - SIZE_BITS_MIN);
    if (random.nextInt(LARGE_EACH) == 0) bits = SIZE_BITS_LARGE - 1;
    return "v".repeat((1 << bits) + random.nextInt(1 << bits));
  }
}
