package dev.kermes.net;

import io.netty.util.Version;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks the version of Netty on the class path before anything from 4.2 is used. Frameworks that
 * manage versions put an older one there, and the error for the first missing class does not
 * explain that.
 */
public final class NettyRelease {

  /** A class that is new in Netty 4.2. */
  private static final String WITNESS = "io.netty.channel.IoHandlerFactory";

  private NettyRelease() {}

  /**
   * Checks that Netty is new enough.
   *
   * @throws IllegalStateException naming the version that was found and the fix
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
