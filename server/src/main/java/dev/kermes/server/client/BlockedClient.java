package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import dev.kermes.server.keyspace.Database;
import java.util.List;

/**
 * A client that waits for a key. When one of its keys gets a value, its command runs again from the
 * start; it either replies or keeps waiting, with its old deadline.
 *
 * @param session the client
 * @param database the database of the keys
 * @param keys the keys, in the order of the command
 * @param command the command to run again
 * @param deadlineNanos the end of the wait, by the monotonic clock; {@link Long#MAX_VALUE} for
 *     never
 * @param nilArrayOnTimeout whether the reply is then a null array instead of a plain null
 * @param wakesWithoutValue whether to run the command also when a key is deleted or changes its
 *     type
 */
public record BlockedClient(
    Session session,
    Database database,
    List<ByteKey> keys,
    StoredCommand command,
    long deadlineNanos,
    boolean nilArrayOnTimeout,
    boolean wakesWithoutValue) {

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
