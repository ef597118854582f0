package dev.kermes.client.internal.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this client, from a resource that the build fills in. */
final class ClientVersion {
  private static final String VERSION = read();

  private ClientVersion() {}

  /** The version, or {@code unknown} if the resource was not packaged. */
  static String text() {
    return VERSION;
  }

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in = ClientVersion.class.getResourceAsStream("version.properties")) {
      if (in != null) properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
