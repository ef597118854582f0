package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ends a server that clients write to, at a random moment, starts it again on the same files, and
 * compares: what survives of each client is a prefix of what it sent, and with {@code appendfsync
 * always} has all that was acknowledged.
 */
final class Torture {

  private static final int MILLIS_MAX = 300;

  /** How the server ends. */
  enum End {
    KILL,
    POWER_LOSS
  }

  private final Path folder;
  private final String policy;
  private final int clients;
  private final Random random;
  private final List<String> faults = new ArrayList<>();
  private long acknowledged;
  private long lost;

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

  /** Runs so many trials. */
  void run(End end, int trials) throws IOException, InterruptedException {
    TortureVictim victim = start(end);
    for (int trial = 0; trial < trials; trial++) {
      List<TortureClient> writers = load(victim, end + " " + trial + ":");
      victim.end();
      for (TortureClient writer : writers) writer.join();
      victim = start(end);
      try (CliConnection connection = TortureClient.connect(victim.port())) {
        for (TortureClient writer : writers) compare(writer, connection, end + " " + trial);
      }
    }
    victim.end();
  }

  private TortureVictim start(End end) throws IOException {
    return end == End.KILL
        ? TortureVictim.process(folder, policy)
        : TortureVictim.powerless(folder, policy, random.nextLong());
  }

  /** Has clients write for a while, and now and then the file rewritten. */
  private List<TortureClient> load(TortureVictim victim, String prefix)
      throws IOException, InterruptedException {
    List<TortureClient> writers = new ArrayList<>();
    try (CliConnection control = TortureClient.connect(victim.port())) {
      tell(control, "FLUSHALL");
      for (int i = 0; i < clients; i++) {
        TortureData data = new TortureData(prefix + i + ":");
        writers.add(new TortureClient(data, victim.port(), new Random(random.nextLong())));
      }
      writers.forEach(Thread::start);
      int millis = 1 + random.nextInt(MILLIS_MAX);
      Thread.sleep(millis / 2);
      if (random.nextInt(3) == 0) tell(control, "BGREWRITEAOF");
      Thread.sleep(millis - millis / 2);
    }
    return writers;
  }

  private static void tell(CliConnection control, String command) throws IOException {
    control.send(List.of(command.getBytes(UTF_8)));
    Reply unused = control.receive();
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

  private void compare(TortureClient writer, CliConnection connection, String trial)
      throws IOException {
    acknowledged += writer.acknowledged();
    if (!mayRefuse(writer.refusal())) {
      faults.add(trial + ": a write was refused: " + writer.refusal());
    }
    long survived = writer.data().count(connection, 0, writer.sent());
    if (survived < 0) {
      faults.add(trial + ": no prefix of what was sent: " + writer.data().in(connection));
      return;
    }
    lost += Math.max(0, writer.acknowledged() - survived);
    if (policy.equals("always") && survived < writer.acknowledged()) {
      faults.add(trial + ": acknowledged=" + writer.acknowledged() + ", survived=" + survived);
    }
  }
}
