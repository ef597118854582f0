package dev.kermes.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.HoldingDisk;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Other events while a full sync, kept as a file, replaces the old data and their file. */
@Timeout(120)
final class FullSyncFileTest {

  @TempDir private Path folder;

  private final HoldingDisk disk = new HoldingDisk();
  private final RedisServer first = TestServers.replicating("databases", "32");
  private RespSocket master;

  @BeforeEach
  void fillMaster() throws IOException {
    master = new RespSocket(first.port());
    master.call("SET", "new", "1");
  }

  @AfterEach
  void closeMaster() throws IOException {
    master.close();
    first.close();
  }

  /** A future replica with a manual clock, so that it does not ask for a second full sync. */
  private RedisServer replica(String... options) {
    return TestServers.storingIn(folder, options)
        .disk(disk)
        .clock(Clock.manual(1_700_000_000_000L))
        .start();
  }

  private Path file() {
    return folder.resolve("dump.rdb");
  }

  private static void saveOldData(RespSocket client) throws IOException {
    client.call("SET", "old", "1");
    assertThat(client.call("SAVE")).hasToString("+OK");
  }

  private void follow(RespSocket client) throws IOException {
    assertThat(client.call("REPLICAOF", "127.0.0.1", "" + first.port())).hasToString("+OK");
  }

  @Test
  void promotion_whileTheFileIsSynced_leavesTheNewMasterItsData() throws Exception {
    try (RedisServer server = replica();
        RespSocket client = new RespSocket(server.port())) {
      saveOldData(client);
      byte[] saved = Files.readAllBytes(file());
      HoldingDisk.Hold held = disk.hold("sync temp-sync");
      follow(client);
      held.await();
      assertThat(client.call("REPLICAOF", "NO", "ONE")).hasToString("+OK");
      held.letGoAndJoin();
      assertThat(client.call("KEYS", "*")).hasToString("*1[$3:old]");
      assertThat(Fact.of(client, "master_replid")).isNotEqualTo(Fact.of(master, "master_replid"));
      assertThat(Fact.of(client, "loading")).isEqualTo("0");
      assertThat(file()).hasBinaryContent(saved);
    }
  }

  @Test
  void promotionAndSave_whileTheFileIsRenamed_haveToWait() throws Exception {
    try (RedisServer server = replica();
        RespSocket client = new RespSocket(server.port())) {
      saveOldData(client);
      HoldingDisk.Hold held = disk.hold("move temp-sync");
      follow(client);
      held.await();
      assertThat(client.call("REPLICAOF", "NO", "ONE").toString()).startsWith("-LOADING ");
      assertThat(client.call("BGSAVE").toString()).startsWith("-LOADING ");
      assertThat(client.call("GET", "old").toString()).startsWith("-LOADING ");
      held.letGoAndJoin();
      client.awaitInfo("master_link_status:up");
      assertThat(client.call("KEYS", "*")).hasToString("*1[$3:new]");
    }
  }

  @Test
  void fileThatCannotBeRenamed_leavesTheOldData() throws Exception {
    try (RedisServer server = replica();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      Path inTheWay = Files.createDirectory(file());
      HoldingDisk.Hold held = disk.hold("move temp-sync");
      follow(client);
      held.await();
      held.letGoAndJoin();
      assertThat(client.call("KEYS", "*")).hasToString("*1[$3:old]");
      assertThat(inTheWay).isEmptyDirectory();
    }
  }

  @Test
  void shutdown_whenTheFileIsThere_savesTheOldData() throws Exception {
    try (RedisServer server = replica("save", "3600 1");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      HoldingDisk.Hold held = disk.hold("read temp-sync");
      follow(client);
      held.await();
      HoldingDisk.Hold save = disk.hold("sync ");
      server.signalled(false);
      save.await();
      held.letGoAndJoin();
      save.letGo();
      server.awaitClosed();
    }
    try (RedisServer server = replica();
        RespSocket client = new RespSocket(server.port())) {
      assertThat(client.call("KEYS", "*")).hasToString("*1[$3:old]");
    }
  }

  @Test
  void fileThatDoesNotFit_isNotLoadedByTheNextStart() throws Exception {
    master.call("SELECT", "20");
    master.call("SET", "far", "1");
    try (RedisServer server = replica();
        RespSocket client = new RespSocket(server.port())) {
      HoldingDisk.Hold held = disk.hold("move temp-sync");
      follow(client);
      held.await();
      held.letGoAndJoin();
      assertThat(client.call("DBSIZE")).hasToString(":0");
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void file_isReadableLikeTheServersOwn() throws Exception {
    try (RedisServer server = replica();
        RespSocket client = new RespSocket(server.port())) {
      saveOldData(client);
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file());
      follow(client);
      client.awaitInfo("master_link_status:up");
      assertThat(Files.getPosixFilePermissions(file())).isEqualTo(permissions);
    }
  }

  @Test
  void slowScript_seesTheOldDataToItsEnd() throws Exception {
    String script =
        "while redis.call('EXISTS', 'old') == 1 do end return 'the data were exchanged'";
    try (RedisServer server = replica("busy-reply-threshold", "1");
        RespSocket client = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      HoldingDisk.Hold held = disk.hold("sync temp-sync");
      follow(client);
      held.await();
      client.send("EVAL_RO", script, "0");
      other.await("BUSY.*", "GET", "old");
      held.letGo();
      for (int i = 0; i < 100; i++)
        other.call("PING"); // each takes the keyspace lock, as the loading thread could
      assertThat(other.call("SCRIPT", "KILL")).hasToString("+OK");
      assertThat(client.read().text()).contains("killed by user");
      other.awaitInfo("master_link_status:up");
      assertThat(other.call("KEYS", "*")).hasToString("*1[$3:new]");
    }
  }

  @Test
  void closing_whileTheFileIsRenamed_leavesAFileThatLoads() throws Exception {
    RedisServer server = replica("key-load-delay", "1000000000");
    try (RespSocket client = new RespSocket(server.port())) {
      HoldingDisk.Hold held = disk.hold("move temp-sync");
      follow(client);
      held.await();
      held.letGo();
      client.awaitInfo("loading:1");
    }
    server.close();
    try (RedisServer next = replica();
        RespSocket client = new RespSocket(next.port())) {
      assertThat(client.call("KEYS", "*")).hasToString("*1[$3:new]");
    }
  }
}
