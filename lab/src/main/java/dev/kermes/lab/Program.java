package dev.kermes.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Other programs on this machine. */
final class Program {

  private Program() {}

  /** The first line of a program's version output, or "not installed". */
  static String version(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return "not installed";
    }
    try (var out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }
  }
}
