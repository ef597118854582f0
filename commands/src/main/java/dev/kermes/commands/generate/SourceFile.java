package dev.kermes.commands.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A source file under construction, line by line, indented by braces. */
final class SourceFile {
  private final String packageName;
  private final String fileName;
  private final StringBuilder text = new StringBuilder();
  private int depth;

  /** Creates a Java file. */
  SourceFile(String packageName, String className) {
    this(packageName, className + ".java", ";");
  }

  /** Creates a file of any language, whose package line ends with {@code terminator}. */
  SourceFile(String packageName, String fileName, String terminator) {
    this.packageName = packageName;
    this.fileName = fileName;
    line("// Generated from the command table; changes here are lost.");
    line("package " + packageName + terminator);
    line("");
  }

  /**
   * Adds a line. A line that ends with a brace opens a level; one that starts with a brace closes
   * it.
   */
  void line(String line) {
    if (line.startsWith("}")) {
      depth--;
    }
    text.append(line.isEmpty() ? "" : "  ".repeat(depth)).append(line).append('\n');
    if (line.endsWith("{")) {
      depth++;
    }
  }

  /** Writes the file. */
  void writeTo(Path directory) throws IOException {
    Path folder = directory.resolve(packageName.replace('.', '/'));
    Path file = folder.resolve(fileName);
    Files.createDirectories(folder);
    Files.writeString(file, text);
  }
}
