package dev.kermes.reactor;

/** A handler registered with a reactor. */
public interface Registration extends AutoCloseable {

  /** The pattern that the handler was registered for. */
  RoutePattern pattern();

  /** The name that it was given, by default its pattern; not unique. */
  String name();

  /** The number of events that wait for the handler or are being handled. */
  int pending();

  /** Removes the handler: it gets no new events; waiting events are still handled. */
  @Override
  void close();
}
