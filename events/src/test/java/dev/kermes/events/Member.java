package dev.kermes.events;

import dev.kermes.client.Command;
import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisOptions;
import dev.kermes.reactor.Event;
import dev.kermes.reactor.Reactor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A member of the group "billing": a client, a reactor and events of its own. */
final class Member implements AutoCloseable {

  /** 3 seconds: a machine that stands still for less than 2 does not lose it. */
  static final Duration LEASE = Duration.ofSeconds(3);

  final RedisClient redis;
  final Reactor reactor = Reactor.create();
  final RedisEvents events;

  private Member(String url, UnaryOperator<RedisEvents.Builder> options) {
    redis =
        RedisClient.open(
            RedisOptions.url(url)
                .backoffFirst(Duration.ofMillis(5))
                .backoffMax(Duration.ofMillis(20))
                .build());
    reactor.onError((event, error) -> {});
    events = options.apply(RedisEvents.of(redis, reactor).group("billing").lease(LEASE)).open();
  }

  /** A member with 4 partitions; the server is emptied first. */
  static Member first(String url) {
    return first(url, options -> options.partitions(4));
  }

  static Member first(String url, UnaryOperator<RedisEvents.Builder> options) {
    Member member = new Member(url, options);
    member.redis.blocking().flushall();
    return member;
  }

  static Member another(String url) {
    return another(url, options -> options);
  }

  static Member another(String url, UnaryOperator<RedisEvents.Builder> options) {
    return new Member(url, options);
  }

  /** Handles the events of the topic "orders". */
  Member on(Consumer<Event<Object>> handler) {
    reactor.at("orders/{id}").named("shipping").handle(handler::accept);
    return this;
  }

  Topic topic() {
    return events.topic("orders");
  }

  /** The result of a command; not for those that reply nil. */
  Object call(String name, String... arguments) {
    @Nullable Object reply = redis.call(Command.of(name, arguments));
    return Objects.requireNonNull(reply);
  }

  /** The number of events that have been taken and not acknowledged; -1 if a group is gone. */
  long pending(Topic topic) {
    long pending = 0;
    for (int i = 0; i < topic.partitions(); i++) {
      List<?> groups = (List<?>) groups("{orders:" + i + "}");
      if (groups.isEmpty()) return -1;
      for (Object group : groups) {
        pending += (Long) Objects.requireNonNull(((Map<?, ?>) group).get("pending"));
      }
    }
    return pending;
  }

  private Object groups(String stream) {
    return call("EXISTS", stream).equals(0L) ? List.of() : call("XINFO", "GROUPS", stream);
  }

  /** Ends without a word, like a process that is killed: only its lease remains. */
  void kill() {
    redis.close();
  }

  @Override
  public void close() {
    events.close();
    reactor.close();
    redis.close();
  }
}
