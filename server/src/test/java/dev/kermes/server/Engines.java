package dev.kermes.server;

import dev.kermes.server.engine.Engine;

/** Gives tests of all packages the engine of a server, which users do not see. */
public final class Engines {

  private Engines() {}

  @SuppressWarnings("exports") // tests are part of the module
  public static Engine of(RedisServer server) {
    return server.engine();
  }
}
