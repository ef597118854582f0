package dev.kermes.server.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's events in Flight Recorder; other servers of the JVM may add some of their own. */
final class FlightEventsTest {

  private static final String PREFIX = "dev.kermes.server.";

  private final Recording recording = new Recording();
  @TempDir private Path folder;

  @BeforeEach
  void record() {
    for (String each : List.of("SlowCommand", "Snapshot", "FullSync", "Eviction")) {
      recording.enable(PREFIX + each).withoutThreshold();
    }
    recording.start();
  }

  @AfterEach
  void close() {
    recording.close();
  }

  private List<RecordedEvent> recorded(String name) throws Exception {
    Path file = folder.resolve("events.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(each -> each.getEventType().getName().equals(PREFIX + name))
        .toList();
  }

  private static boolean has(RecordedEvent event, String field, Object value) {
    return Objects.equals(event.getValue(field), value);
  }

  @Test
  void slowCommand_isRecordedWithoutItsArguments() throws Exception {
    try (RedisServer server = TestServers.with("slowlog-log-slower-than", "0").start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "secret", "word");
      client.call("PING");
      assertThat(recorded("SlowCommand"))
          .anyMatch(each -> has(each, "command", "SET") && each.getLong("executionTime") > 0)
          .noneMatch(each -> each.toString().contains("secret"));
    }
  }

  @Test
  void snapshot_isRecordedWithItsFile_andItsError() throws Exception {
    try (RedisServer server = TestServers.with("dir", folder.toString()).start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "k", "v");
      client.call("BGSAVE");
      client.awaitInfo("rdb_bgsave_in_progress:0");
      String file = folder.resolve("dump.rdb").toString();
      assertThat(recorded("Snapshot"))
          .anyMatch(each -> has(each, "file", file) && each.getValue("error") == null);
    }
  }

  @Test
  void fullSync_isRecordedByTheMaster() throws Exception {
    try (RedisServer server = TestServers.with("repl-diskless-sync-delay", "0").start();
        RespSocket master = new RespSocket(server.port())) {
      master.call("SET", "k", "v");
      try (RedisServer copy =
              TestServers.with().option("replicaof", "127.0.0.1 " + server.port()).start();
          RespSocket replica = new RespSocket(copy.port())) {
        replica.awaitInfo("master_link_status:up");
        assertThat(recorded("FullSync"))
            .anyMatch(each -> has(each, "replicas", 1) && each.getLong("size") > 0);
      }
    }
  }

  @Test
  void eviction_isRecordedWithItsKeys() throws Exception {
    try (RedisServer server = TestServers.with("maxmemory-policy", "allkeys-random").start();
        RespSocket client = new RespSocket(server.port())) {
      for (int i = 0; i < 100; i++) client.call("SET", "k" + i, "x".repeat(1000));
      client.call("CONFIG", "SET", "maxmemory", "50000");
      client.call("SET", "k", "v");
      assertThat(recorded("Eviction"))
          .anyMatch(each -> each.getLong("keys") > 0 && each.getLong("size") > 0);
    }
  }
}
