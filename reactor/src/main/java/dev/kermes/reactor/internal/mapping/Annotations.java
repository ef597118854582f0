package dev.kermes.reactor.internal.mapping;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds annotations by the names of their types, so that they are no dependency of the build, and
 * in supertypes, because a proxy's own class and methods carry none.
 */
public final class Annotations {

  private Annotations() {}

  /** The annotation of this type; null if there is none. */
  static @Nullable Annotation find(AnnotatedElement element, String typeName) {
    for (Annotation mark : element.getAnnotations()) {
      if (mark.annotationType().getName().equals(typeName)) return mark;
    }
    return null;
  }

  /** The annotation of this type on a class or its nearest supertype; null if there is none. */
  static @Nullable Annotation findAbove(Class<?> type, String typeName) {
    for (Class<?> each : hierarchy(type)) {
      Annotation mark = find(each, typeName);
      if (mark != null) return mark;
    }
    return null;
  }

  /** A class, its superclasses, and the interfaces of all of them. */
  public static Set<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) all.add(each);
    for (Class<?> each : Set.copyOf(all)) addInterfaces(each, all);
    return all;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
    for (Class<?> face : type.getInterfaces()) {
      all.add(face);
      addInterfaces(face, all);
    }
  }

  /** A member's value as text, the first one of an array; empty if there is none. */
  static String text(@Nullable Annotation mark, String member) {
    Object value = mark == null ? null : value(mark, member);
    if (value instanceof Object[] several) value = several.length == 0 ? null : several[0];
    return value == null ? "" : value.toString();
  }

  private static @Nullable Object value(Annotation mark, String member) {
    try {
      Method method = mark.annotationType().getMethod(member);
      method.setAccessible(true);
      return method.invoke(mark);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalArgumentException("cannot read: annotation=" + mark, e);
    }
  }

  /** Joins two parts of a pattern with one slash, without one at the beginning. */
  static String path(String first, String second) {
    String head = first.endsWith("/") ? first.substring(0, first.length() - 1) : first;
    String tail = second.startsWith("/") ? second.substring(1) : second;
    String joined = head.isEmpty() || tail.isEmpty() ? head + tail : head + "/" + tail;
    return joined.startsWith("/") ? joined.substring(1) : joined;
  }
}
