package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks README and docs/: links lead to files, code in languages.md is code of a tested guide, and
 * coordinates are those of this build.
 */
final class DocumentationTest {

  private static final Path ROOT = Path.of("..");
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\n]*`");
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

  /**
   * Coordinates as Gradle and Grape, deps.edn, Leiningen, sbt and Maven write them: artefact,
   * version.
   */
  private static final List<Pattern> COORDINATES =
      List.of(
          Pattern.compile("dev\\.kermes:(kermes-[\\w-]+)(?::([\\w.-]+))?"),
          Pattern.compile("dev\\.kermes/(kermes-[\\w-]+) \\{:mvn/version \"([^\"]+)\""),
          Pattern.compile("\\[dev\\.kermes/(kermes-[\\w-]+) \"([^\"]+)\"]"),
          Pattern.compile("\"dev\\.kermes\" %%? \"(kermes-[\\w-]+)\" % \"([^\"]+)\""),
          Pattern.compile("<artifactId>(kermes-[\\w-]+)</artifactId>(?:\\s*<version>([^<]+)<)?"));

  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(kermes-[^<]+)<");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)<");
  private static final Pattern SNAPSHOT = Pattern.compile("\\d+\\.\\d+\\.\\d+-SNAPSHOT");

  /** A block of languages.md, with the page of its guide. */
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^\\*\\*\\w+\\*\\* \\(\\[guide]\\((\\S+)\\)\\)\n\n```\\w+\n(.*?)^```$");

  @Test
  void links_leadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
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
  void coordinates_areThoseOfThisBuild() throws IOException {
    String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
    List<String> artifacts = ARTIFACT.matcher(bom).results().map(each -> each.group(1)).toList();
    String version = version();
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (Path page : pages()) {
      String text = Files.readString(page);
      for (Pattern notation : COORDINATES) {
        Matcher found = notation.matcher(text);
        while (found.find()) {
          String artifact = found.group(1) + (found.group().contains("%%") ? "_3" : "");
          boolean isOther = found.group(2) != null && !found.group(2).equals(version);
          if (isOther || !artifacts.contains(artifact)) wrong.add(page + ": " + found.group());
          count++;
        }
      }
      SNAPSHOT
          .matcher(text)
          .results()
          .map(MatchResult::group)
          .forEach(each -> {
            if (!each.equals(version)) wrong.add(page + ": " + each);
          });
    }
    assertThat(count).isGreaterThan(20);
    assertThat(wrong).isEmpty();
  }

  /** The first version in the root pom is its own. */
  private static String version() throws IOException {
    Matcher version = VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  @Test
  void blocksOfLanguages_areInTheirGuides() throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(DOCS.resolve("languages.md")));
    int count = 0;
    while (block.find()) {
      Path guide = DOCS.resolve(block.group(1));
      assertThat(Files.readString(guide)).contains(block.group(2));
      count++;
    }
    assertThat(count).isEqualTo(10);
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
