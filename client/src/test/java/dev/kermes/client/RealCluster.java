package dev.kermes.client;

import dev.kermes.commands.HashSlots;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster of real redis-servers: three masters, and replicas where wanted. */
final class RealCluster implements AutoCloseable {
  /** One of its servers. */
  static final class Member {
    final RealRedis server;
    final RedisClient admin;
    final String id;

    Member(RealRedis server) {
      this.server = server;
      this.admin = RedisClient.open(server.url());
      this.id = (String) Objects.requireNonNull(call("CLUSTER", "MYID"));
    }

    @Nullable Object call(String name, String... arguments) {
      return admin.call(Command.of(name, arguments));
    }

    /** Whether it knows this many replicas of each range of slots. */
    boolean knowsReplicas(int count) {
      List<?> ranges = (List<?>) Objects.requireNonNull(call("CLUSTER", "SLOTS"));
      return ranges.stream().allMatch(range -> ((List<?>) range).size() == 3 + count);
    }

    int port() {
      return server.port();
    }
  }

  private static final int MASTERS = 3;

  private final Path folder;
  private final List<Member> members = new ArrayList<>();

  private RealCluster(Path folder) {
    this.folder = folder;
  }

  /** Starts {@code 3 + 3 * replicas} servers and waits until all see a complete cluster. */
  static RealCluster start(int replicas) {
    RealCluster cluster = new RealCluster(temporaryFolder());
    for (int i = 0; i < MASTERS * (1 + replicas); i++) cluster.add();
    cluster.meet();
    for (int i = 0; i < MASTERS; i++) {
      int from = i * HashSlots.COUNT / MASTERS;
      int to = (i + 1) * HashSlots.COUNT / MASTERS - 1;
      cluster
          .master(i)
          .call("CLUSTER", "ADDSLOTSRANGE", Integer.toString(from), Integer.toString(to));
    }
    cluster.awaitAll("cluster_known_nodes:" + cluster.members.size());
    for (int i = MASTERS; i < cluster.members.size(); i++) {
      cluster.members.get(i).call("CLUSTER", "REPLICATE", cluster.master(i % MASTERS).id);
    }
    cluster.awaitAll("cluster_state:ok");
    for (int i = MASTERS; i < cluster.members.size(); i++) {
      Member replica = cluster.members.get(i);
      await(() -> text(replica.call("INFO", "replication")).contains("master_link_status:up"));
    }
    for (Member member : cluster.members) await(() -> member.knowsReplicas(replicas));
    return cluster;
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("kermes-cluster");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add() {
    int port = Ports.freeForCluster();
    members.add(
        new Member(
            RealRedis.startOn(
                port,
                "--cluster-enabled",
                "yes",
                "--cluster-config-file",
                folder.resolve("nodes-" + port + ".conf").toString(),
                "--cluster-node-timeout",
                "1000",
                "--cluster-require-full-coverage",
                "no",
                "--repl-diskless-sync-delay",
                "0")));
  }

  private void meet() {
    String first = Integer.toString(members.getFirst().port());
    for (Member member : members) member.call("CLUSTER", "MEET", "127.0.0.1", first);
  }

  private void awaitAll(String line) {
    for (Member member : members) {
      await(() -> text(member.call("CLUSTER", "INFO")).contains(line));
    }
  }

  private static String text(@Nullable Object reply) {
    return (String) Objects.requireNonNull(reply);
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) throw new IllegalStateException("cluster not as expected");
      LockSupport.parkNanos(20_000_000);
    }
  }

  Member master(int index) {
    return members.get(index);
  }

  List<Member> members() {
    return members;
  }

  /** The first master that serves {@code slot}, as the first member sees it. */
  Member masterOf(int slot) {
    List<?> ranges = (List<?>) Objects.requireNonNull(master(0).call("CLUSTER", "SLOTS"));
    for (Object one : ranges) {
      List<?> range = (List<?>) one;
      if ((Long) range.get(0) <= slot && slot <= (Long) range.get(1)) {
        long port = (Long) ((List<?>) range.get(2)).get(1);
        return withPort((int) port);
      }
    }
    throw new IllegalStateException("slot not served: " + slot);
  }

  private Member withPort(int port) {
    for (Member member : members) if (member.port() == port) return member;
    throw new IllegalStateException("unknown port: " + port);
  }

  /** Moves a slot with its keys while clients may use them. */
  void migrate(int slot, Member from, Member to) {
    String number = Integer.toString(slot);
    to.call("CLUSTER", "SETSLOT", number, "IMPORTING", from.id);
    from.call("CLUSTER", "SETSLOT", number, "MIGRATING", to.id);
    List<?> keys = (List<?>) keysIn(from, number);
    while (!keys.isEmpty()) {
      for (Object key : keys) {
        from.call("MIGRATE", "127.0.0.1", Integer.toString(to.port()), (String) key, "0", "5000");
      }
      keys = keysIn(from, number);
    }
    to.call("CLUSTER", "SETSLOT", number, "NODE", to.id);
    from.call("CLUSTER", "SETSLOT", number, "NODE", to.id);
  }

  private static List<?> keysIn(Member member, String slot) {
    return (List<?>) Objects.requireNonNull(member.call("CLUSTER", "GETKEYSINSLOT", slot, "10"));
  }

  RedisOptions.Builder options() {
    return RedisOptions.url("redis-cluster://127.0.0.1:" + master(0).port());
  }

  @Override
  public void close() {
    for (Member member : members) {
      member.admin.close();
      member.server.close();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
