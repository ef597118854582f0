package dev.kermes.http;

/** What the clock and the end of the server want of a connection, or of one of its requests. */
interface TimedConnection {

  /** Looks for what took too long; every now and then. */
  void checkTimes();

  /** Ends it as soon as no request is under way. */
  void stop();
}
