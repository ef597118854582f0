package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that {@code ./kermes} builds again after a change of any module that a program needs. */
final class LauncherTest {

  private static final Path ROOT = Path.of("..");

  /** The list in the launcher's function {@code sources_of}. */
  private static final Pattern OF_CLI = Pattern.compile(" cli=\"([a-z ]+)\"");

  private static final Pattern OF_TOOLS = Pattern.compile("for folder in \\$cli ([a-z ]+);");

  /** A dependency on a module of ours that is not for tests only. */
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<groupId>dev\\.kermes</groupId>\\s*<artifactId>kermes-([\\w-]+)</artifactId>"
              + "\\s*+(?!<scope>test)");

  @Test
  void sourcesOfCli_areThoseOfItsModules() throws IOException {
    assertThat(listed(OF_CLI)).containsExactlyInAnyOrderElementsOf(modules("cli"));
  }

  @Test
  void sourcesOfTools_areThoseOfItsModules() throws IOException {
    List<String> listed = listed(OF_CLI);
    listed.addAll(listed(OF_TOOLS));
    assertThat(listed).containsExactlyInAnyOrderElementsOf(modules("tools"));
  }

  private static List<String> listed(Pattern list) throws IOException {
    Matcher words = list.matcher(Files.readString(ROOT.resolve("kermes")));
    assertThat(words.find()).as("%s", list).isTrue();
    return new ArrayList<>(List.of(words.group(1).split(" ")));
  }

  /** Returns a module and all that it needs. */
  private static Set<String> modules(String module) throws IOException {
    Set<String> needed = new TreeSet<>();
    Deque<String> left = new ArrayDeque<>(List.of(module));
    while (!left.isEmpty()) {
      String each = left.pop();
      if (!needed.add(each)) continue;
      String pom = Files.readString(ROOT.resolve(each).resolve("pom.xml"));
      DEPENDENCY.matcher(pom).results().map(found -> found.group(1)).forEach(left::push);
    }
    return needed;
  }
}
