package dev.kermes.commands.generate;

import dev.kermes.commands.CommandFamily;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the server's dispatch: {@code dev.kermes.server.execution.CommandDispatch}.
 *
 * <p>One switch on the id of a command, whose cases call the handlers directly: {@code
 * SetCommands.sadd(call)}, {@code ClientCommands.clientNoEvict(call)}. A row without a handler does
 * not compile. Containers have no case; their id throws.
 *
 * <p>A case takes eight bytes of code including its entry in the switch's table. HotSpot does not
 * compile methods beyond 8000 bytes, so the ids are distributed to methods of {@link #CASES_MAX}
 * cases.
 */
public final class ServerDispatchTemplate {
  private static final int CASES_MAX = 256;
  private static final String PACKAGE = "dev.kermes.server.execution";

  /** The package below which each family has its own. */
  private static final String HANDLERS = "dev.kermes.server.command";

  private final SourceFile out = new SourceFile(PACKAGE, "CommandDispatch");
  private final List<CommandSpec> specs;

  private ServerDispatchTemplate(CommandTable table) {
    this.specs = table.all();
  }

  /** Writes the class below a source directory. */
  public static void write(CommandTable table, Path directory) throws IOException {
    ServerDispatchTemplate template = new ServerDispatchTemplate(table);
    template.file();
    template.out.writeTo(directory);
  }

  private void file() {
    imports();
    out.line("");
    out.line("/** Calls the handler of a command by its id in the command table. */");
    out.line("final class CommandDispatch {");
    out.line("private CommandDispatch() {}");
    out.line("");
    entry();
    for (int start = 0; start < specs.size(); start += CASES_MAX) {
      out.line("");
      part(start, Math.min(start + CASES_MAX, specs.size()));
    }
    out.line("}");
  }

  private void imports() {
    Set<String> names = new TreeSet<>(List.of("Call"));
    for (CommandSpec spec : specs) {
      names.add(spec.family().className());
    }
    for (String name : names) {
      out.line("import %s.%s;".formatted(HANDLERS, name));
    }
  }

  private void entry() {
    out.line("static void execute(int id, Call call) {");
    for (int start = CASES_MAX; start < specs.size(); start += CASES_MAX) {
      out.line("if (id < %d) {".formatted(start));
      out.line("execute%d(id, call);".formatted(start - CASES_MAX));
      out.line("return;");
      out.line("}");
    }
    out.line("execute%d(id, call);".formatted((specs.size() - 1) / CASES_MAX * CASES_MAX));
    out.line("}");
  }

  private void part(int start, int end) {
    out.line("private static void execute%d(int id, Call call) {".formatted(start));
    out.line("switch (id) {");
    for (CommandSpec spec : specs.subList(start, end)) {
      if (spec.isCallable()) {
        String handler = simpleName(spec.family()) + "." + spec.methodName();
        out.line("case %d -> %s(call);".formatted(spec.id(), handler));
      }
    }
    out.line("default -> throw new IllegalArgumentException(\"no handler: id=\" + id);");
    out.line("}");
    out.line("}");
  }

  private static String simpleName(CommandFamily family) {
    String name = family.className();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
