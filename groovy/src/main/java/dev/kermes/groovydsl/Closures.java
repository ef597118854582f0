package dev.kermes.groovydsl;

import groovy.lang.Closure;
import org.jspecify.annotations.Nullable;

/**
 * Calls closures with an object as their delegate, and as their argument if they have a parameter.
 */
final class Closures {
  private Closures() {}

  static <T extends @Nullable Object> T on(Object subject, Closure<T> body) {
    Closure<T> own = body.rehydrate(subject, body.getOwner(), body.getThisObject());
    own.setResolveStrategy(Closure.DELEGATE_FIRST);
    return own.getMaximumNumberOfParameters() == 0 ? own.call() : own.call(subject);
  }
}
