package dev.kermes.commands.generate;

import dev.kermes.commands.CommandTable;
import java.io.IOException;
import java.nio.file.Path;

/** Runs a generator: {@code GeneratorMain <target> <directory>}. */
public final class GeneratorMain {
  private GeneratorMain() {}

  /**
   * Writes the sources of a target.
   *
   * @param args the target, {@code server-dispatch}, {@code client-commands} or the name of a
   *     language, and the directory
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("usage: GeneratorMain <target> <directory>");
    }
    generate(args[0], Path.of(args[1]));
  }

  private static void generate(String target, Path directory) throws IOException {
    CommandTable table = CommandTable.standard();
    switch (target) {
      case "server-dispatch" -> ServerDispatchTemplate.write(table, directory);
      case "client-commands" -> ClientCommandsTemplate.write(table, directory);
      case "kotlin" -> KotlinTemplate.write(table, directory);
      case "scala" -> ScalaTemplate.write(table, directory);
      case "groovy" -> GroovyTemplate.write(table, directory);
      default -> throw new IllegalArgumentException("unknown target: " + target);
    }
  }
}
