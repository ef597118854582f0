package dev.kermes.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine of the measurement, in one line. */
public final class MachineDescription {

  private MachineDescription() {}

  public static String describe() {
    return "%s, %d cores, %s, %s %s, JDK %s"
        .formatted(
            valueOf("/proc/cpuinfo", "model name"),
            Runtime.getRuntime().availableProcessors(),
            memory(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            Runtime.version());
  }

  private static String memory() {
    String kilobytes = valueOf("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "");
    return kilobytes.isEmpty() ? "memory unknown" : (Long.parseLong(kilobytes) >> 20) + " GiB";
  }

  private static String valueOf(String file, String name) {
    try {
      for (String line : Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(name)) return line.substring(line.indexOf(':') + 1).trim();
      }
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
    return System.getProperty("os.arch");
  }
}
