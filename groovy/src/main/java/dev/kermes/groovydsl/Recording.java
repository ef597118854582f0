package dev.kermes.groovydsl;

import dev.kermes.client.AsyncSender;
import dev.kermes.client.Command;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Records the commands that a closure sends. Each command's stage completes when the replies are
 * delivered. Not thread-safe.
 */
final class Recording implements AsyncSender {
  private final List<Command<?>> commands = new ArrayList<>();
  private final List<CompletableFuture<@Nullable Object>> stages = new ArrayList<>();

  @Override
  @SuppressWarnings("unchecked") // the reply delivered has the type of the command
  public <T extends @Nullable Object> RedisFuture<T> send(Command<T> command) {
    CompletableFuture<@Nullable Object> stage = new CompletableFuture<>();
    commands.add(command);
    stages.add(stage);
    return RedisFuture.following(command, (CompletionStage<T>) stage);
  }

  List<Command<?>> commands() {
    return commands;
  }

  /** Delivers a reply or a failure to each command; cancels commands without one. */
  void deliver(List<@Nullable Object> replies) {
    for (int i = 0; i < stages.size(); i++) {
      CompletableFuture<@Nullable Object> stage = stages.get(i);
      if (i >= replies.size()) stage.cancel(false);
      else if (replies.get(i) instanceof RedisException failure)
        stage.completeExceptionally(failure);
      else stage.complete(replies.get(i));
    }
  }
}
