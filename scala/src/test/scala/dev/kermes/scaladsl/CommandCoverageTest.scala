package dev.kermes.scaladsl

import dev.kermes.commands.CommandTable
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import scala.jdk.CollectionConverters.*

/** Every row of the command table is a method, with listed exceptions. */
class CommandCoverageTest:
  /** Commands without exactly one reply, commands that change a shared connection, and subscriptions. */
  private val servedByHand = Set(
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
    "WATCH"
  )

  private val methods = classOf[RedisCommands[?, ?, ?]].getDeclaredMethods.map(_.getName).toSet

  @Test
  def everyRow_isAMethod(): Unit =
    val rows = CommandTable.standard().all().asScala.filter(row => row.isCallable && row.isForClients)
    assertThat(rows.size).isGreaterThan(300)
    val missing = rows.filterNot(row => methods(row.methodName)).map(_.name).toSet
    assertThat(missing).isEqualTo(servedByHand)
