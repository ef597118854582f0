package dev.kermes.server.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cluster commands: known, and refused as by a Redis without cluster support. */
final class ClusterCommandsTest extends CommandTest {

  private static final String DISABLED = "-ERR This instance has cluster support disabled";

  @Test
  void clusterCommands_areRefusedAsWithoutACluster() throws IOException {
    for (String command :
        List.of(
            "CLUSTER INFO",
            "CLUSTER HELP",
            "CLUSTER KEYSLOT a",
            "CLUSTER COUNT-FAILURE-REPORTS n",
            "CLUSTER SETSLOT 1 STABLE",
            "ASKING",
            "READONLY",
            "READWRITE")) {
      assertThat(call(command)).as(command).isEqualTo(DISABLED);
    }
    assertThat(call("CLUSTER FOO")).isEqualTo("-ERR unknown subcommand 'FOO'. Try CLUSTER HELP.");
    assertThat(call("CLUSTER KEYSLOT"))
        .isEqualTo("-ERR wrong number of arguments for 'cluster|keyslot' command");
  }

  @Test
  void readonly_ofAClientThatKnowsRedirects_isTaken() throws IOException {
    assertThat(call("CLIENT CAPA redirect")).isEqualTo("+OK");
    assertThat(call("READONLY")).isEqualTo("+OK");
    assertThat(call("READWRITE")).isEqualTo("+OK");
  }

  @Test
  void clusterCommands_areKnownToRulesAndToCommand() throws IOException {
    assertThat(call("ACL SETUSER u on +@all -cluster +cluster|slots -asking -restore-asking"))
        .isEqualTo("+OK");
    assertThat(call("ACL GETUSER u"))
        .contains("+@all -cluster +cluster|slots -asking -restore-asking");
    assertThat(call("COMMAND INFO asking")).startsWith("*1[*10[$6:asking, :1, *1[+fast]");
    assertThat(call("COMMAND GETKEYS RESTORE-ASKING k 0 v")).isEqualTo("*1[$1:k]");
    assertThat(call("COMMAND INFO cluster")).contains("$29:cluster|count-failure-reports");
  }

  @Test
  void restoreAsking_restores() throws IOException {
    call("SET a 1");
    String dump = socket.call("DUMP", "a").payload();
    assertThat(socket.call("RESTORE-ASKING", "b", "0", dump)).hasToString("+OK");
    assertThat(call("GET b")).isEqualTo("$1:1");
  }
}
