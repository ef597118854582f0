package dev.kermes.reactor;

/** What is done for an event. What it throws goes to the error hook, and fails a call. */
@FunctionalInterface
public interface Handler<T> {

  /** Handles one event, in the order that was declared with its pattern. */
  void handle(Event<T> event) throws Exception;
}
