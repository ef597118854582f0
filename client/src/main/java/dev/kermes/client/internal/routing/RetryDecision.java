package dev.kermes.client.internal.routing;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.ServerErrorException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The decision about a command that failed at one of several servers. */
public sealed interface RetryDecision {
  /** Send it to {@code to}, which serves the slot now. */
  record Moved(int slot, InetSocketAddress to) implements RetryDecision {}

  /** Send it to {@code to} after ASKING, this time only. */
  record Ask(InetSocketAddress to) implements RetryDecision {}

  /** Send it again after a short delay. */
  record Wait() implements RetryDecision {}

  /** Refresh the topology and send it again. */
  record Refresh() implements RetryDecision {}

  /** Do not retry; the failure is the result. */
  record None() implements RetryDecision {}

  /**
   * Decides about a failure.
   *
   * @param isSafeToRepeat whether the command may be executed twice
   * @param at the server that the command was sent to
   */
  static RetryDecision of(RedisException failure, boolean isSafeToRepeat, SocketAddress at) {
    return switch (failure) {
      case ServerErrorException error -> of(error, at);
      case ConnectionLostException lost when isSafeToRepeat || !lost.mayHaveExecuted() ->
          new Refresh();
      case ClientClosedException retired -> new Refresh(); // the node was removed; nothing was sent
      default -> new None();
    };
  }

  private static RetryDecision of(ServerErrorException error, SocketAddress at) {
    return switch (error.code()) {
      case "MOVED" -> moved(error.getMessage().split(" ", -1), at);
      case "ASK" -> ask(error.getMessage().split(" ", -1), at);
      case "TRYAGAIN", "LOADING" -> new Wait();
      case "CLUSTERDOWN", "MASTERDOWN", "READONLY" -> new Refresh();
      case "UNBLOCKED" -> isDemotion(error) ? new Refresh() : new None();
      default -> new None();
    };
  }

  /**
   * Whether the command waited in a master that became a replica, so that nothing was executed. The
   * other cause is CLIENT UNBLOCK, which is intended.
   */
  private static boolean isDemotion(ServerErrorException unblocked) {
    return unblocked.getMessage().contains("instance state changed");
  }

  /** Parses {@code MOVED 3999 127.0.0.1:6381}. */
  private static RetryDecision moved(String[] words, SocketAddress at) {
    InetSocketAddress to = words.length < 3 ? null : address(words[2], at);
    return to == null ? new None() : new Moved(Integer.parseInt(words[1]), to);
  }

  private static RetryDecision ask(String[] words, SocketAddress at) {
    InetSocketAddress to = words.length < 3 ? null : address(words[2], at);
    return to == null ? new None() : new Ask(to);
  }

  /** Parses {@code host:port}; an empty host means the server that replied. */
  private static @Nullable InetSocketAddress address(String text, SocketAddress at) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) return null;
    String host = text.substring(0, colon);
    if (host.isEmpty() && at instanceof InetSocketAddress here) host = here.getHostString();
    return InetSocketAddress.createUnresolved(host, Integer.parseInt(text.substring(colon + 1)));
  }
}
