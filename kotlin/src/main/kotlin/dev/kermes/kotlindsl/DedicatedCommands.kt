package dev.kermes.kotlindsl

import dev.kermes.client.Command
import dev.kermes.client.Commands
import dev.kermes.client.DedicatedConnection
import dev.kermes.client.TransactionResult

/**
 * The commands on a connection that one borrower has to himself.
 *
 * @property underlying the connection
 */
public class DedicatedCommands<K : Any, V : Any> internal constructor(
  commands: Commands<K, V>,
  public val underlying: DedicatedConnection,
) : SuspendingCommands<K, V>(commands, underlying) {

  /** Sends [command], which may be one that changes the connection, such as WATCH. */
  public suspend fun <T> send(command: Command<T>): T = underlying.await(command)

  /** Sends what [commands] makes as MULTI, the commands, EXEC; watched keys decide. */
  public suspend fun transaction(commands: Commands<K, V>.() -> List<Command<*>>): TransactionResult =
    underlying.transaction(this.commands.commands()).awaitOrCancel()
}
