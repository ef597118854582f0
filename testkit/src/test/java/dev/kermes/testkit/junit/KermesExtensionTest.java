package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testkit.TestServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KermesExtensionTest extends ExtensionContract {

  @Override
  List<Class<?>> shared() {
    return List.of(Samples.EachTest.class, Samples.EachClass.class);
  }

  @Override
  List<Class<?>> different() {
    return List.of(Samples.EachTest.class, Samples.OwnServer.class, Samples.Registered.class);
  }

  @Override
  List<Class<?>> atTheSameTime() {
    return List.of(Samples.Left.class, Samples.Right.class);
  }

  @Override
  Class<?> failing() {
    return Samples.Failing.class;
  }

  @Test
  void wrongOption_isExplained() {
    SampleRun run = SampleRun.of(Samples.WrongOption.class);
    assertThat(run.failures())
        .singleElement()
        .satisfies(failure ->
            assertThat(failure).hasMessage("an option is a name and a value: option=maxmemory"));
  }

  @Test
  void server_beforeTheFirstTest_isRefused() {
    KermesExtension extension = KermesExtension.of(TestServer.builder());
    assertThatThrownBy(extension::server)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no test has begun");
  }

  /** The build puts the oldest JUnit that is supported into a folder. */
  @Test
  void samples_passWithJUnit5() throws IOException, InterruptedException {
    String ours =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> !Path.of(each).getFileName().toString().startsWith("junit-"))
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    ours + File.pathSeparator + "target/junit-oldest/*",
                    SampleRun.class.getName()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("passed: 18");
  }
}
