package dev.kermes.tools.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.rediscli.CliConnection;
import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Kills a server at a random moment while clients write to it, starts it again on the same files,
 * and compares: the surviving writes of each client are a prefix of its writes. With {@code
 * appendfsync always} the prefix contains all acknowledged writes. With {@code everysec} the
 * missing ones were acknowledged in the last second, or in two seconds while a sync was late.
 */
final class Torture {

  private static final int MILLIS_MAX = 300;

  /** Long enough that writes of a second ago must have survived. */
  private static final int MILLIS_MAX_EVERYSEC = 3000;

  private static final int SYNC_MILLIS_MAX = 2500;

  /** The possible delay of a thread, of server or client, on a busy machine. */
  private static final int LATE_MILLIS_MAX = 200;

  /**
   * Several loops acknowledge writes that one of them has brought to the disk, or has failed to.
   */
  private static final int LOOPS_MAX = 3;

  /** The way in which the server ends. */
  enum End {
    KILL,
    POWER_LOSS,
    /** The same with slow syncs. */
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

  /** The faults so far. */
  List<String> faults() {
    return faults;
  }

  /** The number of acknowledged writes. */
  long acknowledged() {
    return acknowledged;
  }

  /** The number of acknowledged writes that did not survive. */
  long lost() {
    return lost;
  }

  /** The longest time from the first lost acknowledgement to the last one of all clients. */
  long lostMillisMax() {
    return lostMillisMax;
  }

  /** Runs {@code trials} trials. */
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

  /** Lets clients write for a while, and now and then rewrites the file. */
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

  /** Without power no acknowledgement counts, unless it had to wait for the disk. */
  private long kept(TortureClient writer, long endNanos) {
    return isAlways() ? writer.acknowledged() : writer.acknowledgedBefore(endNanos);
  }

  private boolean isAllowed(long lostMillis, End end) {
    if (isAlways()) return false;
    return lostMillis <= (end == End.SLOW_POWER_LOSS ? 2000 : 1000) + LATE_MILLIS_MAX;
  }

  /** Returns the number of writes of a client; -1 after a fault. */
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
   * Returns whether a server that is losing its disk, or is being closed, may reply that; or
   * nothing.
   */
  private static boolean mayRefuse(String refusal) {
    return refusal.isEmpty()
        || refusal.startsWith("MISCONF")
        || refusal.startsWith("EXECABORT")
        || refusal.contains("shutting down");
  }
}
