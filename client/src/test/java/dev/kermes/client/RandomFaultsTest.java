package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.FaultyPeer;
import dev.kermes.testing.ScriptedPeer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Replies never get out of step, whatever fails: callers that cancel, time out, cannot encode or
 * cannot decode, with a peer that closes connections, stalls, sends garbage and delivers in pieces.
 * Every value, every error and every result of a batch or a transaction contains the requested key.
 *
 * <p>{@code -Dkermes.faults=1000000} sets the number of faults; the default takes some 20 seconds.
 */
class RandomFaultsTest {
  private static final long FAULTS = Long.getLong("kermes.faults", 250_000);
  private static final int CALLERS = 4;
  private static final int UNDER_WAY_MAX = 64;
  private static final Commands<String, String> C = new Commands<>(Codec.utf8(), Codec.utf8());

  private final LongAdder faults = new LongAdder();
  private final LongAdder answers = new LongAdder();
  private final Map<String, LongAdder> failures = new ConcurrentSkipListMap<>();

  @Test
  void everyAnswerBelongsToItsRequest() throws Exception {
    FaultyPeer script = new FaultyPeer(faults);
    List<FutureTask<Void>> callers = new ArrayList<>();
    try (ScriptedPeer peer = new ScriptedPeer(script::answer, script::greet);
        RedisClient redis = RedisClient.open(options(peer))) {
      for (int i = 0; i < CALLERS; i++) {
        Caller caller = new Caller(redis, i);
        FutureTask<Void> task = new FutureTask<>(caller::run, null);
        callers.add(task);
        if (i % 2 == 0) Thread.ofVirtual().start(task);
        else Thread.ofPlatform().start(task);
      }
      for (FutureTask<Void> caller : callers) caller.get();
      System.out.printf(
          "%,d faults: %,d answers, each to its request; %,d connections; failures: %s%n",
          faults.sum(), answers.sum(), peer.accepted(), failures);
    }
    assertThat(faults.sum()).isGreaterThanOrEqualTo(FAULTS);
    assertThat(answers.sum()).isGreaterThan(FAULTS);
  }

  private static RedisOptions options(ScriptedPeer peer) {
    return RedisOptions.url(peer.url())
        .backoffFirst(Duration.ofMillis(1))
        .backoffMax(Duration.ofMillis(5))
        .connectTimeout(Duration.ofMillis(200))
        .deadPeerTimeout(Duration.ofMillis(100))
        .commandTimeout(Duration.ofSeconds(10))
        .queueMax(CALLERS * UNDER_WAY_MAX)
        .overflow(RedisOptions.Overflow.FAIL)
        .build();
  }

  /** One thread's requests, of which some are always under way. */
  private final class Caller {
    /** A request and the only value that may answer it. */
    private record Asked(Future<?> answer, Object expected) {}

    private final RedisClient redis;
    private final int number;
    private final SplittableRandom random;
    private final ArrayDeque<Asked> underWay = new ArrayDeque<>();
    private int count;

    Caller(RedisClient redis, int number) {
      this.redis = redis;
      this.number = number;
      this.random = new SplittableRandom(number);
    }

    void run() {
      while (faults.sum() < FAULTS) {
        Asked asked = ask();
        underWay.add(asked);
        if (random.nextInt(8) == 0) cancelOne();
        if (underWay.size() > UNDER_WAY_MAX) check(underWay.remove());
      }
      while (!underWay.isEmpty()) check(underWay.remove());
    }

    private void cancelOne() {
      Asked asked = random.nextBoolean() ? underWay.getFirst() : underWay.getLast();
      if (asked.answer().cancel(false)) faults.increment();
    }

    private String key() {
      String kind = random.nextInt(10) == 0 ? "n" : random.nextInt(10) == 0 ? "e" : "v";
      return kind + ":" + number + ":" + count++;
    }

    /** The expected outcome for {@code key}: a value, null, or an error with this message. */
    private static Object expected(String key) {
      return switch (key.charAt(0)) {
        case 'n' -> "nil";
        case 'e' -> "ERR " + key;
        default -> FaultyPeer.valueOf(key);
      };
    }

    private Asked ask() {
      String key = key();
      return switch (random.nextInt(20)) {
        case 0 -> send(undecodable(key), expected(key));
        case 1 -> send(unencodable(key), "none");
        case 2 -> send(hasty(key), expected(key));
        case 3 -> {
          List<String> keys = keys();
          yield new Asked(redis.sendAll(gets(keys)), expected(keys));
        }
        case 4 -> {
          List<String> keys = keys();
          yield new Asked(redis.transaction(gets(keys)), expected(keys));
        }
        case 5 -> send(waiting(key), List.of(key, FaultyPeer.valueOf(key)));
        case 6 -> new Asked(intoSink(key), expected(key));
        default -> send(C.get(key), expected(key));
      };
    }

    private <T extends @Nullable Object> Asked send(Command<T> command, Object expected) {
      RedisFuture<T> answer = redis.send(command);
      return new Asked(answer, expected);
    }

    private List<String> keys() {
      List<String> keys = new ArrayList<>();
      for (int i = random.nextInt(1, 5); i > 0; i--) keys.add(key());
      return keys;
    }

    private static List<Command<?>> gets(List<String> keys) {
      List<Command<?>> gets = new ArrayList<>();
      for (String key : keys) gets.add(C.get(key));
      return gets;
    }

    private static List<Object> expected(List<String> keys) {
      List<Object> all = new ArrayList<>();
      for (String key : keys) all.add(expected(key));
      return all;
    }

    private Command<String> undecodable(String key) {
      faults.increment();
      boolean isError = random.nextBoolean();
      return C.get(key)
          .decodedBy(in -> {
            if (isError) throw new AssertionError("decoder of " + key);
            throw new IllegalStateException("decoder of " + key);
          });
    }

    private Command<@Nullable Object> unencodable(String key) {
      faults.increment();
      Codec<String> codec =
          new Codec<>() {
            @Override
            public byte[] encode(String value) {
              throw new IllegalStateException("encoder of " + value);
            }

            @Override
            public String decode(byte[] bytes, int offset, int length) {
              return "";
            }
          };
      return CommandBuilder.of("GET").text("half").key(codec, key).build(Replies.any());
    }

    private Command<@Nullable String> hasty(String key) {
      faults.increment();
      return C.get(key).withTimeout(Duration.ofNanos(random.nextInt(1, 20_000_000)));
    }

    /** Waits with a limit, because a stalled peer cannot be told from one without a reply. */
    private static Command<@Nullable Object> waiting(String key) {
      return Command.of("BLPOP", key, "0").withTimeout(Duration.ofSeconds(5));
    }

    private Future<?> intoSink(String key) {
      CompletableFuture<@Nullable String> answer = new CompletableFuture<>();
      Command<@Nullable String> get = C.get(key);
      SentCommand unused =
          redis.send(
              get,
              new ReplySink<@Nullable String>() {
                @Override
                public @Nullable Runnable onResult(@Nullable String result) {
                  return () -> answer.complete(result);
                }

                @Override
                public @Nullable Runnable onFailure(RedisException failure) {
                  return () -> answer.completeExceptionally(failure);
                }
              });
      return answer;
    }

    private void check(Asked asked) {
      Object seen;
      try {
        seen = asked.answer().get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        seen = e.getCause();
      } catch (CancellationException e) {
        seen = e.getCause() == null ? e : e.getCause();
      } catch (TimeoutException e) {
        throw new AssertionError("neither answer nor failure: " + asked, e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (isAnswer(seen)) check(asked, seen);
      else failures.computeIfAbsent(kindOf(seen), any -> new LongAdder()).increment();
    }

    private static String kindOf(@Nullable Object failure) {
      return failure == null ? "null" : failure.getClass().getSimpleName();
    }

    private boolean isAnswer(@Nullable Object seen) {
      if (!(seen instanceof Throwable)) return true;
      assertThat(seen)
          .isInstanceOfAny(RedisException.class, CancellationException.class)
          .isNotInstanceOf(ClientClosedException.class);
      return seen instanceof ServerErrorException;
    }

    private void check(Asked asked, @Nullable Object seen) {
      answers.increment();
      Object told = seen instanceof TransactionResult result ? result.replies() : seen;
      if (told instanceof List<?> all && asked.expected() instanceof List<?> expected) {
        assertThat(all).hasSameSizeAs(expected);
        for (int i = 0; i < all.size(); i++) checkElement(all.get(i), expected.get(i));
      } else {
        checkElement(told, asked.expected());
      }
    }

    private void checkElement(@Nullable Object seen, Object expected) {
      if (seen instanceof RedisException && !(seen instanceof ServerErrorException)) return;
      Object plain =
          switch (seen) {
            case null -> "nil";
            case ServerErrorException error -> error.getMessage();
            default -> seen;
          };
      if (!expected.equals(plain)) throw new AssertionError(expected + " was answered " + plain);
    }
  }
}
