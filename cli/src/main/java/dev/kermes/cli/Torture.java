package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ends a server that clients write to, at a random moment, starts it again on the same files, and
 * compares: what survives of each client is a prefix of what it sent. With {@code appendfsync
 * always} that has all that was acknowledged; with {@code everysec} what is missing was
 * acknowledged in the last second, or in two seconds while a sync was late.
 */
final class Torture {

  private static final int MILLIS_MAX = 300;

  /** Long enough that what is a second old must be there. */
  private static final int MILLIS_MAX_EVERYSEC = 3000;

  private static final int SYNC_MILLIS_MAX = 2500;

  /** A thread that is due, of server or client, may come so much later on a busy machine. */
  private static final int LATE_MILLIS_MAX = 200;

  /** Several loops acknowledge what one of them has brought to the disk, or has failed to. */
  private static final int LOOPS_MAX = 3;

  /** How the server ends. */
  enum End {
    KILL,
    POWER_LOSS,
    /** The same while each sync takes long. */
    SLOW_POWER_LOSS
  }

  private final Path folder;
  private final String policy;
  private final int clients;
  private final Random random;
  private final List<String> faults = new ArrayList<>();
  private long acknowledged;
  private long lost;
  private long lostMillisMax;

  Torture(Path folder, String policy, int clients, long seed) {
    this.folder = folder;
    this.policy = policy;
    this.clients = clients;
    random = new Random(seed);
  }

  /** What went wrong so far. */
  List<String> faults() {
    return faults;
  }

  /** Writes that were acknowledged. */
  long acknowledged() {
    return acknowledged;
  }

  /** Those of them that did not survive. */
  long lost() {
    return lost;
  }

  /** From the first acknowledgement that was lost to the last one of all clients, at most. */
  long lostMillisMax() {
    return lostMillisMax;
  }

  /** Runs so many trials. */
  void run(End end, int trials) throws IOException, InterruptedException {
    TortureVictim victim = start(end);
    for (int trial = 0; trial < trials; trial++) {
      List<TortureClient> writers = load(victim, end, end + " " + trial + ":");
      long endNanos = System.nanoTime();
      victim.end();
      for (TortureClient writer : writers) writer.join();
      victim = start(end);
      compare(writers, victim, endNanos, end, end + " " + trial);
    }
    victim.end();
  }

  private TortureVictim start(End end) throws IOException {
    int loops = 1 + random.nextInt(LOOPS_MAX);
    return end == End.KILL
        ? TortureVictim.process(folder, policy, loops)
        : TortureVictim.powerless(folder, policy, loops, random.nextLong());
  }

  /** Has clients write for a while, and now and then the file rewritten. */
  private List<TortureClient> load(TortureVictim victim, End end, String prefix)
      throws IOException, InterruptedException {
    List<TortureClient> writers = new ArrayList<>();
    try (CliConnection control = TortureClient.connect(victim.port())) {
      tell(control, "FLUSHALL");
      for (int i = 0; i < clients; i++) {
        TortureData data = new TortureData(prefix + i + ":");
        writers.add(new TortureClient(data, victim.port(), new Random(random.nextLong())));
      }
      if (end == End.SLOW_POWER_LOSS) victim.syncMillis(random.nextInt(SYNC_MILLIS_MAX));
      writers.forEach(Thread::start);
      int millis = 1 + random.nextInt(isAlways() ? MILLIS_MAX : MILLIS_MAX_EVERYSEC);
      Thread.sleep(millis / 2);
      if (random.nextInt(3) == 0) tell(control, "BGREWRITEAOF");
      Thread.sleep(millis - millis / 2);
    }
    return writers;
  }

  private boolean isAlways() {
    return policy.equals("always");
  }

  private static void tell(CliConnection control, String command) throws IOException {
    control.send(List.of(command.getBytes(UTF_8)));
    Reply unused = control.receive();
  }

  private void compare(
      List<TortureClient> writers, TortureVictim victim, long endNanos, End end, String trial)
      throws IOException {
    long lastNanos = Long.MIN_VALUE;
    for (TortureClient writer : writers) {
      long count = kept(writer, endNanos);
      if (count > 0) lastNanos = Math.max(lastNanos, writer.acknowledgedNanos(count));
    }
    try (CliConnection connection = TortureClient.connect(victim.port())) {
      for (TortureClient writer : writers) {
        long survived = survived(writer, connection, trial);
        if (survived < 0) continue;
        long kept = kept(writer, endNanos);
        acknowledged += kept;
        if (survived >= kept) continue;
        lost += kept - survived;
        long lostMillis = (lastNanos - writer.acknowledgedNanos(survived + 1)) / 1_000_000;
        lostMillisMax = Math.max(lostMillisMax, lostMillis);
        if (!isAllowed(lostMillis, end)) {
          faults.add(
              "%s: acknowledged=%d, survived=%d, lost=%d ms"
                  .formatted(trial, kept, survived, lostMillis));
        }
      }
    }
  }

  /** Without power nothing is worth its acknowledgement, unless that was to wait for the disk. */
  private long kept(TortureClient writer, long endNanos) {
    return isAlways() ? writer.acknowledged() : writer.acknowledgedBefore(endNanos);
  }

  private boolean isAllowed(long lostMillis, End end) {
    if (isAlways()) return false;
    return lostMillis <= (end == End.SLOW_POWER_LOSS ? 2000 : 1000) + LATE_MILLIS_MAX;
  }

  /** How many writes of a client there are; -1 after a fault. */
  private long survived(TortureClient writer, CliConnection connection, String trial)
      throws IOException {
    if (!mayRefuse(writer.refusal())) {
      faults.add(trial + ": a write was refused: " + writer.refusal());
    }
    long survived = writer.data().count(connection);
    if (survived < 0 || survived > writer.sent()) {
      faults.add(trial + ": no prefix of what was sent: " + writer.data().in(connection));
      return -1;
    }
    return survived;
  }

  /**
   * Whether a server that is losing its disk, or is just being closed, may say that; or nothing.
   */
  private static boolean mayRefuse(String refusal) {
    return refusal.isEmpty()
        || refusal.startsWith("MISCONF")
        || refusal.startsWith("EXECABORT")
        || refusal.contains("shutting down");
  }
}
