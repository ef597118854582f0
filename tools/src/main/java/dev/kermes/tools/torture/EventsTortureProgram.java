package dev.kermes.tools.torture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;

/** The program {@code kermes torture --events}; see {@link EventsTorture}. */
public final class EventsTortureProgram {

  public static final String USAGE =
      """
      usage: kermes torture --events [--faults N] [--kinds NAME,...] [--servers KIND | --url URL]
                                     [--members N] [--lease MILLIS] [--parallel N] [--seed N]
                                     [--emit N] [--keys N] [--rate N]

        --faults N      how many (20)
        --emit N        more faults until each group has emitted so many events (0)
        --keys N        of the events of each group (64)
        --rate N        events of each group per second, at most (3200)
        --kinds NAMES   in turn: kill, stop, cut, flush; failover and crash if there are replicas,
                        move in a cluster (all that are possible)
        --servers KIND  ours that are started: single, sentinel or cluster (single)
        --url URL       servers that run already, and are emptied; they are not killed (no crash)
        --members N     processes that handle events (3)
        --lease MILLIS  of the members (3000)
        --parallel N    groups of members, each with servers of its own, that share the faults (1)
        --seed N        of the members and servers that are chosen (1)

      Exits with 1 if an event was lost or out of order, or if consumption did not continue within
      the lease and 2 seconds after a fault, and the time of two events of a key, which show it.
      """;

  /** The time beyond the lease in which members have to continue. */
  private static final long RESUMPTION_MILLIS = 2000;

  private int faults = 20;
  private long emitted;
  private int keys = 64;
  private int rate = 3200;
  private List<EventsTorture.Fault> kinds = List.of();
  private String servers = "single";
  private String url = "";
  private int members = 3;
  private long leaseMillis = 3000;
  private int parallel = 1;
  private long seed = 1;

  private EventsTortureProgram() {}

  /** Returns 0 if no event was lost or out of order, and consumption continued after each fault. */
  static int run(String[] args) {
    EventsTortureProgram program = new EventsTortureProgram();
    return TortureProgram.execute(args, USAGE, program::set, program::run);
  }

  private boolean set(String option, String value) {
    switch (option) {
      case "--faults" -> faults = Integer.parseInt(value);
      case "--emit" -> emitted = Long.parseLong(value);
      case "--keys" -> keys = positive(option, value);
      case "--rate" -> rate = positive(option, value);
      case "--kinds" -> kinds = kinds(value);
      case "--servers" -> servers = value;
      case "--url" -> url = value;
      case "--members" -> members = positive(option, value);
      case "--lease" -> leaseMillis = Long.parseLong(value);
      case "--parallel" -> parallel = positive(option, value);
      case "--seed" -> seed = Long.parseLong(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static int positive(String option, String value) {
    int number = Integer.parseInt(value);
    if (number < 1) throw new IllegalArgumentException("out of range: " + option + "=" + value);
    return number;
  }

  private static List<EventsTorture.Fault> kinds(String names) {
    List<EventsTorture.Fault> found = new ArrayList<>();
    for (String name : names.split(",")) {
      found.add(EventsTorture.Fault.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return found;
  }

  private int run() throws IOException, InterruptedException {
    if (!url.isEmpty() && parallel > 1) {
      throw new IllegalArgumentException("each group has servers of its own: --parallel, --url");
    }
    LogManager.getLogManager().reset(); // a killed server logs a lot
    EventsTorture.Load load = new EventsTorture.Load(keys, rate);
    Resumption resumption =
        new Resumption(leaseMillis + RESUMPTION_MILLIS + 2 * load.pauseMillis());
    List<Future<Boolean>> groups = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < parallel; i++) {
        int group = i;
        groups.add(threads.submit(() -> run(group, load, resumption)));
      }
    }
    boolean isSound = resumption.late() == 0;
    for (Future<Boolean> each : groups) isSound &= result(each);
    System.out.print(resumption.report());
    return isSound ? 0 : 1;
  }

  private static boolean result(Future<Boolean> group) throws IOException, InterruptedException {
    try {
      return group.get();
    } catch (ExecutionException e) {
      throw new IOException("a group has failed: " + e.getCause(), e);
    }
  }

  /** One group of members and its share of the faults; whether nothing was lost or out of order. */
  private boolean run(int group, EventsTorture.Load load, Resumption resumption)
      throws IOException, InterruptedException {
    try (EventsServers started = start();
        EventsTorture torture =
            new EventsTorture(started, load, members, leaseMillis, seed + group, resumption)) {
      EventsHistory history = torture.history();
      List<EventsTorture.Fault> possible = possible(torture);
      boolean isAlive = torture.awaitStart();
      for (int i = group; isAlive && (i < faults || history.emitted() < emitted); i += parallel) {
        isAlive = torture.run(possible.get(i / parallel % possible.size()));
      }
      boolean isComplete = torture.end();
      List<String> disorder = history.disorder();
      System.out.printf(
          "events: servers=%s, emitted=%d, lost=%d, repeated=%d, keys out of order=%d%n",
          url.isEmpty() ? servers : url,
          history.emitted(),
          history.missing(),
          history.repeated(),
          disorder.size());
      disorder.forEach(System.out::println);
      if (!isAlive) System.out.println("consumption did not continue after a fault");
      return isAlive && isComplete && disorder.isEmpty();
    }
  }

  private EventsServers start() throws IOException {
    if (!url.isEmpty()) return EventsServers.running(url);
    return switch (servers) {
      case "single" -> EventsServer.start();
      case "sentinel" -> EventsSentinel.start();
      case "cluster" -> EventsCluster.start();
      default -> throw new IllegalArgumentException("unknown: --servers=" + servers);
    };
  }

  private List<EventsTorture.Fault> possible(EventsTorture torture) {
    if (kinds.isEmpty()) return List.copyOf(torture.faults());
    if (torture.faults().containsAll(kinds)) return kinds;
    throw new IllegalArgumentException(
        "not possible: --kinds=" + kinds + ", possible=" + torture.faults());
  }
}
