package dev.kermes.kotlindsl

import dev.kermes.commands.CommandTable
import kotlin.coroutines.Continuation
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** Every row of the command table is a suspending function, with listed exceptions. */
class CommandCoverageTest {
  /**
   * Commands without exactly one reply, commands that change a shared connection, and commands with
   * a flow.
   */
  private val servedByHand =
    setOf(
      "AUTH",
      "CLIENT REPLY",
      "DISCARD",
      "EXEC",
      "HELLO",
      "MONITOR",
      "MULTI",
      "PSUBSCRIBE",
      "PUNSUBSCRIBE",
      "QUIT",
      "RESET",
      "SELECT",
      "SHUTDOWN",
      "SSUBSCRIBE",
      "SUBSCRIBE",
      "SUNSUBSCRIBE",
      "UNSUBSCRIBE",
      "UNWATCH",
      "WATCH",
    )

  private val suspending: Set<String> =
    SuspendingCommands::class
      .java
      .methods
      .filter { it.parameterTypes.lastOrNull() == Continuation::class.java }
      .map { it.name }
      .toSet()

  @Test
  fun everyRow_isASuspendingFunction() {
    val rows = CommandTable.standard().all().filter { it.isCallable && it.isForClients }
    assertThat(rows).hasSizeGreaterThan(300)
    val missing = rows.filter { it.methodName() !in suspending }.map { it.name() }
    assertThat(missing).containsExactlyInAnyOrderElementsOf(servedByHand)
  }
}
