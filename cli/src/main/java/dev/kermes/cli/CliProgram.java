package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code kermes cli}: redis-cli's options, output forms and habits. Runs one command, the commands
 * of a pipe, or a prompt. Classes of the prompt are loaded only for it.
 */
final class CliProgram {

  private static final String USAGE =
      """
      usage: kermes cli [options] [command [argument ...]]

        -h <host>          server's host name (default: 127.0.0.1)
        -p <port>          server's port (default: 6379)
        -u <url>           redis://, rediss:// or redis-socket:// instead of host and port
        -a, --pass <text>  password; the environment's REDISCLI_AUTH is safer
        --user <name>      ACL user, with -a
        -n <number>        database
        --tls              encrypt, as rediss:// does
        --cacert <file>    trust whom this certificate vouches for, whatever host it names
        --insecure         trust everybody
        --cert <file>      our certificate
        --key <file>       its key, PKCS 8
        --sni <name>       server name to ask for
        -2, -3             protocol RESP2 (default) or RESP3
        -r <count>         run the command so many times; -1: for ever
        -i <seconds>       wait between the times
        -x                 last argument from standard input
        -e                 exit with status 1 if the reply is an error
        --raw, --no-raw    output for pipes, or for people, wherever it goes
        --csv, --json      output in that form; --json asks for RESP3
        --no-auth-warning  no warning about a password on the command line
        --version, --help

      Without a command: a prompt, or commands from standard input, one per line.
      History: ~/.kermes_history, or the file of KERMES_HISTFILE (empty: none).
      """;

  private final InputStream in;
  private final OutputStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  /** Streams of its own, for tests. */
  CliProgram(InputStream in, OutputStream out, PrintStream err, Map<String, String> environment) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  /** On the standard streams; returns the exit status. */
  static int run(String[] args) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    return new CliProgram(System.in, out, System.err, System.getenv())
        .run(RawArguments.of(args), Terminals.isInput(), Terminals.isOutput());
  }

  /** Runs with arguments as bytes; returns the exit status. */
  int run(List<byte[]> arguments, boolean isInputTerminal, boolean isOutputTerminal) {
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
      return 1; // nobody reads what we print
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
        OutputForm form = options.form;
        if (form == null) form = isOutputTerminal ? OutputForm.TERMINAL : OutputForm.RAW;
        List<byte[]> command = arguments.subList(options.commandFrom, arguments.size());
        boolean hasCommand = !command.isEmpty() || options.readsLastArgument;
        try (CliSession session = new CliSession(options, form, !hasCommand, out, err)) {
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
    new CliLines(session).runAll(in);
  }
}
