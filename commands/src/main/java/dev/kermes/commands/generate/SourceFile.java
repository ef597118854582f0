package dev.kermes.commands.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Java source file under construction: text by lines, indented by braces. */
final class SourceFile {
  private final String packageName;
  private final String className;
  private final StringBuilder text = new StringBuilder();
  private int depth;

  SourceFile(String packageName, String className) {
    this.packageName = packageName;
    this.className = className;
    line("// Generated from the command table; changes here are lost.");
    line("package " + packageName + ";");
    line("");
  }

  /** Adds a line; one that ends with a brace opens a level, one that starts with one closes it. */
  void line(String line) {
    if (line.startsWith("}")) {
      depth--;
    }
    text.append(line.isEmpty() ? "" : "  ".repeat(depth)).append(line).append('\n');
    if (line.endsWith("{")) {
      depth++;
    }
  }

  /** Writes the file, unless it is there already with the same text. */
  void writeTo(Path directory) throws IOException {
    Path folder = directory.resolve(packageName.replace('.', '/'));
    Path file = folder.resolve(className + ".java");
    Files.createDirectories(folder);
    if (!Files.exists(file) || !Files.readString(file).contentEquals(text)) {
      Files.writeString(file, text);
    }
  }
}
