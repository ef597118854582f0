package dev.kermes.http.internal.connection;

/** A connection, or one of its streams, that has timeouts and can be stopped. */
public interface TimedConnection {

  /** Checks the timeouts; called several times a second on the event loop. */
  void checkTimes();

  /** Closes the connection as soon as no request is in progress. */
  void stop();
}
