package dev.kermes.tools.repository;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The modules of the repository: the sources, and the classes of all modules that have been
 * compiled. Tests count only in {@link #filesByPackage}. A build of everything compiles this module
 * last.
 */
final class Modules {

  private static final Path ROOT = Path.of("..");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+)");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?(dev\\.kermes(?:\\.[a-z]\\w*)*)\\.");

  /** The source files, by the path of their package below the folder of the language. */
  private static final Map<Path, String> SOURCES = readSources();

  private static final Set<String> SOURCE_NAMES =
      SOURCES.keySet().stream().map(Modules::pathInLanguage).collect(Collectors.toSet());

  private Modules() {}

  /** Reads our classes only: reading those of the libraries, too, would take a minute. */
  static JavaClasses readClasses() {
    return readClasses(folders("target/classes"));
  }

  /** Reads the classes of one module. */
  static JavaClasses readClassesOf(String module) {
    return readClasses(List.of(ROOT.resolve(module).resolve("target/classes")));
  }

  private static JavaClasses readClasses(List<Path> folders) {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter().importPaths(folders);
  }

  /** The folders of that name in all modules. */
  static List<Path> folders(String name) {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules.map(each -> each.resolve(name)).filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<Path, String> readSources() {
    Map<Path, String> sources = new TreeMap<>();
    for (Path file : sourcesIn("src/main")) {
      try {
        sources.put(file, Files.readString(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sources;
  }

  /** The source files below the folder of that name in each module. */
  private static List<Path> sourcesIn(String name) {
    List<Path> sources = new ArrayList<>();
    for (Path folder : folders(name)) {
      try (Stream<Path> files = Files.walk(folder)) {
        sources.addAll(files.filter(Modules::isSource).toList());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sources;
  }

  private static boolean isSource(Path file) {
    return file.toString().matches(".*\\.(java|kt|scala|clj)");
  }

  /** The path below {@code src/main/LANGUAGE}, such as {@code dev/kermes/cli/Main.java}. */
  private static String pathInLanguage(Path file) {
    return file.toString().replaceFirst("^.*?/src/main/\\w+/", "");
  }

  /** Returns the number of source files in each folder, tests included. */
  static Map<String, Integer> filesByPackage() {
    Map<String, Integer> files = new TreeMap<>();
    for (String folder : List.of("src/main", "src/test")) {
      for (Path file : sourcesIn(folder)) {
        files.merge(file.toString().replaceFirst("/[^/]*$", ""), 1, Integer::sum);
      }
    }
    return files;
  }

  /** Whether a class is in the sources, rather than generated. */
  static boolean isWritten(JavaClass each) {
    String file = each.getSource().flatMap(source -> source.getFileName()).orElse("");
    return SOURCE_NAMES.contains(each.getPackageName().replace('.', '/') + "/" + file);
  }

  /**
   * Returns the packages that each package uses. Class files tell all uses except those of
   * constants, which the compiler copies; imports tell these.
   */
  static Map<String, Set<String>> usesOfPackages(JavaClasses classes) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : classes) {
      Set<String> used = uses.computeIfAbsent(each.getPackageName(), name -> new TreeSet<>());
      for (Dependency one : each.getDirectDependenciesFromSelf()) {
        used.add(one.getTargetClass().getBaseComponentType().getPackageName());
      }
    }
    for (String source : SOURCES.values()) {
      Matcher name = PACKAGE.matcher(source);
      if (!name.find()) continue;
      Matcher imported = IMPORT.matcher(source);
      Set<String> used = uses.computeIfAbsent(name.group(1), key -> new TreeSet<>());
      while (imported.find()) used.add(imported.group(1));
    }
    uses.forEach((name, used) -> used.remove(name));
    return uses;
  }

  /** Returns a cycle of packages, or an empty list. */
  static List<String> findCycle(Map<String, Set<String>> uses) {
    Map<String, Set<String>> left = new TreeMap<>(uses);
    left.replaceAll((name, used) -> new TreeSet<>(used));
    boolean shrinks = true;
    while (shrinks) {
      left.values().forEach(used -> used.retainAll(left.keySet()));
      shrinks = left.values().removeIf(Set::isEmpty);
    }
    List<String> path = new ArrayList<>();
    if (left.isEmpty()) return path;
    String at = left.keySet().iterator().next();
    while (!path.contains(at)) {
      path.add(at);
      at = left.getOrDefault(at, Set.of()).iterator().next();
    }
    return path.subList(path.indexOf(at), path.size());
  }
}
