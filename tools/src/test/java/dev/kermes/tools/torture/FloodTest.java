package dev.kermes.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.rediscli.CliConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Floods servers with small heaps by hostile clients. How long a well-behaved client waits depends
 * on the machine, and is for {@code ./kermes torture --clients} to judge.
 */
class FloodTest {

  @TempDir private Path folder;

  @Test
  void smallHeap_floodedByClients_keepsServingAndReleasesMemory() throws Exception {
    assertHolds(new ServerFlood(folder, "64m", 2000));
  }

  @Test
  void smallHeap_ofAnApplication_floodedByClients_keepsServingAndReleasesMemory() throws Exception {
    assertHolds(new SiteFlood(folder, "128m", 500));
  }

  private static void assertHolds(Flood flood) throws Exception {
    flood.run(8);
    assertThat(flood.faults())
        .filteredOn(fault -> !fault.contains("waited"))
        .as(flood.report())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SETRANGE a 400000000 x",
        "SETBIT a 4294967295 1",
        "BITFIELD a SET u8 4000000000 1",
        "EVAL redis.call('SETRANGE',KEYS[1],400000000,'x') 1 a"
      })
  void commandThatRunsOutOfMemory_changesNothing(String command) throws Exception {
    FloodVictim victim = FloodVictim.start(folder, "100m");
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), victim.port());
    try (CliConnection client = CliConnection.open(address)) {
      assertThat(ask(client, "AUTH", FloodVictim.PASSWORD)).isEqualTo("OK");
      assertThat(ask(client, command.split(" "))).contains("OOM command not allowed");
      assertThat(ask(client, "EXISTS", "a")).isEqualTo("0");
      assertThat(ask(client, "SET", "a", "1")).isEqualTo("OK");
    } finally {
      victim.end();
    }
  }

  private static String ask(CliConnection client, String... words) throws IOException {
    client.send(TortureData.words(words));
    return client.receive().string();
  }
}
