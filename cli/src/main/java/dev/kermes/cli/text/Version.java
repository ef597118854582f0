package dev.kermes.cli.text;

/** The version of this build. */
public final class Version {

  /** The version in the jar's manifest; {@code dev} when run from class files. */
  public static final String TEXT = read();

  private Version() {}

  private static String read() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
