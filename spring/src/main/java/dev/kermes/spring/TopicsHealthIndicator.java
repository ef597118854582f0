package dev.kermes.spring;

import dev.kermes.events.Topic;
import dev.kermes.reactor.Source;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up if all topics are read; tells the partitions of this member, or the last failure. */
final class TopicsHealthIndicator extends AbstractHealthIndicator {

  private final OpenTopics topics;

  TopicsHealthIndicator(OpenTopics topics) {
    super("the topics are not read");
    this.topics = topics;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up();
    for (Topic each : topics.list()) {
      Source.Health health = each.health();
      if (!health.isUp()) builder.down();
      builder.withDetail(
          each.name(), health.isUp() ? "partitions=" + each.mine() : health.detail());
    }
  }
}
