package dev.kermes.client.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kermes.client.BlockingCommands;
import dev.kermes.client.Codec;
import dev.kermes.client.DecodeException;
import dev.kermes.client.EncodeException;
import dev.kermes.client.RedisClient;
import dev.kermes.server.RedisServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** JSON values through a server and back. */
@Timeout(60)
class JsonCodecTest {
  /** A value. */
  public record User(String name, int age, List<String> roles) {}

  /** One that cannot be written. */
  public static final class Endless {
    /** Itself, and so on. */
    public Endless getSelf() {
      return this;
    }
  }

  private static RedisServer server;
  private static RedisClient redis;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    redis = RedisClient.open(server.url());
  }

  @AfterAll
  static void stop() {
    redis.close();
    server.close();
  }

  @Test
  void values_comeBackEqual_everywhereInReplies() {
    BlockingCommands<String, User> users = redis.blocking(Codec.utf8(), JsonCodec.of(User.class));
    User ann = new User("Ann \"é\" \u0000", 7, List.of("a", "b"));
    User bob = new User("Bob", -1, List.of());
    users.set("user:1", ann);
    users.hset("users", Map.of("b", bob));
    users.rpush("list", ann, bob);
    assertThat(users.get("user:1")).isEqualTo(ann);
    assertThat(users.get("user:none")).isNull();
    assertThat(users.hgetall("users")).containsExactly(Map.entry("b", bob));
    assertThat(users.lrange("list", 0, -1)).containsExactly(ann, bob);
    assertThat(redis.blocking().get("user:1")).contains("\"age\":7", "é");
  }

  @Test
  void typesWithParameters() {
    Codec<Map<String, List<Integer>>> codec =
        JsonCodec.of(new ObjectMapper(), new TypeReference<Map<String, List<Integer>>>() {});
    var maps = redis.blocking(Codec.utf8(), codec);
    maps.set("map", Map.of("x", List.of(1, 2)));
    assertThat(maps.get("map")).isEqualTo(Map.of("x", List.of(1, 2)));
  }

  @Test
  void whatIsNoJson_failsItsOwnCommand() {
    redis.blocking().set("text", "{no json");
    redis.blocking().set("null", "null");
    var users = redis.blocking(Codec.utf8(), JsonCodec.of(User.class));
    assertThatThrownBy(() -> users.get("text")).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> users.get("null")).isInstanceOf(DecodeException.class);
    var endless = redis.blocking(Codec.utf8(), JsonCodec.of(Endless.class));
    assertThatThrownBy(() -> endless.set("e", new Endless())).isInstanceOf(EncodeException.class);
    assertThat(redis.blocking().ping()).isEqualTo("PONG");
  }
}
