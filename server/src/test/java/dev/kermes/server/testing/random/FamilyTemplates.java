package dev.kermes.server.testing.random;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The templates of the commands that {@code RedisDifferentialTest} sends: a file below {@code
 * templates} for each family of commands, a template on each line. The words are those of {@link
 * CommandTemplates}.
 */
public final class FamilyTemplates {
  private FamilyTemplates() {}

  /** The templates of a family, by its name. */
  public static List<String> of(String family) {
    try (InputStream in =
        FamilyTemplates.class.getResourceAsStream("templates/" + family + ".txt")) {
      if (in == null) throw new IllegalArgumentException("no such family: " + family);
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
