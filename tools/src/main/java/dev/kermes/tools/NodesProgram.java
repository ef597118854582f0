package dev.kermes.tools;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The parts that the programs share which serve several nodes from this process. */
final class NodesProgram {

  /** The log of all nodes, without their messages about replication. */
  private static final Logger LOG = Logger.getLogger("dev.kermes");

  /** The option of programs that take {@link NodeOrders}; its value is {@code stdin}. */
  static final String ORDERS = "--orders";

  private NodesProgram() {}

  /** Returns the exit status of a program, which is 1 after a message about a mistake. */
  static int run(List<String> args, Function<List<String>, Integer> program) {
    try {
      return program.apply(args);
    } catch (IllegalArgumentException | UncheckedIOException e) {
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
  }

  /** Hands over each option, with its dashes, and its value. */
  static void parse(List<String> args, String usage, BiConsumer<String, String> options) {
    for (int i = 0; i < args.size(); i += 2) {
      String word = args.get(i);
      if (!word.startsWith("--")) {
        throw new IllegalArgumentException("unknown argument: " + word + "\n" + usage);
      }
      if (i + 1 == args.size()) throw new IllegalArgumentException("value missing: option=" + word);
      options.accept(word, args.get(i + 1));
    }
  }

  static int number(String option, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number: " + option + "=" + value, e);
    }
  }

  /** Whether the options ask for orders. */
  static boolean takesOrders(List<String> args) {
    return args.contains(ORDERS);
  }

  static void requireStdin(String value) {
    if (value.equals("stdin")) return;
    throw new IllegalArgumentException("orders come from stdin: " + ORDERS + "=" + value);
  }

  /** Leaves out messages below errors; before the nodes start. */
  static void quieten() {
    LOG.setLevel(Level.SEVERE);
  }

  /**
   * Serves until the process is told to end.
   *
   * @param close ends the nodes
   * @param lines to print, since the nodes are ready
   */
  static int serve(Runnable close, List<String> lines) {
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  close.run();
                  ended.countDown();
                  Runtime.getRuntime().halt(0);
                },
                "kermes-stop"));
    lines.forEach(System.out::println);
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }
}
