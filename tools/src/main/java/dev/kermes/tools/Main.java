package dev.kermes.tools;

import dev.kermes.tools.metrics.MetricsServer;
import dev.kermes.tools.torture.EventsTortureProgram;
import dev.kermes.tools.torture.EvictionProgram;
import dev.kermes.tools.torture.FloodProgram;
import dev.kermes.tools.torture.TortureProgram;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The program {@code ./kermes} with all subcommands: chooses one. */
public final class Main {

  private static final String USAGE =
      "       kermes http | cluster | sentinel | events | torture, each with --help\n";

  private Main() {}

  public static void main(String[] args) {
    int status = run(args);
    if (status != 0) System.exit(status);
  }

  private static int run(String[] args) {
    String subcommand = args.length == 0 ? "" : args[0];
    if (args.length == 2 && args[1].equals("--help")) {
      String usage = usage(subcommand);
      if (usage != null) return print(usage);
    }
    String[] tail = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    return switch (subcommand) {
      case "http" -> HttpProgram.run(tail);
      case "cluster" -> ClusterProgram.run(tail);
      case "sentinel" -> SentinelProgram.run(tail);
      case "events" -> EventsProgram.run(tail);
      case "torture" -> TortureProgram.run(tail);
      case "--help", "-h", "help" -> print(dev.kermes.cli.Main.USAGE + USAGE);
      default -> runOther(args);
    };
  }

  private static int runOther(String[] args) {
    try (MetricsServer metrics = new MetricsServer()) {
      return dev.kermes.cli.Main.run(args, metrics::start);
    }
  }

  private static @Nullable String usage(String subcommand) {
    return switch (subcommand) {
      case "http" -> HttpProgram.USAGE;
      case "cluster" -> ClusterProgram.USAGE;
      case "sentinel" -> SentinelProgram.USAGE;
      case "events" -> EventsProgram.USAGE;
      case "torture" ->
          TortureProgram.USAGE
              + FloodProgram.USAGE
              + EvictionProgram.USAGE
              + EventsTortureProgram.USAGE;
      default -> null;
    };
  }

  private static int print(String text) {
    System.out.print(text);
    return 0;
  }
}
