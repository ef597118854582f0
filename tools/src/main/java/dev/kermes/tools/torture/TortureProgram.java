package dev.kermes.tools.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiPredicate;
import java.util.logging.LogManager;

/**
 * The program {@code kermes torture}: kills servers and compares the surviving data; see {@link
 * Torture}.
 */
public final class TortureProgram {

  public static final String USAGE =
      """
      usage: kermes torture [--kills N] [--power-losses N] [--slow-power-losses N]
                            [--appendfsync POLICY] [--clients N] [--seed N]
             kermes torture --clients [--seconds N] [--heap SIZE,...] [--connections N]
                                      [--victims NAME,...]
             kermes torture --eviction [--seconds N] [--heap SIZE] [--rate N] [--seed N]
             kermes torture --events [--faults N] [--kinds NAME,...] [--servers KIND | --url URL]
                                     [--members N] [--lease MILLIS] [--parallel N]
      """;

  private int kills = 50;
  private int powerLosses = 50;
  private int slowPowerLosses;
  private String policy = "always";
  private int clients = 8;
  private long seed = 1;

  private TortureProgram() {}

  /** Returns 0 if no protected write was lost. */
  public static int run(String[] args) {
    String first = args.length > 0 ? args[0] : "";
    if (first.equals("--eviction")) return EvictionProgram.run(tail(args));
    if (isFlood(args)) return FloodProgram.run(tail(args));
    if (first.equals("--events")) return EventsTortureProgram.run(tail(args));
    TortureProgram program = new TortureProgram();
    return execute(args, USAGE, program::set, program::run);
  }

  /** Whether {@code --clients} is a form of the program rather than an option with a number. */
  static boolean isFlood(String[] args) {
    if (args.length == 0 || !args[0].equals("--clients")) return false;
    return args.length == 1 || args[1].startsWith("--");
  }

  private static String[] tail(String[] args) {
    return Arrays.copyOfRange(args, 1, args.length);
  }

  /** The work of a program, after its options are set; returns its exit status. */
  interface Work {
    int run() throws IOException, InterruptedException;
  }

  /**
   * Sets a program's options and does its work; shows the usage or an error instead if that fails.
   */
  static int execute(String[] args, String usage, BiPredicate<String, String> set, Work work) {
    try {
      if (parse(args, set)) return work.run();
      System.err.print(usage);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("kermes: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  /** Passes on pairs of an option and its value; false if one is unknown or not a number. */
  private static boolean parse(String[] args, BiPredicate<String, String> set) {
    try {
      for (int i = 0; i < args.length; i += 2) {
        if (i + 1 == args.length || !set.test(args[i], args[i + 1])) return false;
      }
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private boolean set(String option, String value) {
    switch (option) {
      case "--kills" -> kills = Integer.parseInt(value);
      case "--power-losses" -> powerLosses = Integer.parseInt(value);
      case "--slow-power-losses" -> slowPowerLosses = Integer.parseInt(value);
      case "--appendfsync" -> policy = value;
      case "--clients" -> clients = Integer.parseInt(value);
      case "--seed" -> seed = Long.parseLong(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  private int run() throws IOException, InterruptedException {
    LogManager.getLogManager().reset(); // a killed server logs a lot
    boolean isSound = run(Torture.End.POWER_LOSS, powerLosses);
    isSound &= run(Torture.End.SLOW_POWER_LOSS, slowPowerLosses);
    isSound &= run(Torture.End.KILL, kills);
    return isSound ? 0 : 1;
  }

  private boolean run(Torture.End end, int trials) throws IOException, InterruptedException {
    if (trials == 0) return true;
    Path folder = Files.createTempDirectory("kermes-torture");
    Torture torture = new Torture(folder, policy, clients, seed);
    torture.run(end, trials);
    System.out.printf(
        "%s: trials=%d, appendfsync=%s, acknowledged=%d, lost=%d, lost=%d ms at most, faults=%d%n",
        end,
        trials,
        policy,
        torture.acknowledged(),
        torture.lost(),
        torture.lostMillisMax(),
        torture.faults().size());
    torture.faults().forEach(System.out::println);
    System.out.println("files: " + folder);
    return torture.faults().isEmpty();
  }
}
