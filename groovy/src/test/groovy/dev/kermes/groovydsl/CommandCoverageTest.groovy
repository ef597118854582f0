package dev.kermes.groovydsl

import dev.kermes.commands.CommandTable
import org.junit.jupiter.api.Test

/** Every row of the command table is a method of both views, with listed exceptions. */
class CommandCoverageTest {
  /** Commands without exactly one reply, commands that change a shared connection, and subscriptions. */
  static final Set<String> SERVED_BY_HAND = [
      'AUTH', 'CLIENT REPLY', 'DISCARD', 'EXEC', 'HELLO', 'MONITOR', 'MULTI', 'PSUBSCRIBE', 'PUNSUBSCRIBE',
      'QUIT', 'RESET', 'SELECT', 'SHUTDOWN', 'SSUBSCRIBE', 'SUBSCRIBE', 'SUNSUBSCRIBE', 'UNSUBSCRIBE',
      'UNWATCH', 'WATCH']

  @Test
  void everyRow_isAMethod() {
    def rows = CommandTable.standard().all().findAll { it.callable && it.forClients }
    assert rows.size() > 300
    for (view in [BlockingCommands, AsyncCommands]) {
      def methods = view.declaredMethods*.name as Set
      assert rows.findAll { !(it.methodName() in methods) }*.name() as Set == SERVED_BY_HAND
    }
  }

  @Test
  void keysValuesAndTexts_areParametersOfTypeObject() {
    def typed = BlockingCommands.declaredMethods.findAll { it.parameterTypes.any { it in [String, String[], List] } }
    assert typed*.name == []
  }
}
