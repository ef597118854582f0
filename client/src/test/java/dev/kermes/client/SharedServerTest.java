package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients with random pipelines of short and long values at one server: each has the replies to its
 * own commands, in their order, as a map says.
 */
class SharedServerTest {

  private static final int CLIENTS = 4;
  private static final int ROUNDS = 60;

  /** A round has that many bytes of values, or fewer. */
  private static final int ROUND_BYTES_MAX = 10_000_000;

  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  private static final Script<String> SLOW =
      Script.of("for i = 1, tonumber(ARGV[1]) do end return 'slow'", Replies.text());

  @ParameterizedTest
  @ValueSource(strings = {"socket", "in-vm"})
  void pipelines_getTheirOwnReplies(String transport)
      throws InterruptedException, ExecutionException {
    try (RedisServer server = RedisServer.builder().port(0).inVm().start();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      String url = transport.equals("socket") ? server.url() : server.inVmUrl();
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Caller caller = new Caller(i);
        clients.add(threads.submit(() -> caller.run(url)));
      }
      for (Future<?> each : clients) each.get();
    }
  }

  /** One client, and what its keys have. */
  private static final class Caller {
    private final int number;
    private final Random random;
    private final Map<String, String> model = new HashMap<>();
    private final List<CompletableFuture<? extends @Nullable Object>> replies = new ArrayList<>();
    private final List<Object> expected = new ArrayList<>();

    Caller(int number) {
      this.number = number;
      random = new Random(number);
    }

    void run(String url) {
      try (RedisClient redis = RedisClient.open(url)) {
        for (int round = 0; round < ROUNDS; round++) {
          int lengthMax = List.of(100, 400, 20_000, 300_000).get(random.nextInt(4));
          int count = 1 + random.nextInt(Math.min(2000, ROUND_BYTES_MAX / lengthMax));
          int slowOneIn = 1 + random.nextInt(600);
          for (int i = 0; i < count; i++) {
            if (random.nextInt(slowOneIn) == 0) slow(redis);
            send(redis, "client" + number + ":" + random.nextInt(50), lengthMax);
          }
          check(round);
        }
      }
    }

    private void slow(RedisClient redis) {
      List<String> times = List.of(Integer.toString(random.nextInt(100_000)));
      expect(redis.send(SLOW.eval(Codec.utf8(), List.of(), Codec.utf8(), times)), "slow");
    }

    private void send(RedisClient redis, String key, int lengthMax) {
      String current = model.getOrDefault(key, "");
      String value = text(random.nextInt(lengthMax));
      switch (random.nextInt(6)) {
        case 0 -> {
          model.put(key, value);
          expect(redis.async().set(key, value), "OK");
        }
        case 1 -> {
          String added = text(random.nextInt(100));
          String longer = current + added;
          model.put(key, longer);
          expect(redis.async().append(key, added), (long) longer.length());
        }
        case 2 -> expect(redis.async().echo(value), value);
        case 3 -> expect(redis.async().strlen(key), (long) current.length());
        case 4 -> expect(redis.async().getrange(key, 0, -1), current);
        default ->
            expect(
                redis.sendAll(List.of(COMMANDS.getrange(key, 0, -1), COMMANDS.strlen(key))),
                List.of(current, (long) current.length()));
      }
    }

    private void expect(RedisFuture<? extends @Nullable Object> reply, Object result) {
      replies.add(reply.toCompletableFuture());
      expected.add(result);
    }

    private void check(int round) {
      for (int i = 0; i < replies.size(); i++) {
        Object reply = replies.get(i).orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(reply)
            .as("client %d, round %d, command %d", number, round, i)
            .isEqualTo(expected.get(i));
      }
      replies.clear();
      expected.clear();
    }

    /** A text that tells its origin: this client and a random number, again and again. */
    private String text(int length) {
      String part = number + "-" + random.nextInt(1_000_000) + " ";
      return part.repeat(length / part.length() + 1).substring(0, length);
    }
  }
}
