package dev.kermes.tools.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TortureTest {

  @TempDir private Path folder;

  @ParameterizedTest(name = "{2} x {0}, appendfsync {1}")
  @CsvSource({
    "POWER_LOSS, always, 50",
    "POWER_LOSS, everysec, 6",
    "SLOW_POWER_LOSS, everysec, 4",
    "KILL, always, 8"
  })
  void killedServer_keepsAcknowledgedWrites(Torture.End end, String policy, int trials)
      throws Exception {
    Torture torture = new Torture(folder, policy, 4, 1);
    torture.run(end, trials);
    assertThat(torture.faults()).isEmpty();
    assertThat(torture.acknowledged()).isGreaterThan(trials);
  }

  @ParameterizedTest(name = "torture {0}: {1}")
  @CsvSource({
    "'', false",
    "--kills 3, false",
    "--clients 3, false",
    "--clients, true",
    "--clients --seconds 3, true"
  })
  void clients_withoutNumber_areAFlood(String options, boolean isFlood) {
    String[] args = options.isEmpty() ? new String[0] : options.split(" ");
    assertThat(TortureProgram.isFlood(args)).isEqualTo(isFlood);
  }

  @Test
  void data_afterOperations() {
    TortureData data = new TortureData("");
    assertThat(data.after(0)).containsOnly("", "[]", "{}");
    assertThat(data.after(17))
        .containsExactly(
            "9",
            "[1, 10]",
            "[11, 2]",
            "{field3=3, field5=12}",
            "{member2=13, member4=4}",
            "[5-1, 14-1]",
            "2",
            "16",
            "16",
            "17",
            "17");
  }
}
