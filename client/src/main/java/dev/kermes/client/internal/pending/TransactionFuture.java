package dev.kermes.client.internal.pending;

import dev.kermes.client.CommandBuilder;
import dev.kermes.client.EncodeException;
import dev.kermes.client.RedisException;
import dev.kermes.client.Replies;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.TransactionResult;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The future of MULTI, the commands and EXEC, written without other commands in between.
 *
 * <pre>
 *   +OK  +QUEUED ...  *n results     executed
 *   +OK  +QUEUED ...  *-1            a watched key changed: aborted
 *   +OK  -ERR ...     -EXECABORT     fails with the first refusal
 * </pre>
 */
public final class TransactionFuture extends PendingFuture<TransactionResult> {
  private static final EncodedCommand<String> MULTI =
      EncodedCommand.of(CommandBuilder.of("MULTI").build(Replies.ok()));
  private static final EncodedCommand<@Nullable Object> EXEC =
      EncodedCommand.of(CommandBuilder.of("EXEC").build(Replies.any()));

  private static final TransactionResult ABORTED = new TransactionResult(true, List.of());

  private final List<EncodedCommand<?>> commands;
  private final Consumer<RedisException> onRefusal;
  private final int permitCount;
  private int repliesLeft;
  private @Nullable ServerErrorException refusal;

  public TransactionFuture(List<EncodedCommand<?>> commands) {
    this(commands, refusal -> {});
  }

  /**
   * Creates it; {@code onRefusal} receives the reason if it was not executed, on the event loop.
   */
  public TransactionFuture(List<EncodedCommand<?>> commands, Consumer<RedisException> onRefusal) {
    this.commands = commands;
    this.onRefusal = onRefusal;
    permitCount = Requests.permitCount(commands);
    repliesLeft = commands.size() + 2;
  }

  /** A failed transaction if one of {@code commands} could not be encoded, or else null. */
  public static @Nullable TransactionFuture notEncodable(List<EncodedCommand<?>> commands) {
    for (EncodedCommand<?> command : commands) {
      Requests.checkAnswered(command);
      EncodeException failure = command.failure();
      if (failure == null) continue;
      TransactionFuture future = new TransactionFuture(commands);
      future.fail(failure, null);
      return future;
    }
    return null;
  }

  @Override
  public int permitCount() {
    return permitCount;
  }

  @Override
  public long ownTimeoutNanos() {
    return Requests.timeoutNanos(commands);
  }

  @Override
  public void writeTo(RequestOutput out) {
    out.append(MULTI);
    for (EncodedCommand<?> command : commands) out.append(command);
    out.append(EXEC);
  }

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    repliesLeft--;
    if (repliesLeft > 0) {
      if (refusal == null && in.type() == ReplyType.ERROR) {
        refusal = new ServerErrorException(in.readError());
      }
      return false;
    }
    if (!isDone()) onExec(in, callbacks);
    return true;
  }

  @Override
  public int dropReplies() {
    return repliesLeft;
  }

  private void onExec(ReplyReader in, CallbackBatch callbacks) {
    if (in.type() == ReplyType.ERROR) {
      ServerErrorException abort = new ServerErrorException(in.readError());
      ServerErrorException why = refusal == null ? abort : refusal;
      onRefusal.accept(why);
      fail(why, callbacks);
      return;
    }
    try {
      succeed(results(in), callbacks);
    } catch (Throwable e) { // even an Error must affect only its own command
      fail(EncodedCommand.undecodable("EXEC", e), callbacks);
    }
  }

  private TransactionResult results(ReplyReader in) {
    int count = in.readArray();
    if (count < 0) return ABORTED;
    if (count != commands.size()) {
      throw new IllegalStateException("EXEC replied " + count + " of " + commands.size());
    }
    List<@Nullable Object> results = new ArrayList<>(count);
    for (EncodedCommand<?> command : commands) results.add(command.transactionElement(in));
    return new TransactionResult(false, Collections.unmodifiableList(results));
  }

  @Override
  public String toString() {
    return "Transaction[" + commands.size() + " commands]";
  }
}
