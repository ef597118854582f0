package dev.kermes.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts a server with configuration files of distributions, images and charts. */
class ConfigurationFilesTest {

  @TempDir private Path folder;

  private Path file(String name) throws IOException {
    try (InputStream in = getClass().getResourceAsStream("configurations/" + name + ".conf")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
      Path file = folder.resolve(name + ".conf");
      return Files.writeString(file, text.replace("@", folder.toString()));
    }
  }

  private static RedisServer start(String... arguments) {
    return ServerProgram.builder(ServerOptions.parse(arguments, InputStream.nullInputStream()))
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"debian-redis-7.0", "debian-redis-8.0", "debian-valkey-9.1", "tuned"})
  void file_ofAnInstallation_startsAServer(String name) throws IOException {
    try (RedisServer server = start(file(name).toString())) {
      assertThat(server.port()).isPositive();
      assertThat(server.ignoredOptions()).isSubsetOf("bio-cpulist", "replica-lazy-flush");
    }
  }

  @Test
  void include_onTheCommandLine_appliesInOrder() throws IOException {
    Path common = Files.writeString(folder.resolve("common.conf"), "maxmemory 1mb\ntimeout 7\n");
    List<ServerOptions.Option> options =
        ServerOptions.parse(
            new String[] {"--timeout", "1", "--include", common.toString(), "--maxmemory", "2mb"},
            InputStream.nullInputStream());
    assertThat(ServerOptions.lastValue(options, "timeout")).isEqualTo("7");
    assertThat(ServerOptions.lastValue(options, "maxmemory")).isEqualTo("2mb");
  }

  @Test
  void include_ofAPattern_readsAllThatMatchInOrder() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("conf.d/x"));
    Files.writeString(folder.resolve("conf.d/20.conf"), "timeout 20\n");
    Files.writeString(folder.resolve("conf.d/10.conf"), "timeout 10\n");
    Files.writeString(folder.resolve("conf.d/.30.conf"), "timeout 30\n");
    Files.writeString(inner.resolve("a.conf"), "timeout 40\n");
    assertThat(included(folder + "/conf.d/*.conf")).containsExactly("10", "20");
    assertThat(included(folder + "/conf.d/[1]?.conf")).containsExactly("10");
    assertThat(included(folder + "/*/x/*.conf")).containsExactly("40");
    assertThat(included(folder + "/none.d/*.conf")).isEmpty();
    assertThat(included(folder + "/conf.d/*.txt")).isEmpty();
    assertThatThrownBy(() -> included(folder + "/none.conf"))
        .hasMessageStartingWith("no such configuration file: ");
  }

  private static List<String> included(String path) {
    return ServerOptions.parseFile("f", "include " + path + "\n").stream()
        .map(ServerOptions.Option::value)
        .toList();
  }

  @Test
  void missingDir_isRefusedAtTheStart() throws IOException {
    Path file = Files.writeString(folder.resolve("a.conf"), "port 0\ndir /no/such/folder\n");
    assertThatThrownBy(() -> start(file.toString()))
        .hasMessage(
            file + ":2: bad option: name=dir, value=/no/such/folder, No such file or directory");
    assertThatThrownBy(() -> start("--port", "0", "--dir", file.toString()))
        .hasMessageEndingWith("Not a directory");
  }

  @Test
  void clusterAndSyslog_enabled_areRefused() {
    for (String name : List.of("cluster-enabled", "syslog-enabled")) {
      assertThatThrownBy(() -> start("--port", "0", "--" + name, "yes"))
          .hasMessageContaining("must be one of the following: no");
    }
  }
}
