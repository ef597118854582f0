package dev.kermes.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.client.AsyncSender;
import dev.kermes.client.Codec;
import dev.kermes.client.Command;
import dev.kermes.client.RedisException;
import dev.kermes.client.Script;
import dev.kermes.client.ServerErrorException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One run of a script, by EVALSHA, or by EVAL on a server that does not know it. */
record ScriptCall<T extends @Nullable Object>(
    Script<T> script, List<String> keys, List<byte[]> arguments) {

  /** A run with texts as arguments. */
  static <T extends @Nullable Object> ScriptCall<T> of(
      Script<T> script, List<String> keys, String... arguments) {
    return new ScriptCall<>(
        script, keys, List.of(arguments).stream().map(each -> each.getBytes(UTF_8)).toList());
  }

  /** Sends it with the client's timeout. */
  CompletionStage<T> send(AsyncSender to) {
    return send(to, known(), unknown());
  }

  /** Sends it with a timeout. */
  CompletionStage<T> send(AsyncSender to, Duration timeout) {
    return send(to, known().withTimeout(timeout), unknown().withTimeout(timeout));
  }

  /** Sends it and waits for the answer, at most for about this time. */
  T run(AsyncSender to, Duration timeout) {
    return await(send(to, timeout));
  }

  /** Sends it and waits for the answer. */
  T run(AsyncSender to) {
    return await(send(to));
  }

  private Command<T> known() {
    return script.evalsha(Codec.utf8(), keys, Codec.bytes(), arguments);
  }

  private Command<T> unknown() {
    return script.eval(Codec.utf8(), keys, Codec.bytes(), arguments);
  }

  private static <T extends @Nullable Object> CompletionStage<T> send(
      AsyncSender to, Command<T> known, Command<T> unknown) {
    return to.send(known)
        .exceptionallyCompose(error ->
            error instanceof ServerErrorException refused && refused.code().equals("NOSCRIPT")
                ? to.send(unknown)
                : CompletableFuture.failedFuture(error));
  }

  /** Waits for a stage of the client and throws its {@link RedisException}. */
  static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RedisException error) throw error;
      throw e;
    }
  }
}
