package dev.kermes.cli;

/** The version of this build. */
final class Version {

  /** The version in the jar's manifest; {@code dev} when run from class files. */
  static final String TEXT = read();

  private Version() {}

  private static String read() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
