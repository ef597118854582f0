package dev.kermes.tools.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The program {@code kermes torture --events}; see {@link EventsTorture}. */
public final class EventsTortureProgram {

  public static final String USAGE =
      """
      usage: kermes torture --events [--faults N] [--kinds NAME,...] [--lease MILLIS] [--seed N]
                                     [--url URL]

        --faults N      how many (20)
        --kinds NAMES   in turn: kill, stop, cut, flush (all)
        --lease MILLIS  of the members (3000)
        --seed N        of the members that are chosen (1)
        --url URL       a running server, which is emptied; otherwise one of ours is started

      Exits with 1 if an event was lost or out of order, or consumption did not continue.
      """;

  private int faults = 20;
  private List<EventsTorture.Fault> kinds = List.of(EventsTorture.Fault.values());
  private long leaseMillis = 3000;
  private long seed = 1;
  private String url = "";

  private EventsTortureProgram() {}

  /** Returns 0 if no event was lost or out of order, and consumption continued after each fault. */
  static int run(String[] args) {
    EventsTortureProgram program = new EventsTortureProgram();
    return TortureProgram.execute(args, USAGE, program::set, program::run);
  }

  private boolean set(String option, String value) {
    switch (option) {
      case "--faults" -> faults = Integer.parseInt(value);
      case "--lease" -> leaseMillis = Long.parseLong(value);
      case "--seed" -> seed = Long.parseLong(value);
      case "--url" -> url = value;
      case "--kinds" -> kinds = kinds(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static List<EventsTorture.Fault> kinds(String names) {
    List<EventsTorture.Fault> found = new ArrayList<>();
    for (String name : names.split(",")) {
      found.add(EventsTorture.Fault.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return found;
  }

  private int run() throws IOException, InterruptedException {
    if (!url.isEmpty()) return run(url);
    TortureVictim server =
        TortureVictim.process(Files.createTempDirectory("kermes-torture"), "everysec", 1);
    try {
      return run("redis://127.0.0.1:" + server.port());
    } finally {
      server.end();
    }
  }

  private int run(String server) throws IOException, InterruptedException {
    try (EventsTorture torture = new EventsTorture(server, leaseMillis, seed)) {
      boolean isAlive = true;
      for (int i = 0; i < faults && isAlive; i++)
        isAlive = torture.run(kinds.get(i % kinds.size()));
      boolean isComplete = torture.end();
      EventsHistory history = torture.history();
      List<String> disorder = history.disorder();
      System.out.printf(
          "events: faults=%d, emitted=%d, lost=%d, repeated=%d, keys out of order=%d,"
              + " longest resumptions in ms=%s%n",
          faults,
          history.emitted(),
          history.missing(),
          history.repeated(),
          disorder.size(),
          torture.resumeMillisMax());
      disorder.forEach(System.out::println);
      if (!isAlive) System.out.println("consumption did not continue after a fault");
      return isAlive && isComplete && disorder.isEmpty() ? 0 : 1;
    }
  }
}
