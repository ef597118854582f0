package dev.kermes.http.internal.exchange;

import dev.kermes.http.AccessLog;
import dev.kermes.http.HttpLimits;
import dev.kermes.http.internal.body.BodyMemory;
import dev.kermes.http.internal.files.FileCache;
import dev.kermes.http.internal.routing.Router;
import org.jspecify.annotations.Nullable;

/** The state that all connections of a server share. Any thread. */
public final class ServerContext {

  private final Router router;
  private final HttpLimits limits;
  private final @Nullable AccessLog log;
  private final boolean compresses;
  private final FileCache files = new FileCache();
  private final BodyMemory bodies;
  private volatile boolean isStopping;

  public ServerContext(
      Router router, HttpLimits limits, @Nullable AccessLog log, boolean compresses) {
    this.router = router;
    this.limits = limits;
    bodies = new BodyMemory(limits.bodiesMax());
    this.log = log;
    this.compresses = compresses;
  }

  Router router() {
    return router;
  }

  public HttpLimits limits() {
    return limits;
  }

  BodyMemory bodies() {
    return bodies;
  }

  public FileCache files() {
    return files;
  }

  @Nullable AccessLog log() {
    return log;
  }

  boolean compresses() {
    return compresses;
  }

  /** Whether the server is stopping; then every connection closes after its current response. */
  public boolean isStopping() {
    return isStopping;
  }

  public void stop() {
    isStopping = true;
  }
}
