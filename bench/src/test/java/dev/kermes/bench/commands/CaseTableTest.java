package dev.kermes.bench.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.server.RedisServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class CaseTableTest {

  private static final CaseTable TABLE = CaseTable.read();

  @Test
  void everyCommand_hasACaseOrAReasonForNone() {
    Set<String> covered = new TreeSet<>(TABLE.exempt().keySet());
    for (CommandCase each : TABLE.cases()) {
      for (CommandSpec command : each.commands()) covered.add(command.name());
    }
    List<String> forgotten = new ArrayList<>();
    for (CommandSpec spec : CommandTable.standard().all()) {
      if (spec.isCallable() && !covered.contains(spec.name())) forgotten.add(spec.name());
    }
    assertThat(forgotten).as("add a line to a file of cases, or to exempt.cases").isEmpty();
  }

  @Test
  void exemptCommands_exist() {
    assertThat(TABLE.exempt().keySet())
        .allMatch(name -> CommandTable.standard().find(name) != null);
  }

  @Test
  void labels_areUnique() {
    Set<String> seen = new HashSet<>();
    assertThat(TABLE.cases()).allMatch(each -> seen.add(each.label()));
  }

  /** One size of each, because the sizes differ in time only. */
  @Test
  void everyCase_embedded_repliesWithoutErrors() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
      Peer peer = Peer.running("embedded", address);
      CaseServer cases = new CaseServer(RunningServer.start(peer));
      Set<List<String>> seen = new HashSet<>();
      List<String> failures = new ArrayList<>();
      for (CommandCase each : TABLE.cases()) {
        if (!seen.add(each.lines())) continue;
        try {
          if (cases.prepare(each) == null) failures.add(each.label() + ": unknown command");
        } catch (BenchmarkException e) {
          failures.add(each.label() + ": " + e.getMessage());
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void prepare_errorReply_failsTheCase() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
      CaseServer cases = new CaseServer(RunningServer.start(Peer.running("embedded", address)));
      Size size = Size.of(1, 16, false);
      CommandCase wrong =
          new CommandCase("", DataSet.NONE, List.of("SET a 1", "LPUSH a 1"), size, 1);
      assertThatThrownBy(() -> cases.prepare(wrong))
          .isInstanceOf(BenchmarkException.class)
          .hasMessageContaining("WRONGTYPE");
    }
  }
}
