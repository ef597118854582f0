package dev.kermes.bench.commands;

import dev.kermes.bench.load.LoadGenerator;
import dev.kermes.bench.peers.ProcessCpu;
import java.time.Duration;

/**
 * The warm-up of a case: it ends when the JIT compilers of the server have hardly anything to do,
 * which for a server without any is the shortest time.
 *
 * @param least the shortest time
 * @param most the longest time
 */
record CompilerRest(long pid, Duration least, Duration most) implements LoadGenerator.WarmUp {

  private static final Duration SLICE = Duration.ofMillis(100);

  /** One alone may be the pause before the code of a slow command is hot. */
  private static final int QUIET_SLICES = 2;

  /** The share of a CPU below which the compilers are at rest. */
  private static final double SHARE_MAX = 0.05;

  @Override
  public void await() throws InterruptedException {
    long began = System.nanoTime();
    Thread.sleep(least);
    double before = ProcessCpu.compilerSeconds(pid);
    if (before == 0) return;
    int quiet = 0;
    while (quiet < QUIET_SLICES && System.nanoTime() - began < most.toNanos()) {
      Thread.sleep(SLICE);
      double now = ProcessCpu.compilerSeconds(pid);
      quiet = now - before < SHARE_MAX * SLICE.toMillis() / 1e3 ? quiet + 1 : 0;
      before = now;
    }
  }
}
