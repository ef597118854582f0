package dev.kermes.client.internal.stream;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.Command;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.Decoder;
import dev.kermes.client.QueueFullException;
import dev.kermes.client.RedisProtocolException;
import dev.kermes.client.Replies;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.StreamRead;
import dev.kermes.client.internal.connection.Backoff;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.reply.StreamEntry;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one stream, page by page, waiting for new ones. After a lost connection it reads
 * again from the last id that was seen:
 *
 * <pre>
 *   alone      XREAD … id                     after a loss or an empty wait: XINFO STREAM, then
 *                                             XREAD … last id, or the stream's if that is less
 *   in a group XREADGROUP … id, until empty   what was given to this consumer before
 *              XREADGROUP … &gt;                 after a loss: XREADGROUP … last id, and so on
 *                                             after NOGROUP: XGROUP CREATE … 0, and from the start
 * </pre>
 *
 * <p>A stream's last id becomes less by FLUSHALL, by DEL, or by a failover to a replica that had
 * not received the last entries; without the check XREAD would wait for ids beyond the old one. A
 * group disappears for the same reasons. It is created at the beginning of the stream, because only
 * the group knew which entries were acknowledged: they come again rather than get lost.
 *
 * <p>One page is requested at a time; any thread may call {@link #cancel}.
 */
public final class StreamPages<K, V> implements Supplier<CompletionStage<List<StreamEntry<K, V>>>> {
  /** The longest wait of one read in the server. */
  private static final Duration BLOCK = Duration.ofSeconds(5);

  /** Errors that are transient: the server changes its role or is starting. */
  private static final Set<String> TRANSIENT =
      Set.of(
          "UNBLOCKED",
          "LOADING",
          "READONLY",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "NOREPLICAS",
          "MISCONF");

  /** The id before the first entry of every stream. */
  private static final String BEGINNING = "0-0";

  private final StreamClient redis;
  private final StreamRead<K, V> what;
  private final Backoff backoff;
  private final Decoder<List<StreamEntry<K, V>>> decoder;
  private String last;

  /** Whether entries delivered to this consumer earlier may not have been seen. */
  private boolean isBehind;

  /** Whether the stream may have lost entries, or may be another one of the same name. */
  private boolean isUnsure;

  /** Whether the group has been there; if it has not, NOGROUP is a mistake of the user's. */
  private boolean hasRead;

  /**
   * Whether the client was open at the first read; closing it is then the end and not a failure.
   */
  private boolean hasBegun;

  private volatile @Nullable PendingFuture<?> asked;
  private volatile boolean isCancelled;

  public StreamPages(StreamClient redis, StreamRead<K, V> what) {
    this.redis = redis;
    this.what = what;
    this.backoff = redis.backoff();
    this.decoder = entriesOf(what);
    this.last = what.after();
    this.isBehind = what.group() != null;
  }

  private static <K, V> Decoder<List<StreamEntry<K, V>>> entriesOf(StreamRead<K, V> what) {
    Decoder<List<StreamEntry<K, V>>> entries =
        Replies.list(Replies.entry(what.keys(), what.values()));
    return in -> {
      if (in.readNull()) return List.of();
      enterStream(in);
      return entries.decode(in);
    };
  }

  /** Reads up to the entries of the only stream: a map in RESP3, an array of pairs in RESP2. */
  private static void enterStream(ReplyReader in) {
    boolean isMap = in.type() == ReplyType.MAP;
    in.readArray();
    if (!isMap) in.readArray();
    in.skip(); // the key
  }

  /**
   * Returns the next entries: at least one, or none if the client is closed. Fails with failures
   * that waiting does not cure.
   */
  @Override
  public CompletionStage<List<StreamEntry<K, V>>> get() {
    CompletableFuture<List<StreamEntry<K, V>>> page = new CompletableFuture<>();
    ask(page);
    return page;
  }

  /** Reads until there are entries for {@code page}. */
  private void ask(CompletableFuture<List<StreamEntry<K, V>>> page) {
    if (isCancelled) {
      page.complete(List.of());
      return;
    }
    hasBegun |= !redis.isClosed();
    if (last.equals("$")) send(newest(), page, newest -> onNewest(newest, page));
    else if (isUnsure) send(lastGenerated(), page, id -> onLastGenerated(id, page));
    else send(next(), page, entries -> onEntries(entries, page));
  }

  private <T> void send(
      Command<T> command, CompletableFuture<List<StreamEntry<K, V>>> page, Consumer<T> onReply) {
    PendingFuture<T> reply = redis.send(command);
    asked = reply;
    if (isCancelled) reply.cancel(false);
    var unused =
        reply.handle((value, failure) -> {
          if (failure != null) onFailure(failure, page);
          else onReply.accept(value);
          return true;
        });
  }

  /** Reads the newest entry's id: {@code $} itself would miss entries added between two reads. */
  private Command<List<StreamEntry<K, V>>> newest() {
    return CommandBuilder.of("XREVRANGE")
        .key(what.keys(), what.key())
        .token("+")
        .token("-")
        .token("COUNT")
        .integer(1)
        .build(Replies.list(Replies.entry(what.keys(), what.values())));
  }

  private void onNewest(
      List<StreamEntry<K, V>> newest, CompletableFuture<List<StreamEntry<K, V>>> page) {
    last = newest.isEmpty() ? BEGINNING : newest.getFirst().id();
    ask(page);
  }

  private Command<String> lastGenerated() {
    return CommandBuilder.of("XINFO")
        .token("STREAM")
        .key(what.keys(), what.key())
        .build(StreamPages::decodeLastGenerated);
  }

  /** Reads one field of the reply only: the user's codec may not like the entries in others. */
  private static String decodeLastGenerated(ReplyReader in) {
    String id = BEGINNING;
    for (int left = in.readMap(); left > 0; left--) {
      if (Replies.text().decode(in).equals("last-generated-id")) id = Replies.text().decode(in);
      else in.skip();
    }
    return id;
  }

  private void onLastGenerated(String id, CompletableFuture<List<StreamEntry<K, V>>> page) {
    isUnsure = false;
    if (StreamIds.compare(id, last) < 0) last = id;
    ask(page);
  }

  private Command<List<StreamEntry<K, V>>> next() {
    String group = what.group();
    String consumer = what.consumer();
    CommandBuilder command = CommandBuilder.of(group == null ? "XREAD" : "XREADGROUP");
    if (group != null && consumer != null) command.token("GROUP").text(group).text(consumer);
    command.token("COUNT").integer(what.pageMax());
    if (!isBehind) command.token("BLOCK").integer(BLOCK.toMillis());
    command.token("STREAMS").key(what.keys(), what.key());
    boolean wantsNew = group != null && !isBehind;
    return command.text(wantsNew ? ">" : last).build(decoder);
  }

  private void onEntries(
      List<StreamEntry<K, V>> entries, CompletableFuture<List<StreamEntry<K, V>>> page) {
    backoff.succeeded();
    hasRead = true;
    if (entries.isEmpty()) {
      isUnsure = what.group() == null;
      isBehind = false;
      ask(page);
      return;
    }
    last = entries.getLast().id();
    page.complete(entries);
  }

  private void onFailure(Throwable failure, CompletableFuture<List<StreamEntry<K, V>>> page) {
    if (hasBegun && failure instanceof ClientClosedException) {
      page.complete(List.of());
      return;
    }
    if (isCancelled) page.completeExceptionally(failure);
    else if (isUnsure && isMissing(failure)) onLastGenerated(BEGINNING, page);
    else if (hasRead && isCode(failure, "NOGROUP")) createGroup(page);
    else if (isTransient(failure)) askLater(page);
    else page.completeExceptionally(failure);
  }

  private void createGroup(CompletableFuture<List<StreamEntry<K, V>>> page) {
    Command<String> create =
        CommandBuilder.of("XGROUP")
            .token("CREATE")
            .key(what.keys(), what.key())
            .text(Objects.requireNonNull(what.group()))
            .token("0")
            .token("MKSTREAM")
            .build(Replies.ok());
    var unused =
        redis
            .send(create)
            .handle((created, failure) -> {
              if (failure == null || isCode(failure, "BUSYGROUP")) onGroup(page);
              else onFailure(failure, page);
              return true;
            });
  }

  /** The group is there again, by this consumer or another one; all its entries are new. */
  private void onGroup(CompletableFuture<List<StreamEntry<K, V>>> page) {
    last = BEGINNING;
    isBehind = true;
    ask(page);
  }

  private void askLater(CompletableFuture<List<StreamEntry<K, V>>> page) {
    isBehind = what.group() != null;
    isUnsure = what.group() == null && !last.equals("$");
    CompletableFuture.delayedExecutor(backoff.nextMillis(), TimeUnit.MILLISECONDS, redis.executor())
        .execute(() -> ask(page));
  }

  private static boolean isCode(Throwable cause, String code) {
    return cause instanceof ServerErrorException error && error.code().equals(code);
  }

  /** Whether XINFO STREAM found no stream. */
  private static boolean isMissing(Throwable cause) {
    return cause instanceof ServerErrorException error
        && error.getMessage().contains("no such key");
  }

  /** Whether waiting may cure {@code cause}. */
  static boolean isTransient(Throwable cause) {
    return cause instanceof ConnectionLostException
        || cause instanceof RedisProtocolException
        || cause instanceof CommandTimeoutException
        || cause instanceof QueueFullException
        || (cause instanceof ServerErrorException error && TRANSIENT.contains(error.code()));
  }

  /** Ends reading and cancels a read that waits in the server. */
  public void cancel() {
    isCancelled = true;
    PendingFuture<?> waiting = asked;
    if (waiting != null) waiting.cancel(false);
  }
}
