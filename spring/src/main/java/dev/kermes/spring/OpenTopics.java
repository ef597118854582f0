package dev.kermes.spring;

import dev.kermes.events.RedisEvents;
import dev.kermes.events.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The topics that the properties name, while the application runs. */
final class OpenTopics {

  private final RedisEvents events;
  private final KermesEventsProperties properties;
  private final List<Topic> open = new CopyOnWriteArrayList<>();

  OpenTopics(RedisEvents events, KermesEventsProperties properties) {
    this.events = events;
    this.properties = properties;
  }

  /** Opens them, when all handlers are registered; waits for the server. */
  void open() {
    for (String topic : properties.topics()) open.add(events.topic(topic));
    properties.answers().forEach(events::answer);
  }

  List<Topic> list() {
    return open;
  }
}
