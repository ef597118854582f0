package dev.kermes.reactor;

import dev.kermes.reactor.internal.mapping.MessageEvents;
import dev.kermes.reactor.internal.mapping.OnEvents;
import dev.kermes.reactor.internal.mapping.PathEvents;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Consumer;

/**
 * Derives handlers from the methods of an object: which events a method handles, and the sources of
 * its arguments. The standard strategies for Kermes's own annotations, JAX-RS and Spring Messaging
 * are tried in this order; others may be passed to {@link Reactor#register(Object, List)}.
 */
public interface EventStrategy {

  /** The source of an argument. */
  enum From {
    /** The {@link Event}. */
    EVENT,
    /** Its {@link EventMeta}. */
    META,
    /** Its key. */
    KEY,
    /** The part of the key that the pattern captured under the argument's name. */
    PARAM,
    /** The header of the argument's name; null if there is none. */
    HEADER,
    /** The payload; the type of the parameter selects the events. */
    PAYLOAD
  }

  /**
   * The source of one argument.
   *
   * @param name the name of the parameter or header; otherwise empty
   */
  record Argument(From from, String name) {}

  /**
   * A handler.
   *
   * @param arguments one for each parameter of the method, except the continuation of a suspending
   *     function of Kotlin
   * @param options sets order, retries, name and other options
   */
  record Mapping(String pattern, List<Argument> arguments, Consumer<HandlerSpec<?>> options) {}

  /**
   * The handlers of one method; empty if this strategy does not recognise it.
   *
   * @param type the class of the object, perhaps a proxy, or the class named at registration
   * @param method the method as {@code type} or one of its supertypes declares it
   */
  List<Mapping> handlersOf(Class<?> type, Method method);

  /** The standard strategies, in the order in which they are tried. */
  static List<EventStrategy> standard() {
    return List.of(new OnEvents(), new PathEvents(), new MessageEvents());
  }
}
