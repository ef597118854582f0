package dev.kermes.http;

import org.jspecify.annotations.Nullable;

/** The state that all connections of a server share. Any thread. */
final class ServerContext {

  private final Router router;
  private final HttpLimits limits;
  private final @Nullable AccessLog log;
  private final boolean compresses;
  private final FileCache files = new FileCache();
  private final BodyMemory bodies;
  private volatile boolean isStopping;

  ServerContext(Router router, HttpLimits limits, @Nullable AccessLog log, boolean compresses) {
    this.router = router;
    this.limits = limits;
    bodies = new BodyMemory(limits.bodiesMax());
    this.log = log;
    this.compresses = compresses;
  }

  Router router() {
    return router;
  }

  HttpLimits limits() {
    return limits;
  }

  BodyMemory bodies() {
    return bodies;
  }

  FileCache files() {
    return files;
  }

  @Nullable AccessLog log() {
    return log;
  }

  boolean compresses() {
    return compresses;
  }

  /** Whether the server is stopping; then every connection closes after its current response. */
  boolean isStopping() {
    return isStopping;
  }

  void stop() {
    isStopping = true;
  }
}
