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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KermesExtensionTest {

  @BeforeEach
  void forgetPorts() {
    Samples.PORTS.clear();
  }

  @Test
  void classesOneAfterAnother_shareAServer() {
    SampleRun run = SampleRun.of(Samples.EachTest.class, Samples.EachClass.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(6);
    assertThat(Samples.PORTS).hasSize(1);
  }

  @Test
  void classesWithOptions_haveAServerOfTheirOwn() {
    SampleRun run =
        SampleRun.of(Samples.EachTest.class, Samples.OwnServer.class, Samples.Registered.class);
    assertThat(run.failures()).isEmpty();
    assertThat(Samples.PORTS).hasSize(3);
  }

  @Test
  void classesAtTheSameTime_haveAServerEach() {
    SampleRun run = SampleRun.of(Samples.Left.class, Samples.Right.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(4);
    assertThat(Samples.PORTS).hasSize(2);
  }

  @Test
  void failure_hasTheReport() {
    SampleRun run = SampleRun.of(Samples.Failing.class);
    assertThat(run.failures())
        .singleElement()
        .satisfies(failure ->
            assertThat(failure.getSuppressed())
                .singleElement()
                .asString()
                .contains("SET visits one -> OK")
                .contains("INCR visits -> (error) ERR value is not an integer")
                .contains("visits: string"));
    assertThat(run.reports()).singleElement().asString().contains("SET visits one -> OK");
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
    assertThat(output).contains("passed: 16");
  }
}
