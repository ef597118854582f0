package dev.kermes.cli;

import java.util.Arrays;

/** {@code ./kermes}: chooses the subcommand; without one it serves. */
public final class Main {

  private static final String USAGE =
      """
      usage: kermes [server] [redis.conf] [--option value ...]   serve, on port 6379 by default
             kermes cli [options] [command [argument ...]]       talk to a server
             kermes bench [name] [options]                       measure against others
             kermes test                                         build and run every test
             kermes --version | --help
      """;

  private Main() {}

  public static void main(String[] args) {
    int status = run(args);
    if (status != 0) System.exit(status);
  }

  private static int run(String[] args) {
    String first = args.length == 0 ? "server" : args[0];
    switch (first) {
      case "--help", "-h", "help" -> {
        System.out.print(USAGE);
        return 0;
      }
      case "--version", "-v" -> {
        System.out.println("Kermes " + Version.TEXT);
        return 0;
      }
      case "server" -> {
        return ServerProgram.run(tail(args));
      }
      default -> {
        // Redis's way: a configuration file or options, without a subcommand.
        boolean isServer = first.startsWith("-") || first.endsWith(".conf");
        if (isServer) return ServerProgram.run(args);
        System.err.println("kermes: unknown subcommand: name=" + first);
        System.err.print(USAGE);
        return 1;
      }
    }
  }

  private static String[] tail(String[] args) {
    return args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
  }
}
