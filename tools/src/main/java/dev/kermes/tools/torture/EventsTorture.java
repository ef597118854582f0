package dev.kermes.tools.torture;

import dev.kermes.client.RedisClient;
import dev.kermes.events.EmitOptions;
import dev.kermes.events.RedisEvents;
import dev.kermes.reactor.Reactor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Members in JVMs of their own handle the events of a topic, while they are killed, stopped and cut
 * off, and while their servers fail. After each fault a probe per key shows that consumption
 * continues. At the end all events that the server had must have been handled, in order per key.
 */
final class EventsTorture implements AutoCloseable {

  /**
   * The events to emit.
   *
   * @param keys how many; at least 1
   * @param rate events per second in all, at most; at least 1
   */
  record Load(int keys, int rate) {
    /** Between two events of a key. */
    long pauseMillis() {
      return keys * 1000L / rate;
    }
  }

  /** 30 seconds: an event is emitted again as soon as its confirmation is known to be lost. */
  private static final Duration ID_KEPT = Duration.ofSeconds(30);

  /** The probes after a fault, and the events at the end, have to be handled within this time. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** 30 seconds: a new member has taken its partitions in less. */
  private static final long JOINED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** An event that its master only has can be lost with it; a replica has it soon. */
  private static final Duration REPLICA_TIMEOUT = Duration.ofSeconds(1);

  /** The faults. */
  enum Fault {
    /** A member gets SIGKILL; when the others have its partitions, another one starts. */
    KILL,
    /** A member gets SIGSTOP for one and a half leases. */
    STOP,
    /** The servers close all connections of members and of the emitter. */
    CUT,
    /** The servers lose their data. */
    FLUSH,
    /** A replica becomes the master on demand. */
    FAILOVER,
    /** A master is killed, a replica takes over, and another one starts. */
    CRASH,
    /** The slot of a partition moves to another master. */
    MOVE
  }

  private final EventsServers servers;
  private final Load load;
  private final Executor next;
  private final long leaseMillis;
  private final Random random;
  private final Resumption resumption;
  private final EventsHistory history;
  private final List<EventsMember> members = new ArrayList<>();
  private final Reactor reactor = Reactor.create();
  private final RedisClient redis;
  private final RedisEvents events;
  private volatile boolean isEnding;

  /**
   * Starts the members, and emits.
   *
   * @param servers are emptied; not closed
   * @param resumption gets the time after each fault
   */
  EventsTorture(
      EventsServers servers,
      Load load,
      int memberCount,
      long leaseMillis,
      long seed,
      Resumption resumption)
      throws IOException {
    this.servers = servers;
    this.load = load;
    next =
        CompletableFuture.delayedExecutor(load.pauseMillis(), TimeUnit.MILLISECONDS, Runnable::run);
    history = new EventsHistory(load.keys());
    this.leaseMillis = leaseMillis;
    this.resumption = resumption;
    random = new Random(seed);
    redis = RedisClient.open(servers.url());
    events = RedisEvents.of(redis, reactor).open();
    onMasters("FLUSHALL");
    for (int i = 0; i < memberCount; i++) members.add(startMember());
    for (int key = 0; key < load.keys(); key++) emit(key, 0);
  }

  private EventsMember startMember() throws IOException {
    return EventsMember.start(servers.url(), leaseMillis, history);
  }

  private void onMasters(String command, String... arguments) {
    for (String each : servers.masters()) {
      Object unused = EventsServers.call(each, command, arguments);
    }
  }

  EventsHistory history() {
    return history;
  }

  /** The faults that can happen here. */
  Set<Fault> faults() {
    Set<Fault> all = EnumSet.range(Fault.KILL, Fault.FLUSH);
    all.addAll(servers.faults());
    return all;
  }

  /** Emits an event until the server has it, then the next one of its key. */
  private void emit(int key, int number) {
    EmitOptions how = EmitOptions.none().id(key + "-" + number).idKept(ID_KEPT);
    if (servers.hasReplicas()) how = how.replicated(1, REPLICA_TIMEOUT);
    var unused =
        events
            .emit(EventsVictim.TOPIC + "/" + key, Integer.toString(number), how)
            .whenComplete((stored, error) -> {
              if (error == null) history.emitted(key, number);
              int following = error == null ? number + 1 : number;
              if (!isEnding) next.execute(() -> emit(key, following));
            });
  }

  /** Waits until the members handle events of all keys; false if they do not in time. */
  boolean awaitStart() {
    return probe(System.nanoTime());
  }

  /** Lets one fault happen and waits for the probes; false if one was not handled. */
  boolean run(Fault fault) throws IOException, InterruptedException {
    int victim = random.nextInt(members.size());
    long began = System.nanoTime();
    switch (fault) {
      case KILL -> members.get(victim).kill();
      case STOP -> members.get(victim).signal("STOP");
      case CUT -> onMasters("CLIENT", "KILL", "TYPE", "normal");
      case FLUSH -> {
        onMasters("FLUSHALL");
        history.flushed();
      }
      case FAILOVER, CRASH, MOVE -> {
        servers.run(fault, random);
        began = System.nanoTime(); // before, the members had no server
      }
    }
    boolean isAlive = probe(began);
    resumption.add(fault, (System.nanoTime() - began) / 1_000_000);
    if (isAlive && fault == Fault.KILL) replace(victim);
    return fault == Fault.STOP ? isAlive && wake(victim, began) : isAlive;
  }

  /**
   * Starts a member instead of a killed one, and waits until it has handled an event. Of some
   * hundred members one is first for no partition, and handles nothing until others die.
   */
  private void replace(int victim) throws IOException {
    EventsMember heir = startMember();
    members.set(victim, heir);
    long began = System.nanoTime();
    while (!heir.hasHandled().get() && System.nanoTime() - began < JOINED_NANOS) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Lets a stopped member continue, which others have replaced, and waits for the probes again. */
  private boolean wake(int victim, long stopped) throws IOException, InterruptedException {
    long until = stopped + TimeUnit.MILLISECONDS.toNanos(leaseMillis * 3 / 2);
    long left = until - System.nanoTime();
    if (left > 0) TimeUnit.NANOSECONDS.sleep(left);
    members.get(victim).signal("CONT");
    return probe(System.nanoTime());
  }

  /** Waits until an event of each key was handled that was emitted after this call. */
  private boolean probe(long began) {
    int[] numbers = history.next();
    for (int key = 0; key < load.keys(); key++) {
      while (!history.isHandled(key, numbers[key])) {
        if (System.nanoTime() - began > STUCK_NANOS) return false;
        LockSupport.parkNanos(1_000_000);
      }
    }
    return true;
  }

  /** Emits no further events, and waits until all have been handled; false if they were not. */
  boolean end() {
    isEnding = true;
    long began = System.nanoTime();
    long emitted = -1;
    while (history.missing() > 0 || history.emitted() != emitted) {
      if (System.nanoTime() - began > STUCK_NANOS) return false;
      emitted = history.emitted();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
    return true;
  }

  @Override
  public void close() {
    isEnding = true;
    for (EventsMember member : members) {
      Process unused = member.process().destroyForcibly();
    }
    events.close();
    redis.close();
    reactor.close();
  }
}
