package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads the sources of the exported packages: everything public has Javadoc, and is listed in the
 * module's {@code api.txt}, so that a review sees each change of an API. With {@code
 * -Dkermes.docs.rewrite=true} it writes the listings instead; see {@link #HOW_TO_REWRITE}.
 */
class PublicApiTest {

  static final String HOW_TO_REWRITE =
      "docs/contributing/add-a-language-method.md says how to write it anew";

  private static final Path ROOT = Path.of("..");
  private static final Pattern EXPORT = Pattern.compile("(?m)^\\s*exports\\s+([\\w.]+)\\s*;");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "client",
        "client-json",
        "client-micrometer",
        "commands",
        "events",
        "events-amqp",
        "groovy",
        "http",
        "lua",
        "net",
        "reactor",
        "reactor-micrometer",
        "resp",
        "server",
        "spring",
        "spring-boot3-test",
        "testkit",
        "testkit-spock"
      })
  void listing_isThatOfTheSources(String module) throws IOException {
    Path page = ROOT.resolve(module + "/api.txt");
    Api api = read(module);
    String listing = api.listing();
    if (System.getProperty("kermes.docs.rewrite") != null) Files.writeString(page, listing);
    assertThat(listing).isNotEmpty();
    assertThat(page).as(HOW_TO_REWRITE).content().isEqualTo(listing);
    assertThat(api.undocumented).isEmpty();
  }

  @Test
  void javadocThatIsMissing_isFound() throws IOException {
    Path folder = Files.createTempDirectory("kermes-api");
    Path source = folder.resolve("Example.java");
    Files.writeString(
        source,
        """
        package example;
        /** Has a doc. */
        public final class Example {
          /** Has one. */
          public int count;
          public void act(String word) {}
          void hidden() {}
        }
        """);
    Api api = new Api();
    api.read(List.of(source));
    assertThat(api.undocumented).containsExactly("example.Example: public void act(String word)");
    assertThat(api.listing())
        .isEqualTo(
            """
            public final class example.Example
              public int count
              public void act(String word)
            """);
  }

  private static Api read(String module) throws IOException {
    Path sources = ROOT.resolve(module + "/src/main/java");
    Path descriptor = sources.resolve("module-info.java");
    Set<String> exported =
        Files.exists(descriptor)
            ? EXPORT
                .matcher(Files.readString(descriptor))
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toSet())
            : packages(sources);
    List<Path> files = new ArrayList<>();
    for (Path root : List.of(sources, ROOT.resolve(module + "/target/generated-sources"))) {
      if (!Files.exists(root)) continue;
      try (Stream<Path> all = Files.walk(root)) {
        all.filter(file -> isIn(file, exported)).forEach(files::add);
      }
    }
    Api api = new Api();
    api.read(files);
    return api;
  }

  private static Set<String> packages(Path sources) throws IOException {
    try (Stream<Path> all = Files.walk(sources)) {
      return all.filter(file -> file.toString().endsWith(".java"))
          .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
          .collect(Collectors.toSet());
    }
  }

  private static boolean isIn(Path file, Set<String> packages) {
    if (!file.toString().endsWith(".java")) return false;
    if (file.endsWith("module-info.java") || file.endsWith("package-info.java")) return false;
    String folder = file.resolveSibling("").toString().replace('/', '.');
    return packages.stream().anyMatch(name -> folder.endsWith("." + name));
  }

  /** The public elements of some sources. */
  private static final class Api {

    final List<String> undocumented = new ArrayList<>();

    /** The members of each type, by the type's line. */
    private final Map<String, Set<String>> members = new TreeMap<>();

    String listing() {
      StringBuilder lines = new StringBuilder();
      members.forEach((type, each) -> {
        lines.append(type).append('\n');
        each.forEach(member -> lines.append("  ").append(member).append('\n'));
      });
      return lines.toString();
    }

    void read(List<Path> files) throws IOException {
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
        JavacTask task =
            (JavacTask)
                compiler.getTask(
                    null,
                    manager,
                    null,
                    List.of(),
                    null,
                    manager.getJavaFileObjectsFromPaths(files));
        DocTrees docs = DocTrees.instance(task);
        for (CompilationUnitTree unit : task.parse()) new Scanner(docs).scan(unit, null);
      }
    }

    private final class Scanner extends TreePathScanner<Void, Void> {

      private final DocTrees docs;

      /** The line of each type, by its name. */
      private final Map<String, String> heads = new TreeMap<>();

      Scanner(DocTrees docs) {
        this.docs = docs;
      }

      @Override
      public Void visitClass(ClassTree type, Void unused) {
        if (!isPublic(type.getModifiers())) return null;
        note(head(type), name(getCurrentPath()), null);
        return super.visitClass(type, null);
      }

      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        boolean isOverride =
            method.getModifiers().getAnnotations().stream()
                .anyMatch(each -> each.getAnnotationType().toString().equals("Override"));
        if (isPublic(method.getModifiers()) && !isOverride && !isRecordsOwn(method)) {
          note(signature(method), name(getCurrentPath().getParentPath()), method);
        }
        return null; // what is inside is not public
      }

      @Override
      public Void visitVariable(VariableTree field, Void unused) {
        boolean isComponent = field.getModifiers().getFlags().contains(Modifier.PRIVATE);
        if (!isComponent && isPublic(field.getModifiers())) {
          String line = flags(field.getModifiers()) + field.getType() + " " + field.getName();
          note(line, name(getCurrentPath().getParentPath()), field);
        }
        return null;
      }

      /** The canonical constructor that the compiler adds to a record has no source position. */
      private boolean isRecordsOwn(MethodTree method) {
        return docs.getSourcePositions()
                .getEndPosition(getCurrentPath().getCompilationUnit(), method)
            < 0;
      }

      private boolean isPublic(ModifiersTree modifiers) {
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        boolean isInInterface =
            parent instanceof ClassTree type
                && (type.getKind() == Tree.Kind.INTERFACE
                    || type.getKind() == Tree.Kind.ANNOTATION_TYPE);
        Set<Modifier> flags = modifiers.getFlags();
        boolean isHidden = flags.contains(Modifier.PRIVATE);
        return flags.contains(Modifier.PUBLIC)
            || flags.contains(Modifier.PROTECTED)
            || isInInterface && !isHidden;
      }

      private void note(String line, String type, @Nullable Tree member) {
        String shown = SPACE.matcher(line).replaceAll(" ").strip();
        boolean isConstant = member instanceof VariableTree && isInEnum();
        if (docs.getDocComment(getCurrentPath()) == null && !isConstant) {
          undocumented.add(member == null ? shown : type + ": " + shown);
        }
        if (member == null) members.put(shown, new TreeSet<>());
        else Objects.requireNonNull(members.get(heads.get(type))).add(shown);
      }

      /** The doc of an enum may cover its constants, whose names often say all. */
      private boolean isInEnum() {
        return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.ENUM;
      }

      private String head(ClassTree type) {
        String kind =
            switch (type.getKind()) {
              case INTERFACE -> "interface";
              case ENUM -> "enum";
              case RECORD -> "record";
              case ANNOTATION_TYPE -> "@interface";
              default -> "class";
            };
        String name = name(getCurrentPath());
        StringBuilder line = new StringBuilder(flags(type.getModifiers()) + kind + " " + name);
        if (!type.getTypeParameters().isEmpty())
          line.append(joined("<", type.getTypeParameters(), ">"));
        if (type.getKind() == Tree.Kind.RECORD) line.append(components(type));
        if (type.getExtendsClause() != null) line.append(" extends " + type.getExtendsClause());
        if (!type.getImplementsClause().isEmpty()) {
          line.append(joined(" implements ", type.getImplementsClause(), ""));
        }
        String head = SPACE.matcher(line).replaceAll(" ").strip();
        heads.put(name, head);
        return head;
      }

      private String components(ClassTree record) {
        return record.getMembers().stream()
            .filter(each -> each instanceof VariableTree)
            .map(each -> (VariableTree) each)
            .filter(each -> !each.getModifiers().getFlags().contains(Modifier.STATIC))
            .map(each -> each.getType() + " " + each.getName())
            .collect(Collectors.joining(", ", "(", ")"));
      }

      private String signature(MethodTree method) {
        StringBuilder line = new StringBuilder(flags(method.getModifiers()));
        if (!method.getTypeParameters().isEmpty()) {
          line.append(joined("<", method.getTypeParameters(), "> "));
        }
        if (method.getReturnType() == null) line.append(simpleName());
        else line.append(method.getReturnType()).append(' ').append(method.getName());
        line.append(
            method.getParameters().stream()
                .map(each -> each.getType() + " " + each.getName())
                .collect(Collectors.joining(", ", "(", ")")));
        if (!method.getThrows().isEmpty()) line.append(joined(" throws ", method.getThrows(), ""));
        return line.toString();
      }

      private String simpleName() {
        return ((ClassTree) getCurrentPath().getParentPath().getLeaf()).getSimpleName().toString();
      }

      private static String flags(ModifiersTree modifiers) {
        return modifiers.getFlags().stream().map(flag -> flag + " ").collect(Collectors.joining());
      }

      private static String joined(String before, List<? extends Tree> trees, String after) {
        return trees.stream().map(Tree::toString).collect(Collectors.joining(", ", before, after));
      }

      /** The name of a type with its package and enclosing types. */
      private static String name(TreePath path) {
        List<String> names = new ArrayList<>();
        for (Tree tree : path) {
          if (tree instanceof ClassTree type) names.add(type.getSimpleName().toString());
          if (tree instanceof CompilationUnitTree unit)
            names.add(unit.getPackage().getPackageName().toString());
        }
        Collections.reverse(names);
        return String.join(".", names);
      }
    }
  }
}
