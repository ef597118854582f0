package dev.kermes.spring;

import dev.kermes.events.EmitOptions;
import dev.kermes.events.RedisEvents;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * The way of Spring Modulith's events into durable topics: the routing target is the topic, and its
 * key the key in it. Events without a key have the name of their class as the key, so that they
 * keep their order. Modulith marks an event as completed when Redis has it.
 */
final class TopicTransport {

  private final RedisEvents events;
  private final EventExternalizationConfiguration configuration;
  private final StandardEvaluationContext context = new StandardEvaluationContext();

  TopicTransport(
      RedisEvents events, EventExternalizationConfiguration configuration, BeanFactory beans) {
    this.events = events;
    this.configuration = configuration;
    context.setBeanResolver(new BeanFactoryResolver(beans));
  }

  /** Emits an event; completes with its id when it is stored. */
  CompletableFuture<?> send(RoutingTarget target, Object payload) {
    BrokerRouting routing = BrokerRouting.of(target, context);
    String key = routing.getKey(payload);
    if (key == null) key = payload.getClass().getSimpleName();
    EmitOptions options = EmitOptions.none();
    Map<String, Object> headers = configuration.getHeadersFor(payload);
    for (Map.Entry<String, Object> each : headers.entrySet()) {
      options = options.header(each.getKey(), String.valueOf(each.getValue()));
    }
    return events.emit(routing.getTarget(payload) + "/" + key, payload, options);
  }
}
