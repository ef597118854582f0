package dev.kermes.events;

import dev.kermes.client.Command;
import dev.kermes.client.RedisClient;
import dev.kermes.commands.HashSlots;
import dev.kermes.testing.Executables;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RealRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A cluster of the machine's redis-server: three masters with a replica each. */
final class RealCluster implements TestCluster {

  private static final int SERVERS = 6;

  private record Member(RealRedis server, RedisClient admin) implements AutoCloseable {

    String call(String name, String... arguments) {
      return Objects.requireNonNull(admin.call(Command.of(name, arguments))).toString();
    }

    /** Whether it knows each range of slots with its master and its replica. */
    boolean knowsAll() {
      List<?> ranges = (List<?>) Objects.requireNonNull(admin.call(Command.of("CLUSTER", "SLOTS")));
      return ranges.size() == SERVERS / 2
          && ranges.stream().allMatch(range -> ((List<?>) range).size() == 4)
          && call("CLUSTER", "INFO").contains("cluster_state:ok");
    }

    boolean isLinked() {
      String replication = call("INFO", "replication");
      return replication.contains("role:master") || replication.contains("master_link_status:up");
    }

    @Override
    public void close() {
      admin.close();
      server.close();
    }
  }

  private final List<Member> members = new ArrayList<>();

  static RealCluster start() {
    RealCluster cluster = new RealCluster();
    for (int i = 0; i < SERVERS; i++) cluster.add();
    cluster.form();
    return cluster;
  }

  private void add() {
    RealRedis server =
        RealRedis.startOn(
            Ports.freeForCluster(),
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "1000",
            "--repl-diskless-sync-delay",
            "0",
            "--notify-keyspace-events",
            "KEA");
    members.add(new Member(server, RedisClient.open(server.url())));
  }

  private void form() {
    List<String> command = new ArrayList<>();
    command.add(Executables.find("redis-cli").orElseThrow());
    command.addAll(List.of("--cluster", "create"));
    for (Member each : members) command.add("127.0.0.1:" + each.server.port());
    command.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] output = process.getInputStream().readAllBytes();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(new String(output, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    for (Member each : members) Servers.await(() -> each.knowsAll() && each.isLinked());
  }

  @Override
  public String url() {
    return "redis-cluster://127.0.0.1:" + members.getFirst().server.port();
  }

  /** The servers of a slot, its master first. */
  private List<Member> membersOf(String key) {
    int slot = HashSlots.of(key.getBytes(StandardCharsets.UTF_8));
    Member any = members.getFirst();
    Object reply = Objects.requireNonNull(any.admin.call(Command.of("CLUSTER", "SLOTS")));
    for (Object one : (List<?>) reply) {
      List<?> range = (List<?>) one;
      if ((Long) range.get(0) <= slot && slot <= (Long) range.get(1)) {
        return range.subList(2, range.size()).stream().map(this::member).toList();
      }
    }
    throw new IllegalStateException("not served: slot=" + slot);
  }

  private Member member(Object server) {
    long port = (Long) ((List<?>) server).get(1);
    return members.stream().filter(each -> each.server.port() == port).findAny().orElseThrow();
  }

  @Override
  public void killMasterOf(String key) {
    Member master = membersOf(key).getFirst();
    members.remove(master);
    master.close();
  }

  @Override
  public void failOver(String key) {
    Member replica = membersOf(key).getLast();
    String unused = replica.call("CLUSTER", "FAILOVER");
    Servers.await(() -> replica.call("INFO", "replication").contains("role:master"));
  }

  @Override
  public void close() {
    members.forEach(Member::close);
  }
}
