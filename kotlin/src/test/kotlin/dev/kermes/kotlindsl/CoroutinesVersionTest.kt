package dev.kermes.kotlindsl

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/**
 * These tests run twice: with the newest kotlinx-coroutines and with the oldest that is supported.
 */
class CoroutinesVersionTest {
  @Test
  fun classPath_hasTheVersionOfTheBuild() {
    val version =
      javaClass.getResource("/META-INF/kotlinx_coroutines_core.version")!!.readText().trim()
    assertThat(version).isEqualTo(System.getProperty("kermes.coroutines.version"))
  }
}
