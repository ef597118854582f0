package dev.kermes.events;

import dev.kermes.client.Codec;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.client.Replies;
import dev.kermes.events.internal.Rendezvous;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.RunningSource;
import dev.kermes.reactor.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a topic that this member owns. One thread looks at all of them every third of a
 * lease, or when one that it waits for becomes free, and decides which to try:
 *
 * <pre>
 *   this member is first               acquire; the server refuses while another one has the lease
 *   another one is first, and has been for two looks, and this member owns it
 *                                      hand over: pause, wait for handlers, flush, release
 *   another one is first, but the partition has been free for two leases
 *                                      acquire: the other one does not work
 *   the lease is lost                  stop, and begin again
 * </pre>
 *
 * The list of members may be wrong. It only decides what is tried; the owner hash of the partition
 * decides who owns it.
 */
final class Ring {

  private static final int FOREIGN_LOOKS = 2;

  /** A partition that is owned, or was until its lease was lost. */
  private static final class Owned {
    private final Partition partition;
    private final PartitionSource source;
    private final RunningSource running;
    private int foreignLooks;
    private volatile boolean isHandingOver;

    Owned(Partition partition, PartitionSource source, RunningSource running) {
      this.partition = partition;
      this.source = source;
      this.running = running;
    }
  }

  private final RedisClient redis;
  private final Reactor reactor;
  private final EventsOptions options;
  private final TopicKeys keys;
  private final int partitions;
  private final Thread thread;

  private final Map<Integer, Owned> owned = new ConcurrentHashMap<>();
  private final List<BiConsumer<Integer, Long>> onAcquired = new CopyOnWriteArrayList<>();
  private final List<IntConsumer> onReleased = new CopyOnWriteArrayList<>();

  /** When each partition was first seen without an owner; of the thread. */
  private final Map<Integer, Long> freeSince = new HashMap<>();

  /** The time of the next look, by {@link System#nanoTime}; of the thread. */
  private long nextLookNanos;

  private volatile List<String> members;
  private volatile boolean isEnding;
  private volatile @Nullable RuntimeException failure;

  Ring(RedisClient redis, Reactor reactor, EventsOptions options, TopicKeys keys, int partitions) {
    this.redis = redis;
    this.reactor = reactor;
    this.options = options;
    this.keys = keys;
    this.partitions = partitions;
    members = List.of(options.member());
    thread = Thread.ofVirtual().name("kermes-ring-" + keys.topic()).unstarted(this::run);
  }

  /** Makes this member known first, so that calls to an owner wait for it; then begins to read. */
  void start() {
    try {
      members = readMembers();
    } catch (RuntimeException e) {
      failure = e; // the thread tries again
    }
    thread.start();
  }

  void onAcquired(BiConsumer<Integer, Long> hook) {
    onAcquired.add(hook);
  }

  void onReleased(IntConsumer hook) {
    onReleased.add(hook);
  }

  boolean isMine(int partition) {
    return token(partition) > 0;
  }

  /** The fencing token of a partition; 0 if this member does not own it. */
  long token(int partition) {
    Owned mine = owned.get(partition);
    return mine != null && mine.source.isOwner() ? mine.partition.epoch() : 0;
  }

  /** The partitions that this member owns. */
  List<Integer> mine() {
    return owned.keySet().stream().filter(this::isMine).sorted().toList();
  }

  Source.Health health() {
    RuntimeException last = failure;
    if (last != null) return new Source.Health(false, last.toString());
    for (Owned each : owned.values()) {
      Source.Health health = each.running.health();
      if (!health.isUp()) return health;
    }
    return Source.Health.UP;
  }

  // ---- the thread

  private void run() {
    while (!isEnding) {
      nextLookNanos = System.nanoTime() + options.lease().toNanos() / 3;
      try {
        look();
        failure = null;
      } catch (RuntimeException e) {
        failure = e;
      }
      long left = nextLookNanos - System.nanoTime();
      if (!isEnding && left > 0) LockSupport.parkNanos(this, left);
    }
  }

  /**
   * Asks for all partitions at once: one answer after the other would take a busy machine longer
   * than a third of a lease. A partition that fails does not keep the others from being taken.
   */
  private void look() {
    members = readMembers();
    for (Owned each : owned.values()) if (!each.source.isOwner()) stop(each, Duration.ZERO);
    List<Runnable> answers = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) ask(partition, answers);
    RuntimeException error = null;
    for (Runnable each : answers) {
      try {
        each.run();
      } catch (RuntimeException e) {
        error = e;
      }
    }
    if (error != null) throw error;
  }

  private List<String> readMembers() {
    String lease = Long.toString(options.lease().toMillis());
    List<String> keyNames = List.of(keys.members(), keys.settings());
    List<String> reply =
        ScriptCall.of(Scripts.BEAT, keyNames, options.member(), lease, Integer.toString(partitions))
            .run(redis, options.requestTimeout());
    Appender.checkPartitions(keys.topic(), partitions, Integer.parseInt(reply.getFirst()));
    return List.copyOf(reply.subList(1, reply.size()));
  }

  /** Adds how to go on when the server has answered; to be run in this order. */
  private void ask(int partition, List<Runnable> answers) {
    boolean isFirst = Rendezvous.first(partition, members).equals(options.member());
    Owned mine = owned.get(partition);
    if (mine == null) {
      answers.add(isFirst ? acquire(partition) : acquireIfOrphan(partition));
    } else if (isFirst || mine.isHandingOver) {
      mine.foreignLooks = 0;
    } else if (++mine.foreignLooks >= FOREIGN_LOOKS) {
      handOver(mine);
    }
  }

  /** Takes a partition that has been free for two leases. */
  private Runnable acquireIfOrphan(int partition) {
    CompletionStage<String> owner =
        ScriptCall.of(Scripts.OWNER, List.of(keys.owner(partition)))
            .send(redis, options.requestTimeout());
    return () -> {
      if (isOrphan(partition, ScriptCall.await(owner))) acquire(partition).run();
    };
  }

  private boolean isOrphan(int partition, String owner) {
    if (!owner.isEmpty()) {
      freeSince.remove(partition);
      return false;
    }
    long now = System.nanoTime();
    long since = freeSince.computeIfAbsent(partition, ignored -> now);
    return now - since >= 2 * options.lease().toNanos();
  }

  private Runnable acquire(int partition) {
    freeSince.remove(partition);
    Lease lease = new Lease(options.lease(), System.nanoTime());
    CompletionStage<List<@Nullable Object>> acquired =
        ScriptCall.of(
                Scripts.ACQUIRE,
                List.of(keys.stream(partition), keys.owner(partition)),
                options.member(),
                lease.millis(),
                keys.group(),
                options.start())
            .send(redis, options.requestTimeout());
    return () -> acquired(partition, lease, ScriptCall.await(acquired));
  }

  private void acquired(int partition, Lease lease, List<@Nullable Object> reply) {
    String epoch = Entry.text(reply.getFirst());
    String idOrWait = Entry.text(reply.get(1));
    if (epoch.isEmpty()) {
      long free = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(idOrWait));
      if (free - nextLookNanos < 0) nextLookNanos = free;
      return;
    }
    if (lease.untilRenewalNanos() <= 0) { // the hooks of partitions before it took long
      acquire(partition).run();
      return;
    }
    Partition acquired = new Partition(keys, partition, Long.parseLong(epoch), lease);
    if (isEnding) release(acquired);
    else begin(acquired, StreamId.parse(idOrWait));
  }

  private void begin(Partition partition, StreamId delivered) {
    int number = partition.number();
    PartitionSource source =
        new PartitionSource(redis, options, partition, delivered, ownership(number));
    try {
      onAcquired.forEach(hook -> hook.accept(number, partition.epoch()));
    } catch (RuntimeException e) {
      release(partition);
      throw e;
    }
    try {
      owned.put(number, new Owned(partition, source, reactor.from(source)));
    } catch (IllegalStateException e) {
      isEnding = true; // the reactor is closed
      release(partition);
      leave();
    }
  }

  /** Gives a partition back of which nothing has been read. */
  private void release(Partition partition) {
    try {
      new OwnerCalls(redis, partition, options.parking(), options.startsMax()).release("");
    } catch (LeaseLostException e) {
      failure = new IllegalStateException("not released: partition=" + partition.number(), e);
    }
  }

  private PartitionSource.Ownership ownership(int partition) {
    return new PartitionSource.Ownership() {
      @Override
      public String successor() {
        List<String> others =
            members.stream().filter(each -> !each.equals(options.member())).toList();
        return Rendezvous.first(partition, others);
      }

      @Override
      public void ending() {
        onReleased.forEach(hook -> hook.accept(partition));
      }

      @Override
      public void lost() {
        LockSupport.unpark(thread);
      }
    };
  }

  // ---- giving up partitions

  /** On a thread of its own; a partition whose handlers do not end in time is kept. */
  private void handOver(Owned mine) {
    mine.isHandingOver = true;
    Thread unused =
        Thread.ofVirtual()
            .name("kermes-hand-over-" + keys.topic())
            .start(() -> {
              mine.running.pause();
              if (mine.running.awaitIdle(options.lease())) stop(mine, Duration.ZERO);
              else mine.running.resume();
              mine.isHandingOver = false;
            });
  }

  private void stop(Owned mine, Duration timeout) {
    int unused = mine.running.stop(timeout);
    owned.remove(mine.partition.number(), mine);
  }

  /** Whether it has been closed, or ends because the reactor has been. */
  boolean isClosed() {
    return isEnding;
  }

  /**
   * Reads no further events, gives handlers this time to end, flushes acknowledgements and releases
   * the partitions. Returns how many events were left.
   */
  int close(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    isEnding = true;
    LockSupport.unpark(thread);
    join();
    leave();
    owned.values().forEach(each -> each.running.pause());
    int left = 0;
    for (Owned each : owned.values()) {
      left += each.running.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    owned.clear();
    return left;
  }

  private void join() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void leave() {
    try {
      leave(redis, options, keys.members());
    } catch (RedisException e) {
      failure = e; // the others notice when this member's last sign of life is a lease old
    }
  }

  /** Removes this member from a sorted set of those that live. */
  static void leave(RedisClient redis, EventsOptions options, String members) {
    long unused =
        redis.call(
            CommandBuilder.of("ZREM")
                .key(Codec.utf8(), members)
                .text(options.member())
                .build(Replies.integer())
                .withTimeout(options.requestTimeout()));
  }
}
