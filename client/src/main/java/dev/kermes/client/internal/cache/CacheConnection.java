package dev.kermes.client.internal.cache;

import dev.kermes.client.Decoder;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestKey;
import dev.kermes.client.internal.command.Route;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.PipelinedConnection;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.routing.Node;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection on which a cache reads from one server. The server tracks the keys read there and
 * announces changes on the same connection. Because entries are added and removed in the order of
 * the connection, the cache is never older than the server's last announcement. Owned by the event
 * loop.
 */
public final class CacheConnection implements PipelinedConnection.Listener {
  /** The interval of PINGs on an idle connection. */
  private static final long HEALTH_CHECK_SECONDS = 5;

  private final CachedReplies replies;
  private final OwnWrites writes;
  private final Connector connector;
  private final PipelinedConnection connection;
  private boolean isClosed;

  public CacheConnection(Node node, CachedReplies replies, OwnWrites writes) {
    this.replies = replies;
    this.writes = writes;
    this.connector = node.connector();
    connection =
        new PipelinedConnection(node.options(), connector, true, this, connector.callbacks());
    connection.open();
    scheduleHealthCheck();
  }

  private void scheduleHealthCheck() {
    connector.loop().schedule(this::healthCheck, HEALTH_CHECK_SECONDS, TimeUnit.SECONDS);
  }

  private void healthCheck() {
    if (isClosed) return;
    if (connection.isReady() && connection.isIdle())
      connection.send(new CommandFuture<>(EncodedCommand.of("PING")), 0);
    scheduleHealthCheck();
  }

  @Override
  public List<EncodedCommand<?>> greetings() {
    return List.of(EncodedCommand.of("CLIENT", "TRACKING", "ON"));
  }

  @Override
  public boolean expectsPushes() {
    return true;
  }

  public <T extends @Nullable Object> PendingFuture<T> send(EncodedCommand<T> command) {
    CommandFuture<T> future = new CommandFuture<>(command);
    connection.send(future, command.timeoutNanos());
    return future;
  }

  /**
   * Returns {@code command} with a decoder that caches the reply. The caller is about to send it.
   */
  public <T extends @Nullable Object> EncodedCommand<T> caching(
      EncodedCommand<T> command, Route route, long ttlNanos) {
    RequestKey request = RequestKey.of(command).compact();
    List<RequestKey> keys = route.requestKeys();
    long reading = writes.beginReading();
    Decoder<T> decoder = command.decoder();
    return command.decodedBy(in -> {
      byte[] reply = in.copy();
      T result = decoder.decode(in);
      if (!writes.mayBeOutdated(reading, keys)) replies.add(request, reply, ttlNanos, this, keys);
      return result;
    });
  }

  @Override
  public void onPush(ReplyReader in) {
    if (in.readArray() != 2 || !"invalidate".equals(in.readString())) return;
    if (in.type() == ReplyType.NULL) {
      replies.invalidateAll(this);
      return;
    }
    for (int left = in.readArray(); left > 0; left--) {
      byte[] key = in.readBytes();
      if (key != null) replies.invalidate(RequestKey.of(key));
    }
  }

  @Override
  public void onLost(RedisException cause) {
    replies.invalidateAll(this);
  }

  public PendingFuture<?> logIn(EncodedCommand<?> auth) {
    CommandFuture<?> login = new CommandFuture<>(auth);
    connection.send(login, 0);
    return login;
  }

  public void close() {
    isClosed = true;
    connection.close();
  }
}
