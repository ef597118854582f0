package dev.kermes.commands.generate;

import dev.kermes.commands.CommandTable;
import java.io.IOException;
import java.nio.file.Path;

/** Runs a generator: {@code GeneratorMain <target> <directory>}. */
public final class GeneratorMain {
  private GeneratorMain() {}

  /**
   * Writes the sources of a target, and deletes everything else in the directory.
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
    OutputFolder.Writer writer =
        switch (target) {
          case "server-dispatch" ->
              fresh -> ServerDispatchTemplate.write(CommandTable.sentinel(), fresh);
          case "client-commands" ->
              fresh -> {
                ClientCommandsTemplate.write(table, fresh);
                CommandFactsTemplate.write(table, fresh);
              };
          case "kotlin" -> fresh -> KotlinTemplate.write(table, fresh);
          case "scala" -> fresh -> ScalaTemplate.write(table, fresh);
          case "groovy" -> fresh -> GroovyTemplate.write(table, fresh);
          default -> throw new IllegalArgumentException("unknown target: " + target);
        };
    OutputFolder.replace(directory, writer);
  }
}
