package dev.kermes.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client-side caching: which client is notified of which key. */
final class TrackingTest {

  private final ManualClock clock = Clock.manual(1_700_000_000_000L);
  private final RedisServer server = TestServers.with().clock(clock).start();
  private RespSocket reader;
  private RespSocket writer;

  @BeforeEach
  void connect() throws IOException {
    reader = new RespSocket(server.port());
    writer = new RespSocket(server.port());
    reader.call("HELLO", "3");
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    writer.close();
    server.close();
  }

  @Test
  void tracking_keyThatWasRead_isToldOnce() throws IOException {
    reader.call("CLIENT", "TRACKING", "ON");
    reader.call("GET", "a");
    writer.call("SET", "a", "1");
    writer.call("SET", "a", "2");
    writer.call("SET", "b", "1");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$1:a]]");
    assertThat(reader.call("PING")).hasToString("+PONG");
  }

  @Test
  void tracking_script_tracksWhatItReads() throws IOException {
    reader.call("CLIENT", "TRACKING", "ON");
    reader.call("EVAL_RO", "return redis.call('GET', KEYS[1])", "2", "read", "declared");
    writer.call("MSET", "declared", "1", "read", "1");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$4:read]]");
    assertThat(reader.call("PING")).hasToString("+PONG");
  }

  @Test
  void tracking_ownChange_isToldAfterTheReplyUnlessNoLoop() throws IOException {
    reader.call("CLIENT", "TRACKING", "ON");
    reader.call("GET", "a");
    assertThat(reader.call("SET", "a", "1")).hasToString("+OK");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$1:a]]");
    reader.call("CLIENT", "TRACKING", "OFF");
    reader.call("CLIENT", "TRACKING", "ON", "NOLOOP");
    reader.call("GET", "a");
    assertThat(reader.call("SET", "a", "2")).hasToString("+OK");
    assertThat(reader.call("PING")).hasToString("+PONG");
  }

  @Test
  void tracking_changeByABlockedCommand_isToldAfterItsReply() throws IOException {
    reader.call("CLIENT", "TRACKING", "ON");
    reader.call("LRANGE", "to", "0", "-1");
    reader.send("BLMOVE", "from", "to", "LEFT", "LEFT", "0");
    writer.awaitInfo("blocked_clients:1");
    writer.call("RPUSH", "from", "x");
    assertThat(reader.read()).hasToString("$1:x");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$2:to]]");
  }

  @Test
  void tracking_bcast_tellsChangedKeysOfThePrefix() throws IOException {
    reader.call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "user:", "PREFIX", "job:");
    writer.call("MSET", "user:1", "x", "other", "x", "user:2", "x");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *2[$6:user:1, $6:user:2]]");
    assertThat(reader.call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "use"))
        .hasToString(
            "-ERR Prefix 'use' overlaps with an existing prefix 'user:'. Prefixes for a single"
                + " client must not overlap.");
  }

  @Test
  void tracking_optIn_countsOnlyAfterCachingYes() throws IOException {
    reader.call("CLIENT", "TRACKING", "ON", "OPTIN");
    reader.call("GET", "a");
    reader.call("CLIENT", "CACHING", "YES");
    reader.call("GET", "b");
    reader.call("GET", "c");
    writer.call("MSET", "a", "1", "c", "1", "b", "1");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$1:b]]");
    assertThat(reader.call("PING")).hasToString("+PONG");
  }

  @Test
  void tracking_redirect_tellsASubscriberOfResp2() throws IOException {
    RespSocket subscriber = new RespSocket(server.port());
    String id = subscriber.call("CLIENT", "ID").text();
    subscriber.call("SUBSCRIBE", "__redis__:invalidate");
    reader.call("CLIENT", "TRACKING", "ON", "REDIRECT", id);
    assertThat(reader.call("CLIENT", "GETREDIR")).hasToString(":" + id);
    reader.call("GET", "a");
    writer.call("SET", "a", "1");
    assertThat(subscriber.read()).hasToString("*3[$7:message, $20:__redis__:invalidate, *1[$1:a]]");
    subscriber.close();
  }

  @Test
  void tracking_expiredAndFlushed_areTold() throws IOException {
    writer.call("SET", "a", "1", "PX", "100");
    reader.call("CLIENT", "TRACKING", "ON");
    reader.call("GET", "a");
    clock.advance(Duration.ofSeconds(1));
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$1:a]]");
    writer.call("FLUSHALL");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, _]");
  }

  @Test
  void tracking_tableIsFull_forgetsTheOldest() throws IOException {
    writer.call("CONFIG", "SET", "tracking-table-max-keys", "1");
    reader.call("CLIENT", "TRACKING", "ON");
    reader.call("MGET", "a", "b");
    assertThat(reader.read()).hasToString(">2[$10:invalidate, *1[$1:a]]");
    writer.awaitInfo("tracking_total_keys:1\r\n");
  }

  @Test
  void trackinginfo_tellsHow() throws IOException {
    assertThat(reader.call("CLIENT", "TRACKINGINFO"))
        .hasToString("%3[$5:flags, ~1[$3:off], $8:redirect, :-1, $8:prefixes, *0]");
    reader.call("CLIENT", "TRACKING", "ON", "OPTOUT", "NOLOOP");
    reader.call("CLIENT", "CACHING", "NO");
    assertThat(reader.call("CLIENT", "TRACKINGINFO"))
        .hasToString(
            "%3[$5:flags, ~4[$2:on, $6:optout, $10:caching-no, $6:noloop], $8:redirect, :0,"
                + " $8:prefixes, *0]");
  }
}
