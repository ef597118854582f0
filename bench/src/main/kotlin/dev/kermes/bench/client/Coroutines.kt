package dev.kermes.bench.client

import dev.kermes.client.RedisClient
import dev.kermes.kotlindsl.Redis
import java.util.concurrent.CompletionStage
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Callers that are coroutines; each function returns when all of them have ended. */
object Coroutines {
  /** Each caller awaits one GET after the other, through the Kotlin API; [operations] in total. */
  @JvmStatic
  fun gets(client: RedisClient, key: String, length: Int, callers: Int, operations: Int) {
    val redis = Redis(client)
    run(callers, operations) { check(redis.get(key)?.length == length) }
  }

  /** As [gets], through the stages of a library that has no suspending functions. */
  @JvmStatic
  fun stages(get: Supplier<CompletionStage<String>>, length: Int, callers: Int, operations: Int) {
    run(callers, operations) { check(get.get().await().length == length) }
  }

  private fun run(callers: Int, operations: Int, once: suspend () -> Unit) {
    val left = AtomicInteger(operations)
    runBlocking(Dispatchers.Default) {
      repeat(callers) { launch { while (left.getAndDecrement() > 0) once() } }
    }
  }

  /** [count] coroutines that each await one PONG. */
  @JvmStatic
  fun pings(client: RedisClient, count: Int) {
    val redis = Redis(client)
    runBlocking(Dispatchers.Default) { repeat(count) { launch { check(redis.ping() == "PONG") } } }
  }
}
