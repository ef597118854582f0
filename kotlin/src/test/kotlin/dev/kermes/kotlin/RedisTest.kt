package dev.kermes.kotlin

import dev.kermes.server.RedisServer
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class RedisTest {
  private val server = RedisServer.start()
  private val redis = Redis.open(server.url())

  @AfterEach
  fun close() {
    redis.close()
    server.close()
  }

  @Test
  fun get_ofNothing_isNull(): Unit = runBlocking {
    assertThat(redis.get("nobody")).isNull()
    redis.set("k", "v")
    val value: String? = redis.get("k")
    assertThat(value).isEqualTo("v")
  }
}
