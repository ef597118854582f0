package dev.kermes.spring;

import dev.kermes.reactor.EventStrategy;
import dev.kermes.reactor.On;
import dev.kermes.reactor.Reactor;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.Environment;

/**
 * The bean {@link Reactor}, with the {@code @On} methods of all other beans as handlers. When the
 * application ends, it drains after the HTTP servers and before the other beans.
 */
@AutoConfiguration
@ConditionalOnClass(Reactor.class)
@ConditionalOnBooleanProperty(name = "kermes.reactor.enabled", matchIfMissing = true)
public final class KermesReactorAutoConfiguration {

  private static final String HTTP = "dev.kermes.http";

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Reactor kermesReactor(ObjectProvider<ConversionService> conversions) {
    Reactor reactor = Reactor.create();
    ConversionService service = conversions.getIfUnique();
    if (service != null) reactor.conversion(SpringConversion.of(service));
    return reactor;
  }

  /** Registers the handlers when all beans exist. */
  @Bean
  @ConditionalOnSingleCandidate(Reactor.class)
  static SmartInitializingSingleton kermesHandlers(ConfigurableListableBeanFactory beans) {
    return () -> {
      Reactor reactor = beans.getBean(Reactor.class);
      EventStrategy on = EventStrategy.standard().getFirst();
      EventStrategy ours =
          (type, method) -> isEvent(method) ? on.handlersOf(type, method) : List.of();
      AnnotatedBeans.each(
          beans,
          KermesReactorAutoConfiguration::isEvent,
          (bean, type) -> reactor.register(bean, type, List.of(ours)));
    };
  }

  /** Whether a method handles events: {@code @On} with {@code @Get} is a route of HTTP. */
  private static boolean isEvent(Method method) {
    return method.isAnnotationPresent(On.class)
        && Stream.of(method.getAnnotations())
            .noneMatch(each -> each.annotationType().getPackageName().equals(HTTP));
  }

  /** Drains the reactor for as long as Spring Boot gives a phase of the shutdown. */
  @Bean
  @ConditionalOnSingleCandidate(Reactor.class)
  DrainingLifecycle kermesReactorLifecycle(Reactor reactor, Environment environment) {
    Duration timeout = DrainingLifecycle.timeout(environment);
    return new DrainingLifecycle(
        DrainingLifecycle.REACTOR_PHASE, () -> {}, () -> reactor.drain(timeout));
  }
}
