package dev.kermes.reactor;

/** Handles events. An exception is passed to the error hook, and fails the call if it is one. */
@FunctionalInterface
public interface Handler<T> {

  /** Handles one event, in the order declared when the handler was registered. */
  void handle(Event<T> event) throws Exception;
}
