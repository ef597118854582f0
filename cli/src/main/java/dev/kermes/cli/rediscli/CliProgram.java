package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.reply.ReplyFormat;
import dev.kermes.cli.text.Version;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The program {@code kermes cli}: redis-cli's options, output formats and habits. It runs one
 * command, the commands of a pipe, or a prompt. Classes of the prompt are loaded only for it.
 */
public final class CliProgram {

  private static final String USAGE =
      """
      usage: kermes cli [options] [command [argument ...]]

        -h <host>          server's host name (default: 127.0.0.1)
        -p <port>          server's port (default: 6379)
        -s <socket>        unix socket instead of host and port
        -u <url>           redis://, rediss:// or redis-socket:// instead of host and port
        -a, --pass <text>  password; the environment's REDISCLI_AUTH is safer
        --askpass          ask for the password, without showing it
        --user <name>      ACL user, with -a
        -n <number>        database
        --tls              encrypt, as rediss:// does
        --cacert <file>    trust servers that this authority confirms, for any host name
        --insecure         trust every server
        --cert <file>      our certificate
        --key <file>       its key, PKCS 8
        --sni <name>       server name to request
        -2, -3             protocol RESP2 (default) or RESP3
        -r <count>         run the command this many times; -1: forever
        -i <seconds>       wait between the repetitions
        -x                 last argument from standard input
        -c                 follow the redirections of a cluster
        -e                 exit with status 1 if the reply is an error
        --raw, --no-raw    output for pipes, or for people, wherever it is written
        --csv, --json      output in that format; --json requests RESP3
        --no-auth-warning  no warning about a password on the command line
        --version, --help

      Instead of a command:
        --scan             list the keys, by SCAN
        --bigkeys          the largest keys of each type by elements or bytes, and averages
        --memkeys          the keys that take most memory; --memkeys-samples <n>: sampled elements
        --pattern <glob>   the keys that --scan, --bigkeys and --memkeys visit
        --count <n>        keys per page (default: 100)
        --stat             a line on the server's keys, memory and load each second, or each -i
        --latency          the time of PINGs; for one second, or -i, if the output is not a terminal
        --pipe             send requests from standard input unchanged; --pipe-timeout <seconds>
        --eval <file>      run a script: --eval file key1 key2 , argument1
        --rdb <file>       save the server's data set to a file; - for standard output

      Without a command: a prompt, or commands from standard input, one per line.
      History: ~/.kermes_history, or the file of KERMES_HISTFILE (empty: none).
      """;

  private final InputStream in;
  private final OutputStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  /** Creates a program with given streams, for tests. */
  public CliProgram(
      InputStream in, OutputStream out, PrintStream err, Map<String, String> environment) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  /** Runs on the standard streams; returns the exit status. */
  public static int run(String[] args) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    return new CliProgram(System.in, out, System.err, System.getenv())
        .run(RawArguments.of(args), TerminalEnds.isInput(), TerminalEnds.isOutput());
  }

  /** Runs with arguments as bytes; returns the exit status. */
  public int run(List<byte[]> arguments, boolean isInputTerminal, boolean isOutputTerminal) {
    List<String> texts = new ArrayList<>();
    for (byte[] argument : arguments) texts.add(new String(argument, UTF_8));
    CliOptions options;
    try {
      options = CliOptions.parse(texts, environment);
    } catch (IllegalArgumentException e) {
      err.println("kermes: " + e.getMessage());
      return 1;
    }
    try {
      return run(options, arguments, isInputTerminal, isOutputTerminal);
    } catch (CliExit e) {
      return e.status();
    } catch (IOException e) {
      return 1; // the reader of our output has gone
    }
  }

  private int run(
      CliOptions options, List<byte[]> arguments, boolean isInputTerminal, boolean isOutputTerminal)
      throws IOException {
    switch (options.request) {
      case HELP -> out.write(USAGE.getBytes(UTF_8));
      case VERSION -> out.write(("kermes cli " + Version.TEXT + "\n").getBytes(UTF_8));
      case RUN -> {
        if (options.warnsOfPassword) warnOfPassword();
        if (options.asksForPassword) options.password = askForPassword(isInputTerminal);
        ReplyFormat form = options.form;
        if (form == null) form = isOutputTerminal ? ReplyFormat.TERMINAL : ReplyFormat.RAW;
        List<byte[]> command = arguments.subList(options.commandFrom, arguments.size());
        boolean hasCommand =
            options.tool != null || !command.isEmpty() || options.readsLastArgument;
        try (CliSession session = new CliSession(options, form, !hasCommand, out, err)) {
          if (options.tool != null) return runTool(options.tool, session, options, command);
          if (hasCommand) return runOne(session, options, command);
          runLines(session, isInputTerminal && isOutputTerminal);
        }
      }
    }
    return 0;
  }

  private void warnOfPassword() {
    err.println(
        "Warning: Using a password with '-a' or '-u' option on the command line interface may not"
            + " be safe.");
  }

  @SuppressWarnings("SystemConsoleNull") // it may be null up to JDK 21
  private String askForPassword(boolean isInputTerminal) {
    Console console = isInputTerminal ? System.console() : null;
    char[] password = console == null ? null : console.readPassword("Password: ");
    if (password != null) return new String(password);
    err.println("kermes: --askpass needs a terminal");
    throw new CliExit(1);
  }

  private int runTool(
      CliOptions.Tool tool, CliSession session, CliOptions options, List<byte[]> arguments)
      throws IOException {
    switch (tool) {
      case SCAN -> new KeyScan(session, options).print();
      case BIG_KEYS, MEMORY_KEYS -> new BigKeys(session, options).report();
      case STAT -> new ServerStats(session, options).run();
      case LATENCY -> new LatencyProbe(session, options).run();
      case PIPE -> {
        return new PipeMode(session, options, err).run(in) ? 0 : 1;
      }
      case EVAL -> {
        return runOne(session, options, evaluation(options.file, arguments));
      }
      case RDB -> new RdbDownload(session, err).to(options.file, out);
    }
    return 0;
  }

  /**
   * Runs EVAL with the source in a file; a comma as a separate word separates keys and arguments.
   */
  private List<byte[]> evaluation(String file, List<byte[]> arguments) {
    int keys = 0;
    while (keys < arguments.size() && !isComma(arguments.get(keys))) keys++;
    List<byte[]> words = new ArrayList<>();
    words.add("EVAL".getBytes(UTF_8));
    words.add(source(file));
    words.add(Integer.toString(keys).getBytes(UTF_8));
    for (byte[] argument : arguments) if (!isComma(argument)) words.add(argument);
    return words;
  }

  private static boolean isComma(byte[] argument) {
    return argument.length == 1 && argument[0] == ',';
  }

  private byte[] source(String file) {
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      err.println("Can't open file '" + file + "': " + e.getMessage());
      throw new CliExit(1);
    }
  }

  private int runOne(CliSession session, CliOptions options, List<byte[]> command)
      throws IOException {
    List<byte[]> words = new ArrayList<>(command);
    if (options.readsLastArgument) words.add(in.readAllBytes());
    return session.run(words, options.repeat) ? 0 : 1;
  }

  private void runLines(CliSession session, boolean hasPrompt) throws IOException {
    if (hasPrompt) {
      new Shell(session, environment).run();
      return;
    }
    session.connect();
    new CliLineRunner(session).runAll(in);
  }
}
