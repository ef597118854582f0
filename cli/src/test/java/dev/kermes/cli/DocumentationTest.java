package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
}
