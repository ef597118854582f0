package dev.kermes.http.internal.routing;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Finds annotations by the names of their types, so that they are no dependency of the build. */
public final class AnnotationNames {

  private AnnotationNames() {}

  static @Nullable Annotation find(AnnotatedElement element, String typeName) {
    for (Annotation mark : element.getAnnotations()) {
      if (mark.annotationType().getName().equals(typeName)) return mark;
    }
    return null;
  }

  /** A member's value as text, the first one of an array; empty if there is none. */
  static String text(@Nullable Annotation mark, String member) {
    Object value = mark == null ? null : value(mark, member);
    if (value instanceof Object[] several) value = several.length == 0 ? null : several[0];
    return value == null ? "" : value.toString();
  }

  static @Nullable Object value(Annotation mark, String member) {
    try {
      return mark.annotationType().getMethod(member).invoke(mark);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalArgumentException("cannot read: annotation=" + mark, e);
    }
  }

  /** Joins two parts of a path with one slash. */
  static String path(String first, String second) {
    String head = first.endsWith("/") ? first.substring(0, first.length() - 1) : first;
    if (!head.isEmpty() && !head.startsWith("/")) head = "/" + head;
    if (second.isEmpty()) return head.isEmpty() ? "/" : head;
    return head + (second.startsWith("/") ? second : "/" + second);
  }
}
