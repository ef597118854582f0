package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.reply.StreamEntry;
import dev.kermes.testing.Collected;
import dev.kermes.testing.ScriptedPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams as publishers: XREAD and XREADGROUP that continue after losses. */
@Timeout(60)
class StreamEntriesTest extends ServersUnderTest {
  private static void add(RedisClient redis, int n) {
    redis.call(Command.of("XADD", "s", n + "-1", "n", Integer.toString(n)));
  }

  private static List<String> takeIds(Collected<StreamEntry<String, String>> read, int count)
      throws InterruptedException {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) ids.add(read.take().id());
    return ids;
  }

  @ParameterizedTest
  @MethodSource("options")
  void withoutGroup_oldAndNewEntries_followDemand_evenAfterLoss(RedisOptions options)
      throws Exception {
    try (RedisClient redis = RedisClient.open(options);
        RedisClient admin = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      for (int n = 1; n <= 5; n++) add(redis, n);
      var read = Collected.of(redis.entries(StreamRead.of("s").pageMax(2)));
      assertThat(read.take()).isEqualTo(new StreamEntry<>("1-1", Map.of("n", "1")));
      assertThat(takeIds(read, 4)).containsExactly("2-1", "3-1", "4-1", "5-1");
      read.ask(1);
      add(redis, 6);
      assertThat(takeIds(read, 1)).containsExactly("6-1");
      admin.call(Command.of("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
      add(admin, 7);
      add(admin, 8);
      assertThat(takeIds(read, 2)).containsExactly("7-1", "8-1");
      assertThat(read.failures()).isEmpty();
      read.ask(1);
      RealCluster.await(() -> admin.blocking().info("clients").contains("blocked_clients:1"));
      read.cancel();
      RealCluster.await(() -> admin.blocking().info("clients").contains("blocked_clients:0"));
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void fromNow_onlyNewEntries(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      add(redis, 1);
      var read = Collected.of(redis.entries(StreamRead.of("s").after("$")));
      read.ask(1);
      RealCluster.await(() -> redis.blocking().info("clients").contains("blocked_clients:1"));
      add(redis, 2);
      assertThat(takeIds(read, 1)).containsExactly("2-1");
      read.cancel();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void inGroup_unacknowledgedEntriesComeFirst(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      for (int n = 1; n <= 3; n++) add(redis, n);
      redis.call(Command.of("XGROUP", "CREATE", "s", "g", "0"));
      var first = Collected.of(redis.entries(StreamRead.of("s").as("g", "me")));
      assertThat(takeIds(first, 3)).containsExactly("1-1", "2-1", "3-1");
      redis.call(Command.of("XACK", "s", "g", "2-1"));
      redis.call(Command.of("XDEL", "s", "3-1"));
      first.cancel();
      add(redis, 4);
      var second = Collected.of(redis.entries(StreamRead.of("s").as("g", "me")));
      assertThat(second.take().id()).isEqualTo("1-1");
      assertThat(second.take()).isEqualTo(new StreamEntry<>("3-1", Map.of()));
      assertThat(takeIds(second, 1)).containsExactly("4-1");
      second.cancel();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void inGroup_flushed_groupIsCreatedAnew(RedisOptions options) throws Exception {
    try (RedisClient redis = RedisClient.open(options);
        RedisClient admin = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      add(redis, 8);
      redis.call(Command.of("XGROUP", "CREATE", "s", "g", "0"));
      var read = Collected.of(redis.entries(StreamRead.of("s").as("g", "me")));
      assertThat(takeIds(read, 1)).containsExactly("8-1");
      read.ask(1);
      RealCluster.await(() -> admin.blocking().info("clients").contains("blocked_clients:1"));
      admin.call(Command.of("FLUSHALL"));
      add(admin, 1);
      assertThat(takeIds(read, 1)).containsExactly("1-1");
      admin.call(Command.of("XGROUP", "DESTROY", "s", "g"));
      add(admin, 2);
      assertThat(takeIds(read, 2)).containsExactly("1-1", "2-1");
      assertThat(read.failures()).isEmpty();
      read.cancel();
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void inGroup_groupNeverExisted_fails(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      add(redis, 1);
      var read = Collected.of(redis.entries(StreamRead.of("s").as("g", "me")));
      read.ask(1);
      RealCluster.await(() -> !read.failures().isEmpty());
      assertThat(read.failures().getFirst()).hasMessageStartingWith("NOGROUP");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void permanentFailure_endsIt(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      redis.call(Command.of("SET", "s", "no stream"));
      var read = Collected.of(redis.entries(StreamRead.of("s")));
      read.ask(1);
      RealCluster.await(() -> !read.failures().isEmpty());
      assertThat(read.failures().getFirst())
          .isInstanceOf(ServerErrorException.class)
          .hasMessageStartingWith("WRONGTYPE");
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void closeClient_completesPublisher_laterSubscriptionFails(RedisOptions options) {
    RedisClient redis = RedisClient.open(options);
    redis.call(Command.of("FLUSHALL"));
    var read = Collected.of(redis.entries(StreamRead.of("s")));
    read.ask(1);
    RealCluster.await(() -> redis.blocking().info("clients").contains("blocked_clients:1"));
    redis.close();
    RealCluster.await(read::isComplete);
    assertThat(read.failures()).isEmpty();
    var late = Collected.of(redis.entries(StreamRead.of("s")));
    late.ask(1);
    RealCluster.await(() -> !late.failures().isEmpty());
    assertThat(late.failures().getFirst()).isInstanceOf(ClientClosedException.class);
  }

  @ParameterizedTest
  @MethodSource("options")
  void subscriberThrows_getsOnError_andReadingEnds(RedisOptions options) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.call(Command.of("FLUSHALL"));
      for (int n = 1; n <= 3; n++) add(redis, n);
      IllegalStateException thrown = new IllegalStateException("on purpose");
      List<String> seen = new CopyOnWriteArrayList<>();
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      redis
          .entries(StreamRead.of("s").pageMax(1))
          .subscribe(
              new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                  subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(StreamEntry<String, String> entry) {
                  seen.add(entry.id());
                  if (seen.size() == 2) throw thrown;
                }

                @Override
                public void onError(Throwable failure) {
                  failures.add(failure);
                  throw new AssertionError("on purpose, too");
                }

                @Override
                public void onComplete() {
                  failures.add(new AssertionError("complete"));
                }
              });
      RealCluster.await(() -> !failures.isEmpty());
      assertThat(failures).containsExactly(thrown);
      assertThat(seen).containsExactly("1-1", "2-1");
    }
  }

  /** Loses the reply to the first XREADGROUP for new entries. */
  @Test
  void inGroup_entriesLostInTransit_areReadAgain() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          boolean isNew = request.getLast().equals(">");
          if (isNew && reads.incrementAndGet() == 1) {
            conversation.reply("%1\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n5-1\r\n*2\r\n$1\r\n");
            conversation.hangUp();
          } else if (!isNew && reads.get() == 1) {
            assertThat(request.getLast()).isEqualTo("0-0");
            reads.incrementAndGet();
            conversation.reply(
                "%1\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n5-1\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n");
          } else {
            conversation.reply(isNew ? "_\r\n" : "%1\r\n$1\r\ns\r\n*0\r\n");
          }
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      var read = Collected.of(redis.entries(StreamRead.of("s").as("g", "me")));
      assertThat(read.take()).isEqualTo(new StreamEntry<>("5-1", Map.of("f", "v")));
      read.cancel();
    }
  }

  /** A replica became the master before it had the last entries; a client waits for ids beyond. */
  @Test
  void withoutGroup_failoverLosesEntries_readsFromTheStreamsLastId() throws Exception {
    String info = "%2\r\n$6\r\nlength\r\n:1\r\n$17\r\nlast-generated-id\r\n$3\r\n3-1\r\n";
    assertThat(idsReadAfterLoss(info)).containsExactly("0-0", "8-1", "3-1");
  }

  /** FLUSHALL took the stream, and the ids of the next one may begin anywhere. */
  @Test
  void withoutGroup_streamDisappears_readsTheNextOneFromItsBeginning() throws Exception {
    assertThat(idsReadAfterLoss("-ERR no such key\r\n")).containsExactly("0-0", "8-1", "0-0");
  }

  /** The entries are still there: reading continues where it was. */
  @Test
  void withoutGroup_streamIsAhead_readsFromTheLastEntry() throws Exception {
    String info = "%1\r\n$17\r\nlast-generated-id\r\n$4\r\n10-0\r\n";
    assertThat(idsReadAfterLoss(info)).containsExactly("0-0", "8-1", "8-1");
  }

  /** The ids after which a client reads that was given 8-1 and then lost its read. */
  private static List<String> idsReadAfterLoss(String info) throws Exception {
    List<String> after = new CopyOnWriteArrayList<>();
    ScriptedPeer.Script script =
        (conversation, request) -> {
          if (request.getFirst().equals("XINFO")) {
            conversation.reply(info);
            return;
          }
          after.add(request.getLast());
          if (after.size() == 1) conversation.reply(entry("8-1"));
          else if (after.size() == 2) conversation.reply("-UNBLOCKED master -> replica?\r\n");
          else if (after.size() == 3) conversation.reply(entry("9-1"));
        };
    try (ScriptedPeer peer = new ScriptedPeer(script);
        RedisClient redis = RedisClient.open(peer.url())) {
      var read = Collected.of(redis.entries(StreamRead.of("s").pageMax(1)));
      assertThat(takeIds(read, 2)).containsExactly("8-1", "9-1");
      read.cancel();
      return after.subList(0, 3);
    }
  }

  private static String entry(String id) {
    return "%1\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n" + id + "\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n";
  }
}
