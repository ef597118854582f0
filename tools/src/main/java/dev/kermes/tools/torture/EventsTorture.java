package dev.kermes.tools.torture;

import dev.kermes.client.Command;
import dev.kermes.client.RedisClient;
import dev.kermes.events.EmitOptions;
import dev.kermes.events.RedisEvents;
import dev.kermes.reactor.Reactor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Members in JVMs of their own handle the events of a topic, while they are killed, stopped and cut
 * off. After each fault a probe per key shows that consumption continues. At the end all events
 * that the server had must have been handled, in order per key.
 */
final class EventsTorture implements AutoCloseable {

  /** 64 keys: each of the 16 partitions has some. */
  private static final int KEYS = 64;

  private static final int MEMBERS = 3;

  /** 20 milliseconds between two events of a key: about 3,000 per second in all. */
  private static final Executor NEXT =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS, Runnable::run);

  /** The probes after a fault, and the events at the end, have to be handled within this time. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The faults. */
  enum Fault {
    /** A member gets SIGKILL, and another one starts. */
    KILL,
    /** A member gets SIGSTOP for one and a half leases. */
    STOP,
    /** The server closes all connections of members and of the emitter. */
    CUT,
    /** The server loses its data. */
    FLUSH
  }

  private final String url;
  private final long leaseMillis;
  private final Random random;
  private final EventsHistory history = new EventsHistory(KEYS);
  private final List<EventsMember> members = new ArrayList<>();
  private final Reactor reactor = Reactor.create();
  private final RedisClient redis;
  private final RedisClient control;
  private final RedisEvents events;
  private volatile boolean isEnding;
  private final Map<Fault, Long> resumeMillisMax = new EnumMap<>(Fault.class);

  EventsTorture(String url, long leaseMillis, long seed) throws IOException {
    this.url = url;
    this.leaseMillis = leaseMillis;
    random = new Random(seed);
    redis = RedisClient.open(url);
    control = RedisClient.open(url);
    events = RedisEvents.of(redis, reactor).open();
    control.blocking().flushall();
    for (int i = 0; i < MEMBERS; i++) members.add(startMember());
    for (int key = 0; key < KEYS; key++) emit(key, 0);
  }

  private EventsMember startMember() throws IOException {
    return EventsMember.start(url, leaseMillis, history);
  }

  EventsHistory history() {
    return history;
  }

  /** The longest times from the end of a fault until each key's probe was handled. */
  Map<Fault, Long> resumeMillisMax() {
    return resumeMillisMax;
  }

  /** Emits an event until the server has it, then the next one of its key. */
  private void emit(int key, int number) {
    String id = key + "-" + number;
    var unused =
        events
            .emit(
                EventsVictim.TOPIC + "/" + key, Integer.toString(number), EmitOptions.none().id(id))
            .whenComplete((stored, error) -> {
              if (error == null) history.emitted(key, number);
              int next = error == null ? number + 1 : number;
              if (!isEnding) NEXT.execute(() -> emit(key, next));
            });
  }

  /** Lets one fault happen and waits for the probes; false if one was not handled. */
  boolean run(Fault fault) throws IOException, InterruptedException {
    int victim = random.nextInt(MEMBERS);
    switch (fault) {
      case KILL -> {
        members.get(victim).kill();
        members.set(victim, startMember());
      }
      case STOP -> {
        members.get(victim).signal("STOP");
        TimeUnit.MILLISECONDS.sleep(leaseMillis * 3 / 2);
        members.get(victim).signal("CONT");
      }
      case CUT -> {
        Object unused = control.call(Command.of("CLIENT", "KILL", "TYPE", "normal"));
      }
      case FLUSH -> {
        control.blocking().flushall();
        history.flushed();
      }
    }
    long began = System.nanoTime();
    boolean isAlive = probe(began);
    resumeMillisMax.merge(fault, (System.nanoTime() - began) / 1_000_000, Math::max);
    return isAlive;
  }

  /** Waits until an event of each key was handled that was emitted after this call. */
  private boolean probe(long began) {
    int[] numbers = history.next();
    for (int key = 0; key < KEYS; key++) {
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
    control.close();
    reactor.close();
  }
}
