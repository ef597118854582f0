package dev.kermes.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the code blocks of a guide with the test that runs them. The lines between {@code //
 * guide: name} and {@code // end} of the test are the guide's block under {@code <!-- name -->},
 * character by character; a block that no test runs begins with {@code java no-run}.
 */
public final class GuideBlocks {
  private static final Path GUIDES = Path.of("../docs");
  private static final Path TESTS = Path.of("src/test/java");

  private final String language;
  private final Map<String, String> tested;

  private GuideBlocks(String language, Map<String, String> tested) {
    this.language = language;
    this.tested = tested;
  }

  /** The regions of a test's source, which is in the module that runs it. */
  public static GuideBlocks of(Class<?> test) throws IOException {
    return new GuideBlocks("java", regions(source(test)));
  }

  /** The regions of a source in a language, in whose blocks the guide shows them. */
  public static GuideBlocks of(String language, Path source) throws IOException {
    return new GuideBlocks(language, regions(Files.readString(source)));
  }

  /**
   * Fails unless the test's source has each Java block of the guide, apart from white space;
   * returns the number of blocks.
   */
  public static int countShown(String guide, Class<?> test) throws IOException {
    String source = squeezed(source(test));
    Matcher block =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(GUIDES.resolve(guide)));
    int count = 0;
    for (; block.find(); count++) {
      if (source.contains(squeezed(block.group(1)))) continue;
      throw new AssertionError(
          "not in the test: guide=" + guide + ", test=" + test + ", block=" + block.group(1));
    }
    return count;
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }

  private static String source(Class<?> test) throws IOException {
    return Files.readString(TESTS.resolve(test.getName().replace('.', '/') + ".java"));
  }

  /** Fails unless these guides together have the blocks of the test, and no others. */
  public void areThoseOf(String... guides) throws IOException {
    Map<String, String> told = new LinkedHashMap<>();
    for (String guide : guides) told.putAll(blocks(Files.readString(GUIDES.resolve(guide))));
    if (told.equals(tested)) return;
    throw new AssertionError(
        "the guides differ from the test: guides=" + told + "\ntest=" + tested);
  }

  private static Map<String, String> regions(String source) {
    Map<String, String> regions = new LinkedHashMap<>();
    Matcher region = Pattern.compile("(?ms)^ *// guide: (\\S+)\n(.*?)^ *// end$").matcher(source);
    while (region.find()) regions.put(region.group(1), dedented(region.group(2)));
    return regions;
  }

  private static String dedented(String lines) {
    return lines.stripTrailing().stripIndent() + "\n";
  }

  private Map<String, String> blocks(String guide) {
    Map<String, String> blocks = new LinkedHashMap<>();
    Matcher block =
        Pattern.compile("(?ms)^(?:<!-- (\\S+) -->\n)?```" + language + "\n(.*?)^```$")
            .matcher(guide);
    while (block.find()) blocks.put(String.valueOf(block.group(1)), block.group(2));
    return blocks;
  }
}
