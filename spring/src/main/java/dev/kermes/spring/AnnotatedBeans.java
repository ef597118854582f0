package dev.kermes.spring;

import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;

/** Finds the beans that have methods of a kind, also behind proxies. */
final class AnnotatedBeans {

  private AnnotatedBeans() {}

  /** Hands over each bean with such a method, perhaps a proxy, and the class behind it. */
  static void each(
      ConfigurableListableBeanFactory beans,
      Predicate<Method> kind,
      BiConsumer<Object, Class<?>> action) {
    for (String name : beans.getBeanDefinitionNames()) {
      if (ScopedProxyUtils.isScopedTarget(name)) continue;
      Class<?> known = AutoProxyUtils.determineTargetClass(beans, name);
      if (known == null) continue;
      Class<?> type = ClassUtils.getUserClass(known); // not the subclass of a proxy
      if (has(type, kind)) action.accept(beans.getBean(name), type);
    }
  }

  private static boolean has(Class<?> type, Predicate<Method> kind) {
    MethodIntrospector.MetadataLookup<Boolean> lookup =
        method -> kind.test(method) ? Boolean.TRUE : null;
    return !MethodIntrospector.selectMethods(type, lookup).isEmpty();
  }
}
