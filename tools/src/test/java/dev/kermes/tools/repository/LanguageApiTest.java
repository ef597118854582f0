package dev.kermes.tools.repository;

import static dev.kermes.tools.repository.PublicApiTest.HOW_TO_REWRITE;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Does for Kotlin and Scala what {@link PublicApiTest} does for Java: everything public has a doc
 * comment, and is listed in the module's {@code api.txt}. For Clojure, {@code kermes.api-test} does
 * the same.
 *
 * <p>The scanner relies on the formatters: members are indented by two columns more than their
 * type, and a declaration ends at its {@code =}, its opening brace or the end of its line.
 */
class LanguageApiTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+)");
  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?m)^( *)((?:[a-z]+(?:\\[\\w+])? )*)"
              + "(class|interface|trait|object|enum|extension|fun|def|val|var|given|type)\\b");
  private static final Set<String> TYPES =
      Set.of("class", "interface", "trait", "object", "enum", "extension");

  /** A property that a constructor declares, which the doc of its class describes. */
  private static final Pattern PROPERTY = Pattern.compile("[(,] ?(?:public )?va[lr] (\\w+)");

  private static final Pattern DOC =
      Pattern.compile("(/\\*\\*(?:(?!\\*/).)*\\*/)(?:\\s*@[^\\n]*)*\\s*", Pattern.DOTALL);
  private static final Pattern CONTINUATION =
      Pattern.compile("\\n\\s*(?:extends|with|internal constructor)\\b");

  @ParameterizedTest
  @ValueSource(strings = {"kotlin", "scala", "testkit-kotest", "testkit-scala"})
  void listing_isThatOfTheSources(String module) throws IOException {
    Api api = new Api();
    for (Path root : roots(module)) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(each -> each.toString().matches(".*\\.(kt|scala)")).toList())
          api.read(Files.readString(file), file.toString().endsWith(".kt"));
      }
    }
    Path page = ROOT.resolve(module + "/api.txt");
    if (System.getProperty("kermes.docs.rewrite") != null) Files.writeString(page, api.listing());
    assertThat(page).as(HOW_TO_REWRITE).content().isEqualTo(api.listing());
    assertThat(api.undocumented).isEmpty();
  }

  private static List<Path> roots(String module) {
    Path written = ROOT.resolve(module + "/src/main");
    if (module.startsWith("testkit")) return List.of(written);
    Path generated = ROOT.resolve(module + "/target/generated-sources/commands");
    assertThat(generated).as("sources that a build of the module generates").exists();
    return List.of(written, generated);
  }

  @Test
  void kotlin_membersThatArePublicAreListed() {
    Api api = new Api();
    api.read(
        """
        package example

        /**
         * A view.
         *
         * @property underlying the client
         */
        public open class View<K : Any>
        internal constructor(
          public val underlying: Client,
          private val keys: Codec<K>,
        ) : Commands<K>(keys), AutoCloseable {

          /** Sends. */
          public suspend fun <T> send(options: Options.() -> Unit = {}): T =
            object : Any() { public fun nested() {} }

          public val size: Int
            get() = 1

          internal fun hidden() {}

          override fun close() {}
        }
        """,
        true);
    assertThat(api.listing())
        .isEqualTo(
            """
            package example
              public open class View<K : Any> internal constructor(public val underlying: Client, \
            private val keys: Codec<K>) : Commands<K>(keys), AutoCloseable
                public suspend fun <T> send(options: Options.() -> Unit = {}): T
                public val size: Int
            """);
    assertThat(api.undocumented).containsExactly("public val size: Int");
  }

  @Test
  void scala_membersThatArePublicAreListed() {
    Api api = new Api();
    api.read(
        """
        package example

        /** A view. */
        final class View[K] private[example] (val underlying: Client)(using keys: Codec[K])
            extends Commands[K](keys),
              AutoCloseable:

          /** Closes. */
          def close(): Unit =
            new Closer:
              def nested(): Unit = ()

          private def hidden = 1

        /** Its types. */
        object View:
          /** Results. */
          type Results[T] = Map[T, Try]

        extension (command: Command)
          /** A copy. */
          def copied(times: Int = 1): Command = command

        extension (other: Command)
          private def hidden: Command = command
        """,
        false);
    assertThat(api.listing())
        .isEqualTo(
            """
            package example
              extension (command: Command)
                def copied(times: Int = 1): Command
              final class View[K] private[example] (val underlying: Client)(using keys: Codec[K]) \
            extends Commands[K](keys), AutoCloseable
                def close(): Unit
              object View
                type Results[T] = Map[T, Try]
            """);
    assertThat(api.undocumented).singleElement().asString().startsWith("final class View[K]");
  }

  /** The public declarations of some sources. */
  private static final class Api {

    /** Separates the declarations around a declaration; sorts before all that they contain. */
    private static final String INSIDE = "\n";

    final List<String> undocumented = new ArrayList<>();
    private final Set<String> paths = new TreeSet<>();

    private record Scope(int indent, String path, boolean isPublicType) {}

    String listing() {
      StringBuilder lines = new StringBuilder();
      for (String path : paths) {
        String[] parts = path.split(INSIDE);
        lines.append("  ".repeat(parts.length - 1)).append(parts[parts.length - 1]).append('\n');
      }
      return lines.toString();
    }

    void read(String source, boolean isKotlin) {
      Matcher name = PACKAGE.matcher(source);
      assertThat(name.find()).isTrue();
      Deque<Scope> scopes = new ArrayDeque<>();
      scopes.push(new Scope(-2, "package " + name.group(1), true));
      Matcher found = DECLARATION.matcher(source);
      for (int at = 0; found.find(at); ) {
        int indent = found.group(1).length();
        while (scopes.element().indent >= indent) scopes.pop();
        Scope around = scopes.element();
        String signature = signature(source, found.end(1), found.group(3).equals("type"));
        boolean isListed =
            around.isPublicType
                && indent == around.indent + 2
                && isPublic(found.group(2), isKotlin);
        String path = around.path + INSIDE + shown(signature);
        // Extensions are listed with their first public member.
        boolean isExtension = found.group(3).equals("extension");
        if (isListed && !isExtension) {
          paths.add(around.path);
          paths.add(path);
          checkDoc(shown(signature), docBefore(source, found.start()));
        }
        scopes.push(new Scope(indent, path, isListed && TYPES.contains(found.group(3))));
        at = found.end(1) + signature.length();
      }
    }

    private void checkDoc(String declaration, String doc) {
      boolean areProperties =
          PROPERTY
              .matcher(declaration)
              .results()
              .map(each -> each.group(1))
              .allMatch(each -> doc.contains(" " + each + " "));
      if (doc.isEmpty() || !areProperties) undocumented.add(declaration);
    }

    /** In Kotlin, whose compiler demands it, everything public says so. */
    private static boolean isPublic(String modifiers, boolean isKotlin) {
      if (isKotlin) return modifiers.contains("public");
      return !modifiers.matches(".*\\b(private|protected|override|import|export)\\b.*");
    }

    private static String docBefore(String source, int start) {
      int from = source.lastIndexOf("/**", start);
      if (from < 0) return "";
      Matcher doc = DOC.matcher(source).region(from, start);
      return doc.matches() ? doc.group(1) : "";
    }

    private static String shown(String signature) {
      String line = signature.replaceAll("\\s+", " ").replaceFirst("[: ]+$", "");
      return line.replaceAll("([(\\[]) ", "$1").replaceAll(",? ([)\\]])", "$1");
    }

    private static String signature(String source, int from, boolean isAlias) {
      int depth = 0;
      for (int i = from; i < source.length(); i++) {
        char c = source.charAt(i);
        if (depth == 0) {
          boolean isAssignment = !isAlias && source.startsWith(" =", i) && isSpace(source, i + 2);
          boolean isEnd = c == '\n' && !isContinued(source, i);
          if (c == '{' || isAssignment || isEnd) return source.substring(from, i);
        }
        if (c == '(' || c == '[' || c == '{') depth++;
        if (c == ')' || c == ']' || c == '}') depth--;
      }
      return source.substring(from);
    }

    private static boolean isSpace(String source, int i) {
      return Character.isWhitespace(source.charAt(i));
    }

    private static boolean isContinued(String source, int lineEnd) {
      return source.startsWith(",", lineEnd - 1)
          || source.startsWith(" :", lineEnd - 2)
          || CONTINUATION.matcher(source).region(lineEnd, source.length()).lookingAt();
    }
  }
}
