package dev.kermes.kotlindsl

import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource

/** Tests that run against each server, which is emptied before each test. */
@Timeout(60)
@ParameterizedClass
@EnumSource
abstract class OnEveryServer(server: ServerUnderTest) {
  protected val redis: Redis = Redis.open(server.url)

  @BeforeEach fun empty(): Unit = runBlocking { redis.flushall() }

  @AfterEach fun close() = redis.close()
}
