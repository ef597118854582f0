package dev.kermes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.CredentialsProvider.Credentials;
import dev.kermes.testing.RealRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords that change while the client is open. */
@Timeout(60)
class CredentialsTest {
  /** Creates user u with the password "one" and user v with "two". */
  private static RedisClient withUsers(RealRedis server) {
    RedisClient admin = RedisClient.open(server.url());
    for (String user : List.of("u", "v")) {
      String password = user.equals("u") ? ">one" : ">two";
      admin.call(Command.of("ACL", "SETUSER", user, "on", password, "~*", "&*", "+@all"));
    }
    return admin;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void password_rotates_newAndOpenConnectionsUseNewOne(int respVersion) {
    AtomicReference<Credentials> now = new AtomicReference<>(new Credentials("u", "one"));
    try (RealRedis server = RealRedis.start();
        RedisClient admin = withUsers(server);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(server.url())
                    .respVersion(respVersion)
                    .credentials(() -> CompletableFuture.supplyAsync(now::get))
                    .build())) {
      assertThat(redis.call(Command.of("ACL", "WHOAMI"))).isEqualTo("u");

      now.set(new Credentials("v", "two"));
      redis.reauthenticate().toCompletableFuture().join();
      assertThat(redis.call(Command.of("ACL", "WHOAMI"))).isEqualTo("v");

      admin.call(Command.of("ACL", "DELUSER", "u"));
      admin.call(Command.of("CLIENT", "KILL", "USER", "v"));
      assertThat(redis.call(Command.of("ACL", "WHOAMI").repeatable())).isEqualTo("v");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void reauthenticate_subscriptionsAndCaches_logInAgain(int respVersion) throws Exception {
    AtomicReference<Credentials> now = new AtomicReference<>(new Credentials("u", "one"));
    try (RealRedis server = RealRedis.start();
        RedisClient admin = withUsers(server);
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(server.url())
                    .respVersion(respVersion)
                    .credentials(() -> CompletableFuture.completedFuture(now.get()))
                    .build())) {
      ReadCache cache = redis.cache(Duration.ofMinutes(1), 1 << 20);
      Subscription reporter = redis.subscribe("c");
      Subscription monitor = redis.monitor(new SubscriptionOptions());
      for (Subscription each : List.of(reporter, monitor)) {
        each.confirmed().toCompletableFuture().join();
      }
      assertThat(cache.blocking().get("k")).isNull();

      now.set(new Credentials("v", "two"));
      redis.reauthenticate().toCompletableFuture().join();
      RealCluster.await(() -> !admin.blocking().clientList().contains("user=u"));
      if (respVersion == 3) {
        assertThat(admin.blocking().clientList().lines().filter(each -> each.contains("user=v")))
            .hasSize(4);
      }
      RealCluster.await(() -> Long.valueOf(1).equals(admin.call(Command.of("PUBLISH", "c", "x"))));
    }
  }

  @Test
  void reauthenticate_refused_fails() {
    AtomicReference<Credentials> now = new AtomicReference<>(new Credentials(null, "right"));
    try (RealRedis server = RealRedis.start("--requirepass", "right");
        RedisClient redis =
            RedisClient.open(
                RedisOptions.url(server.url())
                    .credentials(() -> CompletableFuture.completedFuture(now.get()))
                    .build())) {
      assertThat(redis.blocking().ping()).isEqualTo("PONG");
      now.set(new Credentials(null, "wrong"));
      assertThatThrownBy(() -> redis.reauthenticate().toCompletableFuture().join())
          .hasMessageContaining("WRONGPASS");
    }
  }
}
