package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks README and docs/: links lead to files, and code in languages.md is code of a tested guide.
 */
final class DocumentationTest {

  private static final Path ROOT = Path.of("..");
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?`");

  /** Classes that the build makes of the command table. */
  private static final Set<String> GENERATED =
      Set.of(
          "AsyncCommands",
          "BlockingCommands",
          "CommandFacts",
          "CommandDispatch",
          "Commands",
          "RedisCommands",
          "SuspendingCommands");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");

  @Test
  void links_leadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String target = link.group(1);
        if (target.contains(":")) continue; // a link to another site
        if (!Files.exists(page.resolveSibling(target))) broken.add(page + ": " + target);
      }
    }
    assertThat(broken).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS)) {
      List<Path> pages =
          new ArrayList<>(files.filter(file -> file.toString().endsWith(".md")).toList());
      pages.add(ROOT.resolve("README.md"));
      pages.add(ROOT.resolve("CONTRIBUTING.md"));
      return pages;
    }
  }

  @Test
  void blocksOfLanguages_areInTheirGuides() throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(DOCS.resolve("languages.md")));
    int count = 0;
    while (block.find()) {
      Path guide = DOCS.resolve(block.group(1) + ".md");
      assertThat(Files.readString(guide)).contains(block.group(2));
      count++;
    }
    assertThat(count).isEqualTo(5);
  }

  /** A class and its method, as {@code `Ranges.parse`}, must be in a source file of that name. */
  @Test
  void classesInTheArchitecture_exist() throws IOException {
    Map<String, String> sources = sources();
    Matcher mention = CLASS.matcher(Files.readString(DOCS.resolve("architecture.md")));
    List<String> missing = new ArrayList<>();
    int count = 0;
    while (mention.find()) {
      String source = sources.get(mention.group(1));
      String member = mention.group(2);
      boolean isThere =
          GENERATED.contains(mention.group(1))
              || source != null && (member == null || source.contains(member));
      if (!isThere) missing.add(mention.group());
      count++;
    }
    assertThat(count).isGreaterThan(100);
    assertThat(missing).isEmpty();
  }

  /** All sources by the name of the file without its ending, those of the same name together. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (Path folder : Modules.folders("src")) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file :
            files.filter(each -> each.toString().matches(".*\\.(java|kt|scala|groovy)")).toList()) {
          String name = file.getFileName().toString();
          sources.merge(
              name.substring(0, name.indexOf('.')), Files.readString(file), String::concat);
        }
      }
    }
    return sources;
  }
}
