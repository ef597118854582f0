package dev.kermes.net;

import io.netty.util.Version;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A look at the Netty that is there, before anything of 4.2 is needed: frameworks that manage
 * versions put an older one on the class path, and the first missing class tells little.
 */
public final class NettyRelease {

  /** New in 4.2. */
  private static final String WITNESS = "io.netty.channel.IoHandlerFactory";

  private NettyRelease() {}

  /**
   * Sees to it that Netty is new enough.
   *
   * @throws IllegalStateException naming the release that was found, and what to do
   */
  public static void require() {
    require(NettyRelease.class.getClassLoader());
  }

  static void require(ClassLoader loader) {
    try {
      Class<?> unused = Class.forName(WITNESS, false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "Kermes needs Netty 4.2, found "
              + found(loader)
              + ": set the version of io.netty in your build (with Spring Boot the property"
              + " netty.version) to 4.2 or newer",
          e);
    }
  }

  private static String found(ClassLoader loader) {
    return Version.identify(loader).values().stream()
        .map(Version::artifactVersion)
        .collect(Collectors.toCollection(TreeSet::new))
        .toString();
  }
}
