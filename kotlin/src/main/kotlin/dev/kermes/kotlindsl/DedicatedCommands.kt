package dev.kermes.kotlindsl

import dev.kermes.client.Command
import dev.kermes.client.Commands
import dev.kermes.client.DedicatedConnection
import dev.kermes.client.TransactionResult

/**
 * The commands on a connection for exclusive use by one borrower.
 *
 * @property underlying the connection
 */
public class DedicatedCommands<K : Any, V : Any>
internal constructor(commands: Commands<K, V>, public val underlying: DedicatedConnection) :
  SuspendingCommands<K, V>(commands, underlying) {

  /** Sends [command], which may change the state of the connection, such as WATCH. */
  public suspend fun <T> send(command: Command<T>): T = underlying.await(command)

  /**
   * Sends the commands that [commands] returns between MULTI and EXEC; a changed watched key
   * aborts.
   */
  public suspend fun transaction(
    commands: Commands<K, V>.() -> List<Command<*>>
  ): TransactionResult = underlying.transaction(this.commands.commands()).awaitOrCancel()
}
