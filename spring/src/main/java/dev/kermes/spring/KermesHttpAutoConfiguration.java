package dev.kermes.spring;

import dev.kermes.http.Delete;
import dev.kermes.http.Get;
import dev.kermes.http.HttpServer;
import dev.kermes.http.Patch;
import dev.kermes.http.Post;
import dev.kermes.http.Put;
import dev.kermes.http.RouteStrategy;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.Environment;

/**
 * The bean {@link HttpServer}, with {@code kermes.http.enabled=true}: it has the routes of all
 * beans whose methods have our annotations, starts when all beans exist, and ends gracefully.
 */
@AutoConfiguration
@ConditionalOnClass(HttpServer.class)
@ConditionalOnBooleanProperty("kermes.http.enabled")
@EnableConfigurationProperties(KermesHttpProperties.class)
public final class KermesHttpAutoConfiguration {

  private static final List<Class<? extends Annotation>> METHODS =
      List.of(Get.class, Post.class, Put.class, Patch.class, Delete.class);

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  HttpServer kermesHttpServer(
      KermesHttpProperties properties, ObjectProvider<ConversionService> conversions) {
    HttpServer server = new HttpServer(properties.port()).host(properties.host());
    ConversionService service = conversions.getIfUnique();
    if (service != null) server.conversion(SpringConversion.of(service));
    return server;
  }

  @Bean
  DrainingLifecycle kermesHttpLifecycle(
      HttpServer server,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<HttpServerCustomizer> customizers,
      Environment environment) {
    Duration timeout = DrainingLifecycle.timeout(environment);
    return new DrainingLifecycle(
        DrainingLifecycle.HTTP_PHASE,
        () -> start(server, beans, customizers),
        () -> server.stop(timeout));
  }

  private static void start(
      HttpServer server,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<HttpServerCustomizer> customizers) {
    RouteStrategy on = RouteStrategy.standard().getFirst();
    RouteStrategy ours = (type, method) -> isRoute(method) ? on.routesOf(type, method) : List.of();
    AnnotatedBeans.each(
        beans,
        KermesHttpAutoConfiguration::isRoute,
        (bean, type) -> server.register(bean, type, List.of(ours)));
    customizers.orderedStream().forEach(each -> each.customize(server));
    server.start();
  }

  private static boolean isRoute(Method method) {
    return METHODS.stream().anyMatch(method::isAnnotationPresent);
  }
}
