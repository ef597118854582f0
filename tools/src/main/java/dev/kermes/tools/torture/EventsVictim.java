package dev.kermes.tools.torture;

import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.events.RedisEvents;
import dev.kermes.events.Topic;
import dev.kermes.reactor.Event;
import dev.kermes.reactor.Reactor;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A member that will be killed or stopped: it prints each event that it handles, before it is
 * acknowledged. It ends with its standard input, so that it does not outlive its parent. Arguments:
 * the server's URL, the lease in milliseconds.
 */
final class EventsVictim {

  static final String TOPIC = "torture";

  /** 16 partitions of the topic. */
  static final int PARTITIONS = 16;

  /** 10 seconds: the servers have small heaps, which ten million events would fill. */
  private static final Duration RETENTION = Duration.ofSeconds(10);

  private static final long PAUSE_NANOS = 100_000_000;

  private EventsVictim() {}

  public static void main(String[] arguments) throws IOException {
    Reactor reactor = Reactor.create();
    reactor.at(TOPIC + "/{key}").handle(EventsVictim::print);
    Duration lease = Duration.ofMillis(Long.parseLong(arguments[1]));
    RedisClient redis = RedisClient.open(arguments[0]);
    RedisEvents events =
        RedisEvents.of(redis, reactor)
            .group(TOPIC)
            .partitions(PARTITIONS)
            .lease(lease)
            .retention(RETENTION)
            .open();
    open(events);
    long unusedBytes = System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  /** Opens the topic; again if no server has answered in time, since the machine is busy. */
  private static void open(RedisEvents events) {
    while (true) {
      try {
        Topic unused = events.topic(TOPIC);
        return;
      } catch (RedisException e) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static synchronized void print(Event<?> event) {
    System.out.println(event.param("key") + " " + event.payload() + " " + event.meta().token());
    System.out.flush();
  }
}
