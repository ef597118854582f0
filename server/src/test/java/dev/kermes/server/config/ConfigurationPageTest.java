package dev.kermes.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/configuration.md} with the table of options. This command writes the page
 * anew: {@code mvn test -pl server -am -Dtest=ConfigurationPageTest -Dkermes.docs.rewrite=true
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
final class ConfigurationPageTest {

  private static final Path PAGE = Path.of("../docs/configuration.md");

  @Test
  void page_showsTheTable() throws IOException {
    String page = ConfigurationPage.of(new Settings());
    if (System.getProperty("kermes.docs.rewrite") != null) Files.writeString(PAGE, page);
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  @Test
  void eachOption_saysWhatItDoes() {
    for (Option option : new Settings().options()) {
      assertThat(option.meaning()).as(option.name()).matches("\\S.*[.]");
      assertThat(option.difference()).as(option.name()).matches("|\\S.*[.]");
    }
  }
}
