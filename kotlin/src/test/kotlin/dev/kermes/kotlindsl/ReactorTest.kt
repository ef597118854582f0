package dev.kermes.kotlindsl

import dev.kermes.reactor.Event
import dev.kermes.reactor.EventMeta
import dev.kermes.reactor.On
import dev.kermes.reactor.Param
import dev.kermes.reactor.Reactor
import java.time.Duration
import kotlinx.coroutines.delay
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

/** The reactor from Kotlin: suspending functions and methods as handlers. */
class ReactorTest {
  private val reactor: Reactor = Reactor.create()

  private fun call(key: String, payload: Any): Any =
    reactor.call(key, payload, Duration.ofSeconds(30)).join()

  @Test
  fun suspendingFunction_isAHandler() {
    val greet: suspend (Event<Any>) -> Any = { event ->
      delay(1)
      "Hello ${event.param("name")}"
    }
    reactor.onFunction("hello/{name}", greet)
    assertThat(call("hello/Jo", "")).isEqualTo("Hello Jo")
  }

  @Test
  fun suspendingFunction_ofPayloadAndMeta_isAHandler() {
    val handle: suspend (Any, EventMeta) -> Any = { payload, meta ->
      delay(1)
      "$payload ${meta.attempt()}"
    }
    reactor.onFunction("a", handle)
    assertThat(call("a", "x")).isEqualTo("x 1")
  }

  @Test
  fun functionOfTwoParameters_isAHandler() {
    val handle = { payload: Any, meta: EventMeta -> "$payload ${meta.attempt()}" }
    reactor.onFunction("a", handle)
    assertThat(call("a", "x")).isEqualTo("x 1")
  }

  class Orders {
    @On("orders/{id}")
    suspend fun store(order: String, @Param("id") id: Int): String {
      delay(1)
      return "$order $id"
    }

    @On("slow")
    suspend fun slow(@Suppress("UNUSED_PARAMETER") order: String) {
      withTimeout(1) { delay(60_000) }
    }
  }

  @Test
  fun suspendingMethod_isAHandler() {
    reactor.onError { _, _ -> }
    reactor.register(Orders())
    assertThat(call("orders/7", "book")).isEqualTo("book 7")
    assertThatThrownBy { reactor.deliver("slow", "x").join() }
      .hasMessageContaining("handlers=[Orders.slow]")
  }
}
