package dev.kermes.cli.rediscli;

import dev.kermes.cli.reply.ReplyFormat;
import dev.kermes.client.RedisOptions;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code kermes cli}, which are redis-cli's; the words after them are the command.
 */
final class CliOptions {

  /** The requests of the user other than commands. */
  enum Request {
    RUN,
    HELP,
    VERSION
  }

  /** The tool that runs instead of a command. */
  enum Tool {
    SCAN,
    BIG_KEYS,
    MEMORY_KEYS,
    STAT,
    LATENCY,
    PIPE,
    EVAL,
    RDB
  }

  Request request = Request.RUN;
  @Nullable Tool tool;

  /** The file of --eval or --rdb. */
  String file = "";

  /** The pattern of keys that --scan, --bigkeys and --memkeys visit. */
  @Nullable String pattern;

  /** The approximate number of keys in a page. */
  int scanCount = 100;

  /** The number of elements that MEMORY USAGE samples; 0: all. */
  int memorySamples = 5;

  /** The time that --pipe waits for replies after the end of its input; 0: forever. */
  int pipeTimeoutSeconds = 30;

  /** Whether the program follows MOVED and ASK. */
  boolean followsRedirections;

  boolean asksForPassword;
  String host = "127.0.0.1";
  int port = 6379;

  /** The URL of -u; null: host and port. */
  @Nullable SocketAddress urlAddress;

  final CliTls tls = new CliTls();
  @Nullable String user;
  @Nullable String password;
  int database;

  /** 3 with -3 or --json, otherwise 2. */
  int protocol = 2;

  /** The number of times the command runs; negative: forever. */
  long repeat = 1;

  long intervalMillis;
  boolean readsLastArgument;

  /** The format of replies; null: chosen by the output. */
  @Nullable ReplyFormat form;

  boolean failsOnError;
  boolean warnsOfPassword = true;
  private boolean hasProtocol;

  /** The command's words: the arguments from this index on. */
  int commandFrom;

  private CliOptions() {}

  /**
   * Parses options up to the first word that is not an option.
   *
   * @throws IllegalArgumentException with the line to print
   */
  static CliOptions parse(List<String> arguments, Map<String, String> environment) {
    CliOptions options = new CliOptions();
    int i = 0;
    while (i < arguments.size() && arguments.get(i).startsWith("-")) {
      String name = arguments.get(i);
      boolean isLast = i + 1 == arguments.size();
      if (options.flag(name, isLast)) {
        i++;
      } else if (!isLast && options.valued(name, arguments.get(i + 1))) {
        i += 2;
      } else {
        throw new IllegalArgumentException(
            "Unrecognized option or bad number of args for: '" + name + "'");
      }
    }
    options.commandFrom = i;
    String contradiction = options.tls.contradiction();
    if (contradiction != null) throw new IllegalArgumentException(contradiction);
    options.warnsOfPassword &= options.password != null;
    if (options.password == null) options.password = environment.get("REDISCLI_AUTH");
    if (options.form == ReplyFormat.JSON && !options.hasProtocol) options.protocol = 3;
    return options;
  }

  private boolean flag(String name, boolean isLast) {
    switch (name) {
      case "--help" -> request = Request.HELP;
      case "-h" -> {
        if (!isLast) return false;
        request = Request.HELP;
      }
      case "-v", "--version" -> request = Request.VERSION;
      case "-2" -> protocol(2);
      case "-3" -> protocol(3);
      case "-x" -> readsLastArgument = true;
      case "--raw" -> form = ReplyFormat.RAW;
      case "--no-raw" -> form = ReplyFormat.TERMINAL;
      case "--csv" -> form = ReplyFormat.CSV;
      case "--json" -> form = ReplyFormat.JSON;
      case "-e" -> failsOnError = true;
      case "-c" -> followsRedirections = true;
      case "--askpass" -> asksForPassword = true;
      case "--scan" -> tool = Tool.SCAN;
      case "--bigkeys" -> tool = Tool.BIG_KEYS;
      case "--memkeys" -> tool = Tool.MEMORY_KEYS;
      case "--stat" -> tool = Tool.STAT;
      case "--latency" -> tool = Tool.LATENCY;
      case "--pipe" -> tool = Tool.PIPE;
      case "--tls" -> tls.isOn = true;
      case "--insecure" -> tls.isInsecure = true;
      case "--no-auth-warning" -> warnsOfPassword = false;
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean valued(String name, String value) {
    switch (name) {
      case "-h" -> host = value;
      case "-p" -> port = port(value);
      case "-u" -> url(value);
      case "-s" -> urlAddress = UnixDomainSocketAddress.of(value);
      case "--eval" -> tool(Tool.EVAL, value);
      case "--rdb" -> tool(Tool.RDB, value);
      case "--pattern" -> pattern = value;
      case "--count" -> scanCount = (int) number("Invalid count", value, 1, Integer.MAX_VALUE);
      case "--memkeys-samples" -> {
        tool = Tool.MEMORY_KEYS;
        memorySamples = (int) number("Invalid number of samples", value, 0, Integer.MAX_VALUE);
      }
      case "--pipe-timeout" ->
          pipeTimeoutSeconds = (int) number("Invalid timeout", value, 0, Integer.MAX_VALUE);
      case "-a", "--pass" -> password = value;
      case "--user" -> user = value;
      case "-n" -> database = (int) number("Invalid database number", value, 0, Integer.MAX_VALUE);
      case "-r" -> repeat = number("Invalid repeat count", value, Long.MIN_VALUE, Long.MAX_VALUE);
      case "-i" -> intervalMillis = interval(value);
      case "--cacert" -> tls.caFile = value;
      case "--cert" -> tls.certFile = value;
      case "--key" -> tls.keyFile = value;
      case "--sni" -> tls.serverName = new SNIHostName(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void tool(Tool chosen, String fileName) {
    tool = chosen;
    file = fileName;
  }

  private void protocol(int version) {
    protocol = version;
    hasProtocol = true;
  }

  private void url(String url) {
    RedisOptions parsed = RedisOptions.url(url).build();
    urlAddress = parsed.address();
    tls.isOn |= parsed.usesTls();
    if (parsed.user() != null) user = parsed.user();
    if (parsed.password() != null) password = parsed.password();
    database = parsed.database();
    if (urlAddress instanceof InetSocketAddress internet) {
      host = internet.getHostString();
      port = internet.getPort();
    }
  }

  static int port(String value) {
    return (int) number("Invalid server port", value, 1, 65_535);
  }

  private static long number(String what, String value, long min, long max) {
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) return number;
    } catch (NumberFormatException e) {
      // The line below reports it.
    }
    throw new IllegalArgumentException(what + ": " + value);
  }

  /** Parses seconds, optionally with a fraction. */
  private static long interval(String value) {
    try {
      double seconds = Double.parseDouble(value);
      if (seconds >= 0 && seconds < 1e9) return (long) (seconds * 1000);
    } catch (NumberFormatException e) {
      // The line below reports it.
    }
    throw new IllegalArgumentException("Invalid interval: " + value);
  }
}
