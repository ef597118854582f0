package dev.kermes.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WAITAOF, with the file of the server itself and the files of its replicas. */
final class WaitAofTest {

  @TempDir private Path folder;
  private int folders;

  private RedisServer start(String... options) throws IOException {
    Path own = folder.resolve("" + folders++);
    Files.createDirectory(own);
    return TestServers.storingIn(own, options).option("repl-diskless-sync-delay", "0").start();
  }

  private static String waitaof(RespSocket socket, int here, int there, int millis)
      throws IOException {
    return socket.call("WAITAOF", "" + here, "" + there, "" + millis).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "2 0 0, -ERR value is out of range, value must between 0 and 1",
    "0 -1 0, '-ERR value is out of range, must be positive'",
    "0 0 -1, -ERR timeout is negative",
    "0 0 x, -ERR timeout is not an integer or out of range",
    "1 0 0, -ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.",
    "0 0 0, '*2[:0, :0]'",
    "0 1 10, '*2[:0, :0]'"
  })
  void withoutAFile(String arguments, String reply) throws IOException {
    try (RedisServer server = start();
        RespSocket socket = new RespSocket(server.port())) {
      assertThat(socket.call(("WAITAOF " + arguments).split(" ")).toString()).startsWith(reply);
    }
  }

  @ParameterizedTest
  @CsvSource({"always", "everysec"})
  void syncedFile_isWaitedFor(String policy) throws IOException {
    try (RedisServer server = start("appendonly", "yes", "appendfsync", policy);
        RespSocket socket = new RespSocket(server.port())) {
      socket.call("SET", "a", "1");
      assertThat(waitaof(socket, 1, 0, 20_000)).isEqualTo("*2[:1, :0]");
      socket.send("SET", "a", "2");
      socket.send("WAITAOF", "1", "0", "0");
      assertThat(socket.read().toString()).isEqualTo("+OK");
      assertThat(socket.read().toString()).isEqualTo("*2[:1, :0]");
    }
  }

  @Test
  void fileThatNobodySyncs_isWaitedForInVain() throws IOException {
    try (RedisServer server = start("appendonly", "yes", "appendfsync", "no");
        RespSocket socket = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      socket.call("SET", "a", "1");
      assertThat(waitaof(socket, 1, 0, 50)).isEqualTo("*2[:0, :0]");
      socket.call("MULTI");
      socket.call("WAITAOF", "1", "0", "0");
      assertThat(socket.call("EXEC").toString()).isEqualTo("*1[*2[:0, :0]]");
      socket.send("WAITAOF", "1", "0", "0");
      other.awaitInfo("blocked_clients:1");
      other.call("CONFIG", "SET", "appendfsync", "everysec");
      assertThat(socket.read().toString()).isEqualTo("*2[:1, :0]");
    }
  }

  @Test
  void fileThatIsTurnedOff_endsTheWait() throws IOException {
    try (RedisServer server = start("appendonly", "yes", "appendfsync", "no");
        RespSocket socket = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      socket.call("SET", "a", "1");
      socket.send("WAITAOF", "1", "0", "0");
      other.awaitInfo("blocked_clients:1");
      other.call("CONFIG", "SET", "appendonly", "no");
      assertThat(socket.read().text()).startsWith("ERR WAITAOF cannot be used when numlocal");
    }
  }

  @Test
  void fileThatIsBegunAgain_isWaitedFor() throws IOException {
    try (RedisServer server = start("rdb-key-save-delay", "1000000");
        RespSocket socket = new RespSocket(server.port())) {
      socket.call("SET", "a", "1");
      socket.call("BGSAVE");
      socket.call("CONFIG", "SET", "appendonly", "yes");
      socket.call("SET", "a", "2"); // to a file that is discarded when the save ends
      assertThat(waitaof(socket, 1, 0, 20_000)).isEqualTo("*2[:1, :0]");
    }
  }

  @ParameterizedTest
  @CsvSource({"always", "everysec"})
  void sync_isNoticedWithoutTheClock(String policy) throws IOException {
    try (RedisServer server = start("appendonly", "yes", "appendfsync", policy);
        RespSocket socket = new RespSocket(server.port())) {
      socket.call("DEBUG", "PAUSE-CRON", "1");
      socket.send("SET", "a", "1");
      socket.send("WAITAOF", "1", "0", "0");
      assertThat(socket.read().toString()).isEqualTo("+OK");
      assertThat(socket.read().toString()).isEqualTo("*2[:1, :0]");
    }
  }

  @Test
  void syncOfAReplica_isToldWithoutTheClock() throws IOException {
    try (RedisServer server = start();
        RespSocket master = new RespSocket(server.port());
        RedisServer second =
            start(
                "appendonly",
                "yes",
                "appendfsync",
                "always",
                "replicaof",
                "127.0.0.1 " + server.port());
        RespSocket replica = new RespSocket(second.port())) {
      ReplicaLag.awaitNone(master, replica);
      assertThat(waitaof(master, 0, 1, 10_000)).isEqualTo("*2[:0, :1]");
      replica.call("DEBUG", "PAUSE-CRON", "1");
      master.call("SET", "a", "1");
      assertThat(waitaof(master, 0, 1, 10_000)).isEqualTo("*2[:0, :1]");
    }
  }

  @Test
  void replica_tellsWhatItHasOnDisk() throws IOException {
    try (RedisServer server = start();
        RespSocket master = new RespSocket(server.port());
        RedisServer second = start("replicaof", "127.0.0.1 " + server.port());
        RespSocket replica = new RespSocket(second.port())) {
      ReplicaLag.awaitNone(master, replica);
      master.call("SET", "a", "1");
      assertThat(waitaof(master, 0, 1, 50)).isEqualTo("*2[:0, :0]");
      replica.call("CONFIG", "SET", "appendonly", "yes");
      assertThat(waitaof(master, 0, 1, 20_000)).isEqualTo("*2[:0, :1]");
      master.call("SET", "a", "2");
      assertThat(waitaof(master, 0, 1, 20_000)).isEqualTo("*2[:0, :1]");
      assertThat(waitaof(master, 0, 2, 50)).isEqualTo("*2[:0, :1]");
      master.call("CONFIG", "SET", "appendonly", "yes");
      assertThat(waitaof(master, 1, 1, 20_000)).isEqualTo("*2[:1, :1]");
      assertThat(replica.call("WAITAOF", "0", "0", "0").text())
          .startsWith("ERR WAITAOF cannot be used with replica instances.");
    }
  }
}
