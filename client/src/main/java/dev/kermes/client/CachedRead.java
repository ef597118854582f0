package dev.kermes.client;

import dev.kermes.client.internal.cache.CachedReplies;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestKey;
import dev.kermes.resp.ReplyReader;
import org.jspecify.annotations.Nullable;

/**
 * A command whose decoded reply is kept until the {@link ReadCache} that prepared it drops the
 * reply. All readers get the same object, so none may change it. Any thread.
 *
 * @param <T> the result; nullable where the reply may be nil
 */
public final class CachedRead<T extends @Nullable Object> {
  /** A reply and its result. */
  private record Decoded<T extends @Nullable Object>(CachedReplies.Entry entry, T result) {}

  private final ReadCache cache;
  private final EncodedCommand<T> command;
  private final RequestKey request;
  private volatile @Nullable Decoded<T> latest;

  CachedRead(ReadCache cache, EncodedCommand<T> command) {
    this.cache = cache;
    this.command = command;
    this.request = RequestKey.of(command).compact();
  }

  /**
   * The result: at once if the cache has the reply, otherwise after asking the server, as {@link
   * ReadCache#call}.
   *
   * @throws RedisException if the server must be asked and does not give a result
   */
  public T get() {
    Decoded<T> known = latest;
    if (known != null && cache.isCurrent(known.entry)) return known.result;
    CachedReplies.Entry entry = cache.find(request);
    if (entry == null) return cache.call(command);
    T result = command.decoder().decode(ReplyReader.over(entry.reply()));
    latest = new Decoded<>(entry, result);
    return result;
  }
}
