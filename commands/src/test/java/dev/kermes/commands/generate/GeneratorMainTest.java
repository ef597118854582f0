package dev.kermes.commands.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The modules that use the generated classes compile them; this test checks properties that a
 * compiler cannot see.
 */
final class GeneratorMainTest {
  private static final CommandTable TABLE = CommandTable.standard();

  @TempDir Path directory;

  @Test
  void serverDispatch_hasOneCasePerCallableRow() throws IOException {
    String text = generate("server-dispatch", "server/execution/CommandDispatch");
    for (CommandSpec spec : TABLE.all()) {
      String className = spec.family().className();
      assertThat(text).contains("import dev.kermes.server.command." + className + ";");
      String simpleName = className.substring(className.lastIndexOf('.') + 1);
      String call = " -> " + simpleName + "." + spec.methodName() + "(call);";
      String found = "case " + spec.id() + call;
      assertThat(text.contains(found)).as(found).isEqualTo(spec.isCallable());
    }
  }

  @Test
  void clientCommands_haveEveryRowButTheExceptions() throws IOException {
    String text = generate("client-commands", "client/Commands");
    for (CommandSpec spec : TABLE.all()) {
      boolean expected =
          spec.isCallable()
              && spec.isForClients()
              && !ClientCommandsTemplate.SERVED_BY_HAND.contains(spec.name());
      assertThat(text.contains("> " + spec.methodName() + "(")).as(spec.name()).isEqualTo(expected);
    }
    assertThat(ClientCommandsTemplate.SERVED_BY_HAND).allSatisfy(TABLE::require);
  }

  @Test
  void clientCommands_bodyWritesTheWireOrder() throws IOException {
    String text = generate("client-commands", "client/Commands");
    assertThat(body(text, "zinterstore(K destination, List<K> keys, ZinterstoreOptions options)"))
        .isEqualTo(
            """
            CommandBuilder out = CommandBuilder.of("ZINTERSTORE");
            out.key(keyCodec, destination);
            out.integer(keys.size());
            for (K each : keys) {
            out.key(keyCodec, each);
            }
            options.write1(out);
            return out.build(Replies.integer());
            """);
    assertThat(body(text, "configGet(List<String> parameters)"))
        .startsWith("CommandBuilder out = CommandBuilder.of(\"CONFIG\");\nout.token(\"GET\");\n");
  }

  @Test
  void main_secondRun_leavesFilesAlone() throws IOException {
    generate("client-commands", "client/Commands");
    Path file = directory.resolve("dev/kermes/client/Commands.java");
    FileTime past = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(file, past);
    generate("client-commands", "client/Commands");
    assertThat(Files.getLastModifiedTime(file)).isEqualTo(past);
  }

  @Test
  void main_deletesFilesThatItDoesNotWrite() throws IOException {
    Path stale = directory.resolve("dev/kermes/old/Commands.java");
    Files.createDirectories(stale.getParent());
    Files.writeString(stale, "package dev.kermes.old;");
    generate("client-commands", "client/Commands");
    assertThat(stale).doesNotExist();
  }

  @Test
  void main_wrongArguments_namesTheMistake() {
    assertThatThrownBy(() -> GeneratorMain.main(new String[] {"server-dispatch"}))
        .hasMessage("usage: GeneratorMain <target> <directory>");
    assertThatThrownBy(() -> GeneratorMain.main(new String[] {"tea", "."}))
        .hasMessage("unknown target: tea");
  }

  private String generate(String target, String file) throws IOException {
    GeneratorMain.main(new String[] {target, directory.toString()});
    return Files.readString(directory.resolve("dev/kermes/" + file + ".java"));
  }

  /** Returns the statements of a method without their indentation. */
  private static String body(String text, String head) {
    int start = text.indexOf('\n', text.indexOf(head)) + 1;
    return text.substring(start, text.indexOf("\n  }", start) + 1)
        .stripIndent()
        .replaceAll("(?m)^ +", "");
  }
}
