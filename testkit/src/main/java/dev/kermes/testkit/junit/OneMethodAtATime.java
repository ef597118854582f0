package dev.kermes.testkit.junit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** A lock for the methods of a class, nested classes included, because they share a server. */
final class OneMethodAtATime implements ResourceLocksProvider {

  @Override
  public Set<Lock> provideForMethod(
      List<Class<?>> enclosing, Class<?> testClass, Method testMethod) {
    Class<?> outermost = enclosing.isEmpty() ? testClass : enclosing.get(0);
    return Set.of(new Lock("dev.kermes.testkit " + outermost.getName()));
  }
}
