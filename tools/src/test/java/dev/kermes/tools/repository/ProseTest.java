package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Finds phrases that a native reader stumbles over: in the pages, in the comments of all languages,
 * and in the texts of main sources (messages, help). CONTRIBUTING.md says what to write instead.
 */
final class ProseTest {

  private static final Path ROOT = Path.of("..");
  private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", "node_modules");

  /** Sources whose comments begin with a slash or an asterisk. */
  private static final Set<String> C_LIKE = Set.of("java", "kt", "scala", "groovy", "kts");

  private static final Set<String> OTHERS = Set.of("clj", "md", "commands", "py", "sh");

  private static final Map<String, Pattern> BANNED =
      Map.of(
          "opens with a free relative clause; begin with a noun or a verb",
          // A question ("What is it for?") and a heading are no such clause.
          Pattern.compile(
              "^[\\s/;#|-]*(?:\\*[*/]?\\s+)?(What|Who|Whoever|Whatever|Whichever)\\b(?![^.]*\\?)(?<!# What)"),
          "names no actor; say caller, thread, client, replica, handler",
          Pattern.compile("(?i)\\b(nobody|somebody|everybody|anybody)\\b(?![(?])"),
          "instead of",
          Pattern.compile("(?i)\\bin (the )?place of\\b"),
          "continues, resumes",
          Pattern.compile(
              "(?i)\\b(goes|go) on(?=[,.;:]| (at|until|while|with|after|where|as|from)\\b)"),
          "in the meantime",
          Pattern.compile("(?i)\\bmeanwhile\\b"),
          "this many, or the number",
          Pattern.compile("(?i)\\bso (much|many|long|few)\\b(?! as| that)"),
          "is not a",
          Pattern.compile(
              "(?i)\\b(that|which|it|this) is no (?!longer|more|less|way|need|such|other)\\w+"));

  private static final Pattern COMMENT = Pattern.compile("/\\*.*|^\\s*\\*.*|(?<!:)//.*");
  private static final Pattern TEXT = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

  @Test
  void sources_areFreeOfBannedPhrases() throws IOException {
    List<String> findings = new ArrayList<>();
    List<Path> files = files();
    for (Path file : files) {
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        for (String prose : prose(file, line)) {
          for (String reason : reasons(prose)) {
            findings.add(
                ROOT.relativize(file) + ":" + number + ": " + reason + ": " + line.strip());
          }
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(1000);
    assertThat(findings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** What a new value amounts to: the key goes. */",
        "; Whoever closes it",
        "so that nobody waits",
        "in the place of who has that",
        "the walk goes on at once",
        "at most so many bytes",
        "a score that is no number",
      })
  void bannedPhrases_areFound(String line) {
    assertThat(reasons(line)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "| What does it cost? |",
        "## What must hold",
        "there is no key, so that it goes on the list",
        "so long as it holds",
        "users.nobody()",
      })
  void ordinaryPhrases_areNotFound(String line) {
    assertThat(reasons(line)).isEmpty();
  }

  private static List<String> reasons(String prose) {
    return BANNED.entrySet().stream()
        .filter(banned -> banned.getValue().matcher(prose).find())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The parts of a line that are meant to be read as English. */
  private static List<String> prose(Path file, String line) {
    if (!C_LIKE.contains(extension(file))) return List.of(line);
    List<String> parts = new ArrayList<>();
    Matcher comment = COMMENT.matcher(line);
    if (comment.find()) parts.add(comment.group());
    boolean isMain = file.toString().contains("/src/main/");
    if (isMain) TEXT.matcher(line).results().forEach(text -> parts.add(text.group()));
    return parts;
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean isSkipped = SKIPPED.contains(folder.getFileName().toString());
            return isSkipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String extension = extension(file);
            boolean isSource = C_LIKE.contains(extension) || OTHERS.contains(extension);
            if (isSource && !file.endsWith("ProseTest.java")) files.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static String extension(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
