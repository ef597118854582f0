package dev.kermes.cli;

import dev.kermes.cli.rediscli.CliProgram;
import dev.kermes.cli.server.ServerProgram;
import dev.kermes.cli.text.Version;
import java.util.Arrays;

/** The program {@code ./kermes}: chooses the subcommand; without one it serves. */
public final class Main {

  public static final String USAGE =
      """
      usage: kermes [server] [redis.conf] [--option value ...]   serve, on port 6379 by default;
                                                                 --metrics-port N: for Prometheus
             kermes cli [options] [command [argument ...]]       talk to a server
             kermes check file                                   validate an RDB file
             kermes --version | [subcommand] --help
      """;

  private Main() {}

  public static void main(String[] args) {
    int status = run(args, ServerProgram.WITHOUT_METRICS);
    if (status != 0) System.exit(status);
  }

  /** Returns the exit status when the subcommand has ended. */
  public static int run(String[] args, ServerProgram.MetricsStarter metrics) {
    String first = args.length == 0 ? "server" : args[0];
    if (args.length == 2 && args[1].equals("--help") && !first.equals("cli")) {
      return print(first.equals("check") ? CheckProgram.USAGE : USAGE);
    }
    return switch (first) {
      case "--help", "-h", "help" -> print(USAGE);
      case "--version", "-v" -> print("Kermes " + Version.TEXT + "\n");
      case "server" -> ServerProgram.run(tail(args), metrics);
      case "cli" -> CliProgram.run(tail(args));
      case "check" -> CheckProgram.run(tail(args));
      default -> withoutSubcommand(first, args, metrics);
    };
  }

  private static int print(String text) {
    System.out.print(text);
    return 0;
  }

  /** As redis-server: a configuration file or options without a subcommand. */
  private static int withoutSubcommand(
      String first, String[] args, ServerProgram.MetricsStarter metrics) {
    if (first.startsWith("-") || first.endsWith(".conf")) return ServerProgram.run(args, metrics);
    System.err.println("kermes: unknown subcommand: name=" + first);
    System.err.print(USAGE);
    return 1;
  }

  private static String[] tail(String[] args) {
    return args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
  }
}
