package dev.kermes.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that the methods named in the JIT compiler's command file exist: a renamed one would
 * silently be compiled like any other.
 */
final class CompileCommandsTest {

  private static final String COMMAND = "dontinline ";

  @Test
  void methods_thatAreNamed_areThere() throws Exception {
    List<String> commands =
        Files.readAllLines(Path.of("src/main/jvm/compile-commands")).stream()
            .filter(line -> line.startsWith(COMMAND))
            .toList();
    assertThat(commands).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    for (String command : commands) {
      String[] method = command.substring(COMMAND.length()).split("::");
      assertThat(Arrays.stream(Class.forName(method[0]).getDeclaredMethods()).map(Method::getName))
          .as(command)
          .contains(method[1]);
    }
  }

  @Test
  void lines_areCommandsOrRemarks() throws Exception {
    assertThat(Files.readAllLines(Path.of("src/main/jvm/compile-commands")))
        .allMatch(line -> line.matches("|#.*|quiet|dontinline [\\w.$]+::\\w+"));
  }
}
