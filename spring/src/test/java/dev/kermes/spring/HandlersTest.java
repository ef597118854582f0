package dev.kermes.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.http.Get;
import dev.kermes.http.HttpServer;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.reactor.On;
import dev.kermes.reactor.Param;
import dev.kermes.reactor.Reactor;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.support.DefaultConversionService;

/** Beans whose methods handle events and requests. */
final class HandlersTest {

  private static final long WAIT_SECONDS = 20;

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KermesReactorAutoConfiguration.class, KermesHttpAutoConfiguration.class))
          .withPropertyValues("kermes.http.enabled=true", "kermes.http.port=0");

  /** A number that only a converter of the application makes of text. */
  record Sku(int number) {}

  /** Handles an event and a request. */
  static class Orders {
    final List<String> handled = new CopyOnWriteArrayList<>();

    @On("order/{sku}")
    public void ordered(@Param("sku") Sku sku, String payload) {
      handled.add(sku.number() + " " + payload);
    }

    @On("/orders/{sku}")
    @Get
    public String order(Sku sku) {
      return "order " + sku.number();
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    Orders orders() {
      return new Orders();
    }

    @Bean
    DefaultConversionService conversionService() {
      DefaultConversionService service = new DefaultConversionService();
      service.addConverter(
          String.class,
          Sku.class,
          (Converter<String, Sku>) text -> new Sku(Integer.parseInt(text.substring(1))));
      return service;
    }
  }

  /** Puts a proxy of a subclass before the bean, as transactions and caches do. */
  @Configuration(proxyBeanMethods = false)
  static class WithProxies {
    static final List<String> CALLED = new CopyOnWriteArrayList<>();

    @Bean
    static BeanPostProcessor proxies() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          if (!(bean instanceof Orders)) return bean;
          ProxyFactory factory = new ProxyFactory(bean);
          factory.setProxyTargetClass(true);
          factory.addAdvice(
              (org.aopalliance.intercept.MethodInterceptor)
                  call -> {
                    CALLED.add(call.getMethod().getName());
                    return call.proceed();
                  });
          return factory.getProxy();
        }
      };
    }
  }

  private static String get(HttpServer server, String path) throws Exception {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(server.url() + path).toURL().openConnection();
    if (connection.getResponseCode() != 200) return String.valueOf(connection.getResponseCode());
    return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void beans_handleEventsAndRequests_withConversionsOfTheApplication() {
    runner
        .withUserConfiguration(Application.class)
        .run(context -> {
          Reactor reactor = context.getBean(Reactor.class);
          assertThat(reactor.emit("order/S17", "paid")).isEqualTo(1);
          assertThat(reactor.awaitIdle(Duration.ofSeconds(WAIT_SECONDS))).isTrue();
          assertThat(context.getBean(Orders.class).handled).containsExactly("17 paid");
          HttpServer server = context.getBean(HttpServer.class);
          assertThat(get(server, "/orders/S18")).isEqualTo("order 18");
          assertThat(get(server, "/orders/Sx")).isEqualTo("400");
          assertThat(reactor.emit("/orders/S18", "")).isZero();
        });
  }

  @Test
  void proxiedBeans_areCalledThroughTheirProxies() {
    WithProxies.CALLED.clear();
    runner
        .withUserConfiguration(Application.class, WithProxies.class)
        .run(context -> {
          Reactor reactor = context.getBean(Reactor.class);
          assertThat(reactor.emit("order/S17", "paid")).isEqualTo(1);
          assertThat(reactor.awaitIdle(Duration.ofSeconds(WAIT_SECONDS))).isTrue();
          assertThat(get(context.getBean(HttpServer.class), "/orders/S18")).isEqualTo("order 18");
          assertThat(WithProxies.CALLED).containsExactly("ordered", "order");
        });
  }

  @Test
  void context_thatCloses_waitsForRequestsAndHandlers() {
    CountDownLatch isInside = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<String> ended = new CopyOnWriteArrayList<>();
    CompletableFuture<String> answer = new CompletableFuture<>();
    runner
        .withBean(
            HttpServerCustomizer.class,
            () ->
                server ->
                    server.get(
                        "/slow",
                        request -> {
                          isInside.countDown();
                          mayEnd.await();
                          request.respond(StandardHttpResponses.ok("done"));
                        }))
        .run(context -> {
          HttpServer server = context.getBean(HttpServer.class);
          Reactor reactor = context.getBean(Reactor.class);
          reactor.on(
              "slow",
              event -> {
                mayEnd.await();
                ended.add("handler");
              });
          reactor.emit("slow", "");
          String url = server.url();
          Thread.ofVirtual()
              .start(() -> {
                try {
                  answer.complete(
                      new String(
                          URI.create(url + "/slow").toURL().openStream().readAllBytes(),
                          StandardCharsets.UTF_8));
                } catch (Exception e) {
                  answer.completeExceptionally(e);
                }
              });
          assertThat(isInside.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
          Thread.ofVirtual()
              .start(() -> {
                try {
                  Thread.sleep(200); // the context begins to close
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                mayEnd.countDown();
              });
        });
    assertThat(answer.join()).isEqualTo("done");
    assertThat(ended).containsExactly("handler");
  }

  @Test
  void http_notAskedFor_isNotThere() {
    runner
        .withPropertyValues("kermes.http.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HttpServer.class));
  }
}
