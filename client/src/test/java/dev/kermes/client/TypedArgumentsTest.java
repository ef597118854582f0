package dev.kermes.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.kermes.client.reply.ScoredValue;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Durations, instants, scores and ranks as arguments. */
@Timeout(60)
class TypedArgumentsTest extends ServersUnderTest {
  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  private static String request(Command<?> command) {
    return new String(command.requestBytes(), UTF_8);
  }

  private static void assertSame(Command<?> typed, Command<?> plain) {
    assertThat(request(typed)).isEqualTo(request(plain));
  }

  @Test
  void duration_countsInTheCommandsUnit_roundedUp() {
    Duration time = Duration.ofMillis(1500).plusNanos(1);
    assertSame(COMMANDS.expire("k", time), COMMANDS.expire("k", 2));
    assertSame(COMMANDS.pexpire("k", time), COMMANDS.pexpire("k", 1501));
    assertSame(COMMANDS.expire("k", Duration.ofSeconds(-1)), COMMANDS.expire("k", -1));
    assertSame(COMMANDS.setex("k", Duration.ofMinutes(1), "v"), COMMANDS.setex("k", 60, "v"));
    assertSame(
        COMMANDS.set("k", "v", new SetOptions().ex(Duration.ofHours(1))),
        COMMANDS.set("k", "v", new SetOptions().ex(3600)));
    assertSame(
        COMMANDS.set("k", "v", new SetOptions().px(Duration.ofHours(1))),
        COMMANDS.set("k", "v", new SetOptions().px(3_600_000)));
    assertSame(
        COMMANDS.xclaim("k", "g", "c", Duration.ofSeconds(1), "1-1", "2-1"),
        COMMANDS.xclaim("k", "g", "c", 1000, "1-1", "2-1"));
    assertSame(
        COMMANDS.xread("k", "0", new XreadOptions().block(Duration.ofSeconds(2))),
        COMMANDS.xread("k", "0", new XreadOptions().block(2000)));
  }

  @Test
  void timeout_isInSecondsOrMilliseconds_asCommandRequires() {
    assertSame(COMMANDS.blpop("k", Duration.ofMillis(1500)), COMMANDS.blpop("k", 1.5));
    assertSame(COMMANDS.blpop("k", Duration.ZERO), COMMANDS.blpop("k", 0));
    assertSame(COMMANDS.wait(1, Duration.ofMillis(1500)), COMMANDS.wait(1, 1500L));
  }

  @Test
  void instant_countsInTheCommandsUnit_roundedUp() {
    Instant time = Instant.ofEpochMilli(1_700_000_000_001L);
    assertSame(COMMANDS.expireat("k", time), COMMANDS.expireat("k", 1_700_000_001L));
    assertSame(COMMANDS.pexpireat("k", time), COMMANDS.pexpireat("k", 1_700_000_000_001L));
    assertSame(
        COMMANDS.set("k", "v", new SetOptions().exat(time)),
        COMMANDS.set("k", "v", new SetOptions().exat(1_700_000_001L)));
  }

  @Test
  void numbers_asRanksAndScores() {
    assertSame(COMMANDS.zrange("k", 0, -1), COMMANDS.zrange("k", "0", "-1"));
    assertSame(
        COMMANDS.zcount("k", 1.5, Double.POSITIVE_INFINITY), COMMANDS.zcount("k", "1.5", "inf"));
  }

  @ParameterizedTest
  @MethodSource("options")
  void eachOnAServer(RedisOptions options) {
    try (RedisClient client = RedisClient.open(options)) {
      BlockingCommands<String, String> redis = client.blocking();
      redis.flushall();
      redis.set("k", "v", new SetOptions().px(Duration.ofHours(1)));
      assertThat(redis.pttl("k")).isBetween(3_590_000L, 3_600_000L);
      Instant end = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 1000);
      assertThat(redis.expireat("k", end)).isTrue();
      assertThat(redis.expiretime("k")).isEqualTo(end.getEpochSecond());
      redis.zadd("z", 1.5, "a");
      redis.zadd("z", 2, "b");
      assertThat(redis.zrange("z", 0, -1)).containsExactly("a", "b");
      assertThat(redis.zrangeWithscores("z", 1, 1)).containsExactly(new ScoredValue<>("b", 2));
      assertThat(redis.zcount("z", 1, 1.5)).isEqualTo(1);
      assertThat(redis.bzpopmin("z", Duration.ofSeconds(1)))
          .isEqualTo(entry("z", new ScoredValue<>("a", 1.5)));
      assertThat(redis.blpop("none", Duration.ofMillis(1))).isNull();
    }
  }
}
