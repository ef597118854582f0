package dev.kermes.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of another process. */
final class ProcessMemory {

  private ProcessMemory() {}

  /** What it has in main memory; Linux only. */
  static long resident(long pid) throws IOException {
    String[] pages = Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ");
    return Long.parseLong(pages[1]) * 4096;
  }

  /** Has a JVM collect its garbage. */
  static void collect(long pid) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.run")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) throw new BenchmarkException("jcmd cannot reach pid=" + pid);
  }
}
