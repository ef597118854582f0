package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Masters and replicas that restart with their file: only the data that they lack are sent. */
final class RestartTest {

  @TempDir private Path folder;

  private RedisServer saved(String name, String... options) throws Exception {
    Path own = Files.createDirectories(folder.resolve(name));
    return TestServers.replicating(options(own, options));
  }

  private static String[] options(Path own, String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "dir";
    all[1] = own.toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return all;
  }

  private static void end(RedisServer server) throws Exception {
    try (RespSocket client = new RespSocket(server.port())) {
      client.send("SHUTDOWN", "SAVE");
      server.awaitClosed();
    }
  }

  @Test
  void master_comesBack_replicasGoOn() throws Exception {
    RedisServer first = saved("master");
    String port = Integer.toString(first.port());
    try (first;
        RedisServer ours = TestServers.replicating("replicaof", "127.0.0.1 " + port);
        RealRedis real = RealRedis.start(List.of("--replicaof", "127.0.0.1", port));
        RespSocket master = new RespSocket(first.port());
        RespSocket replica = new RespSocket(ours.port());
        RespSocket realReplica = new RespSocket(real.port())) {
      ReplicaLag.awaitNone(master, replica);
      ReplicaLag.awaitNone(master, realReplica);
      master.call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      master.call("SELECT", "3");
      master.call("SET", "a", "1");
      master.call("SET", "due", "1", "PX", "1");
      String replicationId = Fact.of(master, "master_replid");
      end(first);
      try (RedisServer second = saved("master", "port", port);
          RespSocket again = new RespSocket(second.port())) {
        assertThat(Fact.of(again, "master_replid2")).isEqualTo(replicationId);
        assertThat(Fact.of(again, "rdb_last_load_keys_expired")).isEqualTo("1");
        again.awaitInfo("connected_slaves:2");
        again.call("SELECT", "3");
        again.call("SET", "b", "2");
        for (RespSocket each : List.of(replica, realReplica)) {
          ReplicaLag.awaitNone(again, each);
          each.call("SELECT", "3");
          assertThat(each.call("GET", "b")).hasToString("$1:2");
          assertThat(each.call("DBSIZE")).hasToString(":2"); // the key that was due is gone
        }
        assertThat(Fact.of(again, "sync_partial_ok")).isEqualTo("2");
        assertThat(Fact.of(again, "sync_full")).isEqualTo("0");
      }
    }
  }

  @Test
  void replica_comesBack_goesOn() throws Exception {
    try (RedisServer server = TestServers.replicating();
        RespSocket master = new RespSocket(server.port())) {
      String address = "127.0.0.1 " + server.port();
      master.call("SELECT", "3");
      master.call("SET", "a", "1");
      try (RedisServer first = saved("replica", "replicaof", address);
          RespSocket replica = new RespSocket(first.port())) {
        ReplicaLag.awaitNone(master, replica);
        end(first);
      }
      master.call("SET", "b", "2");
      try (RedisServer second = saved("replica", "replicaof", address);
          RespSocket replica = new RespSocket(second.port())) {
        ReplicaLag.awaitNone(master, replica);
        replica.call("SELECT", "3");
        assertThat(replica.call("GET", "a")).hasToString("$1:1");
        assertThat(replica.call("GET", "b")).hasToString("$1:2");
        assertThat(Fact.of(master, "sync_partial_ok")).isEqualTo("1");
        assertThat(Fact.of(master, "sync_full")).isEqualTo("1");
      }
    }
  }

  @Test
  void formerMaster_comesBackAsReplica_goesOn() throws Exception {
    RedisServer first = saved("node");
    try (first;
        RedisServer other = TestServers.replicating("replicaof", "127.0.0.1 " + first.port());
        RespSocket master = new RespSocket(first.port());
        RespSocket heir = new RespSocket(other.port())) {
      ReplicaLag.awaitNone(master, heir);
      master.call("SELECT", "3");
      master.call("SET", "a", "1");
      end(first);
      heir.call("REPLICAOF", "NO", "ONE");
      heir.call("SET", "b", "2");
      try (RedisServer again = saved("node", "replicaof", "127.0.0.1 " + other.port());
          RespSocket replica = new RespSocket(again.port())) {
        ReplicaLag.awaitNone(heir, replica);
        assertThat(replica.call("GET", "b")).hasToString("$1:2");
        assertThat(Fact.of(heir, "sync_partial_ok")).isEqualTo("1");
        assertThat(Fact.of(heir, "sync_full")).isEqualTo("0");
      }
    }
  }
}
