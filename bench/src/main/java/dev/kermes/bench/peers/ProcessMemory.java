package dev.kermes.bench.peers;

import dev.kermes.bench.harness.BenchmarkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of another process. */
public final class ProcessMemory {

  private ProcessMemory() {}

  /** Returns the resident memory; Linux only. */
  public static long resident(long pid) throws IOException {
    String[] pages = Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ");
    return Long.parseLong(pages[1]) * 4096;
  }

  /**
   * Returns the memory of the process and its children, each shared page counted once; Linux only.
   * A child that ends during the call is left out.
   */
  static long proportional(long pid) throws IOException {
    long bytes = proportionalOf(pid);
    for (ProcessHandle child :
        ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).toList()) {
      try {
        bytes += proportionalOf(child.pid());
      } catch (IOException e) {
        // The child has ended.
      }
    }
    return bytes;
  }

  private static long proportionalOf(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
      if (line.startsWith("Pss:")) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    }
    return 0;
  }

  /** Makes a JVM collect its garbage. */
  public static void collect(long pid) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.run")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) throw new BenchmarkException("jcmd cannot reach pid=" + pid);
  }
}
