package dev.kermes.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.net.Transport;
import dev.kermes.server.Engines;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.server.writelog.LogSink;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that clients make a server use, and how the server reacts when that is too much. */
final class ClientFloodTest {

  /** Simulates a small heap, of which all clients together may use half. */
  private static final long HEAP_LIMIT = 4 << 20;

  private final ManualClock clock = Clock.manual(1_700_000_000_000L);

  /** The transport used in a small heap: io_uring reads megabytes ahead. */
  private final String transport = Transport.bestForFewConnections().name();

  private final RedisServer server =
      TestServers.with("transport", transport).clock(clock).seed(7).start();
  private RespSocket good;

  @BeforeEach
  void connect() throws IOException {
    good = new RespSocket(server.port());
    assertThat(good.call("PING")).hasToString("+PONG");
  }

  @AfterEach
  void close() throws IOException {
    good.close();
    server.close();
  }

  private void limitHeap(long bytes) {
    Engines.of(server)
        .keyspace()
        .withLock(() -> Engines.of(server).keyspace().memory().heapLimit(bytes));
  }

  private static String unfinished(int length) {
    return "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100000000\r\n" + "x".repeat(length);
  }

  @Test
  void unfinishedCommands_beyondTheClientsShare_closeTheLargest() throws IOException {
    limitHeap(HEAP_LIMIT);
    try (RespSocket small = new RespSocket(server.port());
        RespSocket large = new RespSocket(server.port())) {
      small.sendRaw(unfinished(100_000));
      assertThatThrownBy(
              () -> {
                large.sendRaw(unfinished(5 << 20));
                large.read();
              })
          .isInstanceOf(IOException.class);
      assertThat(good.call("PING")).hasToString("+PONG");
      assertThat(Fact.of(good, "evicted_clients")).isEqualTo("1");
    }
  }

  @Test
  void longPipeline_whoseRepliesAreRead_isServedWhole() throws Exception {
    limitHeap(HEAP_LIMIT);
    int count = 200_000;
    try (RespSocket client = new RespSocket(server.port())) {
      Thread writer =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  client.sendRaw("PING\r\n".repeat(count));
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      for (int i = 0; i < count; i++) assertThat(client.read()).hasToString("+PONG");
      writer.join();
    }
  }

  @Test
  void blockedClient_isNotReadOn() throws IOException {
    try (RespSocket client = new RespSocket(server.port())) {
      client.sendRaw("BLPOP nothing 0\r\n" + "PING\r\n".repeat(20_000));
      while (!good.call("CLIENT", "LIST").text().contains("cmd=blpop")) Thread.onSpinWait();
      assertThat(good.call("RPUSH", "nothing", "1")).hasToString(":1");
      assertThat(client.read().toString()).contains("nothing");
      for (int i = 0; i < 20_000; i++) assertThat(client.read()).hasToString("+PONG");
    }
  }

  @Test
  void connections_beyondWhatTheHeapHolds_areRefused() throws IOException {
    limitHeap(4 * 20 * 8 * 1024); // twenty connections take a quarter of it
    List<RespSocket> others = new ArrayList<>();
    try {
      for (int i = 1; i < 20; i++) {
        RespSocket other = new RespSocket(server.port());
        others.add(other);
        assertThat(other.call("PING")).hasToString("+PONG");
      }
      try (RespSocket last = new RespSocket(server.port())) {
        assertThat(last.read()).hasToString("-ERR max number of clients reached");
      }
      assertThat(Fact.of(good, "rejected_connections")).isEqualTo("1");
    } finally {
      for (RespSocket each : others) each.close();
    }
  }

  @Test
  void transaction_inAFullHeap_queuesNothingMore() throws IOException {
    good.call("SET", "a", "x".repeat(100_000));
    good.call("MULTI");
    limitHeap(50_000);
    assertThat(good.call("GET", "a").text()).startsWith("OOM ");
    assertThat(good.call("EXEC").text()).startsWith("EXECABORT ");
    assertThat(good.call("DEL", "a")).hasToString(":1");
  }

  @Test
  void strangers_goBeforeThoseWhoHaveLoggedIn() throws IOException {
    good.call("CONFIG", "SET", "requirepass", "secret");
    good.call("AUTH", "secret");
    limitHeap(256 * 1024);
    String part = "*3\r\n$3\r\nSET\r\n$16000\r\n" + "x".repeat(15_000);
    List<RespSocket> strangers = new ArrayList<>();
    try (RespSocket known = new RespSocket(server.port())) {
      known.call("AUTH", "secret");
      known.call("CLIENT", "SETNAME", "known");
      known.sendRaw(unfinished(60_000));
      for (int i = 0; i < 5; i++) strangers.add(new RespSocket(server.port()));
      for (RespSocket each : strangers) each.sendRaw(part);
      good.await("(?s).*evicted_clients:[1-5]\\s.*", "INFO", "all");
      assertThat(good.call("CLIENT", "LIST").text()).contains("name=known");
    } finally {
      for (RespSocket each : strangers) each.close();
    }
  }

  @Test
  void readerOfTheLog_thatRunsOutOfMemory_makesReplicasBeginAnew() throws IOException {
    LogSink sink =
        new LogSink() {
          @Override
          public int audience() {
            return ALL;
          }

          @Override
          public void append(byte[] bytes, int offset, int length) {
            throw new OutOfMemoryError("as if");
          }
        };
    String before = Fact.of(good, "master_replid");
    Engines.of(server).keyspace().withLock(() -> Engines.of(server).keyspace().log().add(sink));
    assertThat(good.call("SET", "a", "1")).hasToString("+OK");
    assertThat(Fact.of(good, "master_replid")).isNotEqualTo(before);
    Engines.of(server).keyspace().withLock(() -> Engines.of(server).keyspace().log().remove(sink));
    assertThat(good.call("GET", "a")).hasToString("$1:1");
  }
}
