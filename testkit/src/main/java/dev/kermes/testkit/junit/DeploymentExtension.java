package dev.kermes.testkit.junit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testkit.DeploymentLease;
import dev.kermes.testkit.Faults;
import dev.kermes.testkit.ServerLease;
import dev.kermes.testkit.TestDeployment;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.lang.annotation.Annotation;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The part that the extensions share: the deployment of a class in JUnit's store, its resets, the
 * report of a failure, and the parameters.
 *
 * @param <T> the deployment
 * @param <A> the annotation of a test class
 */
@SuppressWarnings("exports") // a module that uses JUnit requires it itself; others do without
abstract class DeploymentExtension<T extends TestDeployment, A extends Annotation>
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterTestExecutionCallback,
        ParameterResolver {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(DeploymentExtension.class);

  private final Class<T> type;
  private final Class<A> annotationType;
  private volatile @Nullable T last;

  DeploymentExtension(Class<T> type, Class<A> annotationType) {
    this.type = type;
    this.annotationType = annotationType;
  }

  /** Takes or starts the deployment of a class, which ends or is given back with the value. */
  abstract Closing<T> begin(Optional<A> annotation);

  /** The times at which the annotation wants resets. */
  abstract Reset resetOf(A annotation);

  /** The deployment of the class that ran last. */
  final T current() {
    T current = last;
    if (current != null) return current;
    throw new IllegalStateException("no test has begun: the server starts before @BeforeAll");
  }

  static <T extends TestDeployment> Closing<T> closing(DeploymentLease<T> lease) {
    return new Closing<>(lease.deployment(), lease::close);
  }

  // The deployment of a class

  final T deployment(ExtensionContext context) {
    Closing<?> stored =
        stored(
            context,
            this,
            () -> {
              stored(
                  context.getRoot(), "end", () -> new Closing<>("end", ServerLease::closeUnused));
              return begin(annotation(context));
            });
    T deployment = type.cast(stored.value());
    last = deployment;
    return deployment;
  }

  /** The value that a store has for the key; the first caller makes it. */
  @SuppressWarnings("deprecation") // JUnit 5 has no computeIfAbsent
  private static Closing<?> stored(
      ExtensionContext context, Object key, Supplier<Closing<?>> first) {
    return Objects.requireNonNull(
        context.getStore(NAMESPACE).getOrComputeIfAbsent(key, each -> first.get(), Closing.class));
  }

  /** The annotation of the test class, or of a class around it. */
  private Optional<A> annotation(ExtensionContext context) {
    Class<?> each = context.getTestClass().orElse(null);
    while (each != null) {
      Optional<A> found = AnnotationSupport.findAnnotation(each, annotationType);
      if (found.isPresent()) return found;
      each = each.getEnclosingClass();
    }
    return Optional.empty();
  }

  // Callbacks

  @Override
  public final void beforeAll(ExtensionContext context) {
    T unused = deployment(context);
  }

  @Override
  public final void beforeEach(ExtensionContext context) {
    T deployment = deployment(context);
    Reset reset = annotation(context).map(this::resetOf).orElse(Reset.EACH_TEST);
    if (reset == Reset.EACH_TEST) deployment.reset();
  }

  @Override
  public final void afterTestExecution(ExtensionContext context) {
    Throwable failure = context.getExecutionException().orElse(null);
    if (failure == null) return;
    context.publishReportEntry("redis", deployment(context).reportTo(failure));
  }

  // Parameters

  @Override
  public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> wanted = parameter.getParameter().getType();
    return hasPart(wanted) || wanted == String.class && parameter.isAnnotated(RedisUrl.class);
  }

  private boolean hasPart(Class<?> wanted) {
    return wanted == type
        || wanted == RedisClient.class
        || wanted == ManualClock.class
        || wanted == Faults.class;
  }

  @Override
  public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return part(deployment(context), parameter.getParameter().getType());
  }

  /** The value for a parameter of a type that {@link #hasPart}, or the URL. */
  private Object part(T deployment, Class<?> wanted) {
    if (wanted == type) return deployment;
    if (wanted == RedisClient.class) return deployment.client();
    if (wanted == ManualClock.class) return deployment.clock();
    return wanted == Faults.class ? deployment.faults() : deployment.url();
  }
}
