package dev.kermes.client.internal.scan;

import dev.kermes.client.Command;
import dev.kermes.client.EncodeException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Route;
import dev.kermes.client.internal.pending.CommandFuture;
import dev.kermes.client.internal.routing.Node;
import dev.kermes.client.internal.routing.Servers;
import dev.kermes.client.reply.ScanPage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one scan, one after the other. A scan over the keyspace of a cluster covers one
 * master after the other. Not thread-safe; one page is requested at a time.
 */
public final class ScanPages<T> implements Supplier<CompletionStage<List<T>>> {
  private final Servers servers;
  private final Function<String, Command<ScanPage<T>>> step;
  private final ArrayDeque<Node> left = new ArrayDeque<>();
  private @Nullable String cursor = "0";
  private boolean needsMasters;

  /** Creates a scan; {@code step} makes the command that continues from a cursor. */
  public ScanPages(Servers servers, Function<String, Command<ScanPage<T>>> step) {
    this.servers = servers;
    this.step = step;
    EncodedCommand<ScanPage<T>> first = EncodedCommand.of(step.apply("0"));
    needsMasters = first.failure() == null && Route.of(first).slot() < 0;
  }

  /** Creates the scan of one master. */
  private ScanPages(Servers servers, Function<String, Command<ScanPage<T>>> step, Node master) {
    this(servers, step);
    needsMasters = false;
    left.add(master);
  }

  /** Splits a scan of the keyspace into one per master; other scans stay whole. */
  public static <T> CompletionStage<List<Supplier<CompletionStage<List<T>>>>> parts(
      Servers servers, Function<String, Command<ScanPage<T>>> step) {
    ScanPages<T> whole = new ScanPages<>(servers, step);
    if (!whole.needsMasters) return CompletableFuture.completedFuture(List.of(whole));
    return servers.masters().isEmpty()
        ? known(servers).thenApply(pong -> ofMasters(servers, step))
        : CompletableFuture.completedFuture(ofMasters(servers, step));
  }

  private static <T> List<Supplier<CompletionStage<List<T>>>> ofMasters(
      Servers servers, Function<String, Command<ScanPage<T>>> step) {
    List<Supplier<CompletionStage<List<T>>>> parts = new ArrayList<>();
    for (Node master : servers.masters()) parts.add(new ScanPages<>(servers, step, master));
    return parts;
  }

  /** Waits until servers are known, by a command that any server may answer. */
  private static CompletionStage<?> known(Servers servers) {
    EncodedCommand<?> ping = EncodedCommand.of("PING");
    CommandFuture<?> known = new CommandFuture<>(ping);
    servers.send(ping, known);
    return known;
  }

  /** Returns the next elements: at least one, or none at the end. */
  @Override
  public CompletionStage<List<T>> get() {
    if (needsMasters) {
      left.addAll(servers.masters());
      needsMasters = left.isEmpty();
      if (needsMasters) return known(servers).thenCompose(pong -> get());
    }
    String from = cursor;
    if (from == null) return CompletableFuture.completedFuture(List.of());
    EncodedCommand<ScanPage<T>> command = EncodedCommand.of(step.apply(from));
    CommandFuture<ScanPage<T>> future = new CommandFuture<>(command);
    EncodeException failure = command.failure();
    Node node = left.peek();
    if (failure != null) future.failHere(failure);
    else if (node != null) node.send(command, future, command.timeoutNanos());
    else servers.send(command, future);
    return future.thenCompose(this::onPage);
  }

  private CompletionStage<List<T>> onPage(ScanPage<T> page) {
    cursor = page.cursor();
    if (page.isLast()) {
      left.poll();
      cursor = left.isEmpty() ? null : "0";
    }
    return page.elements().isEmpty() ? get() : CompletableFuture.completedFuture(page.elements());
  }
}
