package dev.kermes.groovydsl;

import dev.kermes.client.BlockingSender;
import dev.kermes.client.Command;
import dev.kermes.client.Commands;
import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.TransactionResult;
import groovy.lang.Closure;
import groovy.lang.DelegatesTo;
import org.jspecify.annotations.Nullable;

/** The commands on a connection for exclusive use by one borrower. */
public final class DedicatedCommands<K, V> extends BlockingCommands<K, V> {
  private final Commands<K, V> commands;
  private final DedicatedConnection connection;

  DedicatedCommands(Commands<K, V> commands, DedicatedConnection connection) {
    super(commands, new Sender(connection));
    this.commands = commands;
    this.connection = connection;
  }

  private record Sender(DedicatedConnection connection) implements BlockingSender {
    @Override
    public <T extends @Nullable Object> T call(Command<T> command) {
      return Await.result(connection.send(command));
    }
  }

  /** Sends a command, which may change the state of the connection, such as WATCH. */
  public <T extends @Nullable Object> T send(Command<T> command) {
    return Await.result(connection.send(command));
  }

  /**
   * Sends the commands that the closure calls between MULTI and EXEC; a changed watched key aborts.
   */
  public TransactionResult transaction(
      @DelegatesTo(
              type = "dev.kermes.groovydsl.AsyncCommands<K,V>",
              strategy = Closure.DELEGATE_FIRST)
          Closure<?> body) {
    Recording recording = new Recording();
    Closures.on(new AsyncCommands<>(commands, recording), body);
    TransactionResult result = Await.result(connection.transaction(recording.commands()));
    recording.deliver(result.replies());
    return result;
  }
}
