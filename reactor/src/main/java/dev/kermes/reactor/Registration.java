package dev.kermes.reactor;

/** A handler's place in the reactor. */
public interface Registration extends AutoCloseable {

  /** What it was registered for. */
  RoutePattern pattern();

  /** How many events wait for the handler or are in it. */
  int pending();

  /** Takes it off: it gets no new events; those that wait for it are still handled. */
  @Override
  void close();
}
