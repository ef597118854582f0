package dev.kermes.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcessCpuTest {

  @Test
  void compilerSeconds_ofAJvm_arePartOfItsTime() {
    long own = ProcessHandle.current().pid();
    assertThat(ProcessCpu.compilerSeconds(own)).isPositive();
    assertThat(ProcessCpu.compilerSeconds(own)).isLessThan(ProcessCpu.seconds(own) + 1);
  }

  @Test
  void compilerSeconds_withoutProcess_areNone() {
    assertThat(ProcessCpu.compilerSeconds(0)).isZero();
    assertThat(ProcessCpu.compilerSeconds(Long.MAX_VALUE)).isZero();
  }
}
