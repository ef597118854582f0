package dev.kermes.cli.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Paths with {@code *}, {@code ?} and {@code [...]} in their names, as in a shell. */
final class PathPattern {

  private PathPattern() {}

  static boolean isPattern(String path) {
    return path.chars().anyMatch(each -> each == '*' || each == '?' || each == '[');
  }

  /** Returns the matching files, in the order of their names; an empty result is not an error. */
  static List<String> expand(String pattern) throws IOException {
    List<String> found = List.of(pattern.startsWith("/") ? "/" : "");
    for (String name : pattern.split("/+")) {
      if (!name.isEmpty()) found = within(found, name);
    }
    return found;
  }

  private static List<String> within(List<String> folders, String name) throws IOException {
    List<String> found = new ArrayList<>();
    for (String folder : folders) {
      String start = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
      if (!isPattern(name)) {
        if (Files.exists(Path.of(start + name))) found.add(start + name);
      } else {
        for (String each : matching(folder, name)) found.add(start + each);
      }
    }
    return found;
  }

  private static List<String> matching(String folder, String name) throws IOException {
    List<String> names = new ArrayList<>();
    if (!Files.isDirectory(Path.of(folder))) return names;
    // Braces have no meaning in a shell's glob.
    String glob = name.replace("{", "\\{").replace("}", "\\}");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(folder), glob)) {
      for (Path file : files) names.add(String.valueOf(file.getFileName()));
    }
    if (!name.startsWith(".")) names.removeIf(each -> each.startsWith("."));
    names.sort(null);
    return names;
  }
}
