package dev.kermes.tools.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program {@code kermes torture --eviction}; see {@link Eviction}. */
public final class EvictionProgram {

  public static final String USAGE =
      """
      usage: kermes torture --eviction [--seconds N] [--heap SIZE] [--rate N] [--seed N]

        --seconds N  how long the server is written to (3600)
        --heap SIZE  its heap, as for -Xmx (256m)
        --rate N     commands a second; 0 for as many as possible (0)
        --seed N     of the commands (1)

      Exits with 1 if the server ended or ran out of memory, refused a command, evicted nothing, or
      had a full collection of more than 100 ms.
      """;

  private int seconds = 3600;
  private String heap = "256m";
  private int rate;
  private long seed = 1;

  private EvictionProgram() {}

  /** Returns 0 if the server lived through all writes. */
  static int run(String[] args) {
    EvictionProgram program = new EvictionProgram();
    return TortureProgram.execute(args, USAGE, program::set, program::run);
  }

  private boolean set(String option, String value) {
    switch (option) {
      case "--seconds" -> seconds = Integer.parseInt(value);
      case "--heap" -> heap = value;
      case "--rate" -> rate = Integer.parseInt(value);
      case "--seed" -> seed = Long.parseLong(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  private int run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("kermes-eviction");
    Eviction eviction = new Eviction(folder, heap, rate, seed);
    eviction.run(seconds);
    System.out.println("eviction, heap=" + heap + ": " + eviction.report());
    eviction.faults().forEach(System.out::println);
    System.out.println("files: " + folder);
    return eviction.faults().isEmpty() ? 0 : 1;
  }
}
