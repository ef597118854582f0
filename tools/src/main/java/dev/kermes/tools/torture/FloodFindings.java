package dev.kermes.tools.torture;

import dev.kermes.cli.rediscli.CliConnection;
import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The experience of well-behaved clients while a server was flooded, and whether it released its
 * memory.
 */
final class FloodFindings {

  /** The allowed 99th percentile of a well-behaved client's wait. */
  private static final long MILLIS_MAX = 1000;

  /**
   * The tolerated growth of the account of memory; the growth of the heap after a collection
   * follows.
   */
  private static final long ACCOUNT_SLACK = 1 << 20;

  private static final long HEAP_SLACK = 24 << 20;

  /**
   * The tolerated number of log lines: a stack trace or two, and some a second about closed
   * clients.
   */
  private static final long LOG_LINES = 200;

  private static final long LOG_LINES_PER_SECOND = 20;

  /** The time in which memory must be released. */
  private static final int RETURN_SECONDS = 20;

  private final List<String> faults = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();
  private long refusals;
  private long accountBefore;
  private long heapBefore;
  private long account;
  private long heap;

  List<String> faults() {
    return faults;
  }

  void fault(String what) {
    faults.add(what);
  }

  /** Connects and logs in as a well-behaved client. */
  static void logIn(CliConnection good) throws IOException {
    ask(good, "AUTH", FloodVictim.PASSWORD);
  }

  /** Sends a command and records the time to its reply; SET may be refused for lack of memory. */
  void measure(CliConnection good, String... words) throws IOException {
    long start = System.nanoTime();
    Reply reply = send(good, words);
    waited(System.nanoTime() - start);
    if (!reply.isError()) return;
    boolean isRefusal = words[0].equals("SET") && reply.string().startsWith("OOM");
    if (isRefusal) refusals++;
    else fault(Arrays.toString(words) + ": " + reply.string());
  }

  void waited(long time) {
    nanos.add(time);
  }

  private static Reply send(CliConnection connection, String... words) throws IOException {
    connection.send(TortureData.words(words));
    return connection.receive();
  }

  static Reply ask(CliConnection connection, String... words) throws IOException {
    Reply reply = send(connection, words);
    if (reply.isError()) throw new IOException(reply.string());
    return reply;
  }

  /** Records the memory before the flood. */
  void begin(CliConnection good) throws IOException {
    accountBefore = info(good, "memory", "used_memory");
    heapBefore = heapAfterCollection(good);
  }

  /** Checks that the log is not too long for the duration of the flood. */
  void logged(long lines, int seconds) {
    if (lines > LOG_LINES + (long) seconds * LOG_LINES_PER_SECOND) {
      fault("the log is flooded: lines=" + lines);
    }
  }

  /** Waits after the flood until memory is back at the earlier level. */
  void end(CliConnection good) throws IOException, InterruptedException {
    account = info(good, "memory", "used_memory");
    for (int i = 0; i < RETURN_SECONDS * 10 && account > accountBefore + ACCOUNT_SLACK; i++) {
      Thread.sleep(100);
      account = info(good, "memory", "used_memory");
    }
    if (account > accountBefore + ACCOUNT_SLACK) {
      fault("memory has not returned: before=" + accountBefore + ", after=" + account);
    }
    heap = heapAfterCollection(good);
    for (int i = 0; i < RETURN_SECONDS && heap > heapBefore + HEAP_SLACK; i++) {
      Thread.sleep(1000);
      heap = heapAfterCollection(good);
    }
    if (heap > heapBefore + HEAP_SLACK) {
      fault("the heap has not returned: before=" + heapBefore + ", after=" + heap);
    }
    if (p99Millis() > MILLIS_MAX) fault("a well-behaved client waited: p99=" + p99Millis() + " ms");
  }

  private static long heapAfterCollection(CliConnection good) throws IOException {
    ask(good, "MEMORY", "PURGE");
    return info(good, "memory", "used_memory_heap");
  }

  static long info(CliConnection good, String section, String field) throws IOException {
    for (String line : ask(good, "INFO", section).string().split("\r\n")) {
      if (line.startsWith(field + ":")) return Long.parseLong(line.substring(field.length() + 1));
    }
    throw new IOException("INFO has no " + field);
  }

  private long p99Millis() {
    return percentile(99) / 1_000_000;
  }

  private long percentile(int percent) {
    if (nanos.isEmpty()) return Long.MAX_VALUE;
    long[] sorted = nanos.stream().mapToLong(each -> each).sorted().toArray();
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
  }

  /** Returns the measurements as one line. */
  String report() {
    return "requests=%d, refused for memory=%d, p50=%.1f ms, p99=%d ms, max=%d ms, used_memory=%d, heap=%d MB after"
        .formatted(
            nanos.size(),
            refusals,
            percentile(50) / 1e6,
            p99Millis(),
            percentile(100) / 1_000_000,
            account,
            heap >> 20);
  }
}
