package dev.kermes.bench.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The CPU time of a process and all its threads, user and system, as the operating system counts
 * it.
 */
public final class ProcessCpu {

  /** Linux's USER_HZ, which is 100 on every architecture that matters. */
  private static final double TICKS_PER_SECOND = 100;

  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

  private ProcessCpu() {}

  /**
   * Returns the CPU time of the whole machine, including time that a hypervisor took away, but
   * without interrupts: on loopback those are the measured traffic.
   */
  public static double machineSeconds() {
    try (var lines = Files.lines(Path.of("/proc/stat"), StandardCharsets.ISO_8859_1)) {
      // cpu user nice system idle iowait irq softirq steal guest ...; guest is within user.
      String[] fields = lines.findFirst().orElse("").split(" +");
      double ticks = 0;
      for (int i : new int[] {1, 2, 3, 8}) ticks += Double.parseDouble(fields[i]);
      return ticks / TICKS_PER_SECOND;
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  public static double ownSeconds() {
    return seconds(ProcessHandle.current().pid());
  }

  /**
   * Returns the CPU time of the JIT compilers of a JVM; 0 for other processes. The kernel cuts the
   * threads' names to 15 letters.
   */
  public static double compilerSeconds(long pid) {
    if (pid <= 0) return 0;
    double seconds = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        String name = Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1);
        if (COMPILER.matcher(name).lookingAt()) seconds += threadSeconds(thread);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return seconds; // a thread ended in the meantime, or there is no /proc
    }
    return seconds;
  }

  /** The first number of schedstat is the time on a CPU in nanoseconds. */
  private static double threadSeconds(Path thread) throws IOException {
    String[] fields = Files.readString(thread.resolve("schedstat")).split(" ");
    return Long.parseLong(fields[0]) / 1e9;
  }

  /** Returns NaN if there is no such process, or no /proc. */
  public static double seconds(long pid) {
    if (pid <= 0) return Double.NaN;
    try {
      String stat =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      // The name, in parentheses, may contain blanks; after it, state is field 3, utime 14, stime
      // 15.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
