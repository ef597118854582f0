package dev.kermes.events;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.RealRedis;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests that run on a server of ours in this JVM, and on the machine's Redis or Valkey. */
abstract class Servers {

  private static @Nullable RealRedis redis;
  private static @Nullable RedisServer kermes;

  @BeforeAll
  static void start() {
    redis = RealRedis.start();
    kermes = RedisServer.builder().port(0).inVm().start();
  }

  @AfterAll
  static void stop() {
    Objects.requireNonNull(redis).close();
    Objects.requireNonNull(kermes).close();
  }

  static Stream<String> urls() {
    return Stream.of(Objects.requireNonNull(redis).url(), Objects.requireNonNull(kermes).inVmUrl());
  }

  /** The ports of both. */
  static List<Integer> ports() {
    return List.of(Objects.requireNonNull(redis).port(), Objects.requireNonNull(kermes).port());
  }

  /** Waits until something that other threads do has happened. */
  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) throw new AssertionError("has not happened in time");
      LockSupport.parkNanos(1_000_000);
    }
  }
}
