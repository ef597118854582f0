package dev.kermes.cli.rediscli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.Ports;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import dev.kermes.testing.TestIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs ours and the installed redis-cli against a server that requires certificates. */
class CliTlsTest {

  @TempDir private static Path folder;

  private static RedisServer server;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    newIdentity("server");
    newIdentity("client");
    newIdentity("stranger");
    Path authorities = folder.resolve("both.crt");
    String both = Files.readString(folder.resolve("server.crt"));
    Files.writeString(authorities, both + Files.readString(folder.resolve("client.crt")));
    port = Ports.free();
    server =
        RedisServer.builder()
            .port(0)
            .option("tls-port", Integer.toString(port))
            .option("tls-cert-file", folder.resolve("server.crt").toString())
            .option("tls-key-file", folder.resolve("server.key").toString())
            .option("tls-ca-cert-file", authorities.toString())
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A key and its certificate as files in PEM. */
  private static void newIdentity(String name) throws Exception {
    TestIdentity.of(folder, name, "dns:" + name).writePem(folder, name);
  }

  /** The words of an option line, in which {@code @} is a placeholder for the folder. */
  private static List<String> words(String options) {
    List<String> words = new ArrayList<>(List.of("-p", Integer.toString(port)));
    words.addAll(List.of(options.replace("@", folder + "/").split(" ")));
    return words;
  }

  private static Result ours(String options) {
    return KermesCli.run(Map.of(), "", words(options));
  }

  private static Result theirs(String options) throws Exception {
    List<String> command = new ArrayList<>(List.of("redis-cli"));
    command.addAll(words(options));
    return Programs.installed("redis-tools", "", command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tls --cacert @server.crt --cert @client.crt --key @client.key ECHO hello",
        "--tls --insecure --cert @client.crt --key @client.key ECHO hello",
        "--tls --cacert @server.crt --cert @client.crt --key @client.key --sni some.host ECHO hello"
      })
  void bothSidesTrustEachOther_sameBytesAsRedisCli(String options) throws Exception {
    Result result = ours(options);
    assertThat(result).isEqualTo(new Result(0, "hello\n", ""));
    assertThat(result).isEqualTo(theirs(options));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tls --cacert @stranger.crt --cert @client.crt --key @client.key PING",
        "--tls --cert @client.crt --key @client.key PING",
        "--tls --cacert @server.crt --cert @stranger.crt --key @stranger.key PING",
        "--tls --cacert @server.crt PING",
        "PING"
      })
  void oneSideDoesNotTrustTheOther_sameStatusAsRedisCli(String options) throws Exception {
    Result result = ours(options);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).isNotBlank();
    assertThat(result.status()).isEqualTo(theirs(options).status()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tls --cacert @nosuch.crt PING",
        "--tls --cacert @server.key PING",
        "--tls --insecure --cert @client.crt --key @client.crt PING",
        "--tls --insecure --cert @client.key --key @client.key PING"
      })
  void badFile_isNamed(String options) {
    Result result = ours(options);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("bad certificate or key file: ");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void certificateWithoutKey_isRefused() {
    assertThat(ours("--tls --cert @client.crt PING"))
        .isEqualTo(new Result(1, "", "kermes: --cert and --key need each other\n"));
  }

  @Test
  void invalidServerName_isRefused() {
    Result result = ours("--tls --sni .. PING");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).startsWith("kermes: ");
  }
}
