package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.reply.PrintBuffer;
import dev.kermes.cli.reply.Reply;
import dev.kermes.cli.reply.ReplyFormat;
import dev.kermes.resp.ProtocolException;
import dev.kermes.resp.ReplyType;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection and its state (database, transaction). Runs commands and prints their replies.
 * Owned by one thread, except {@link #interrupt}.
 */
final class CliSession implements Closeable {

  /** The limit of redirections, as in redis-cli: a cluster that exceeds it is inconsistent. */
  private static final int REDIRECTIONS_MAX = 16;

  private final CliOptions options;
  private final ReplyFormat form;
  private final OutputStream out;
  private final PrintStream err;

  /** Whether lines are being read: a lost connection is then reopened, once for each command. */
  private final boolean reconnects;

  private volatile @Nullable CliConnection connection;
  private volatile boolean isInterrupted;
  private int database;
  private int databaseBeforeMulti;
  private boolean isInMulti;
  private boolean isShuttingDown;
  private int redirections;

  CliSession(
      CliOptions options, ReplyFormat form, boolean reconnects, OutputStream out, PrintStream err) {
    this.options = options;
    this.form = form;
    this.reconnects = reconnects;
    this.out = out;
    this.err = err;
    this.database = options.database;
  }

  ReplyFormat form() {
    return form;
  }

  /** Whether the output goes to a terminal in its usual format. */
  private boolean isForAReader() {
    return form == ReplyFormat.TERMINAL && options.form == null;
  }

  // ---- connecting

  /** Connects and logs in; prints the reason if that fails. */
  void connect() {
    close();
    isInMulti = false;
    SocketAddress address = options.urlAddress;
    if (address == null) address = InetSocketAddress.createUnresolved(options.host, options.port);
    try {
      CliConnection fresh = CliConnection.open(address, options.tls);
      connection = fresh;
      greet(fresh);
    } catch (IOException | ProtocolException e) {
      close();
      err.println("Could not connect to Redis at " + place() + ": " + reason(e));
    }
  }

  /**
   * Returns the connection, for tools; if there is none, prints the reason and ends the program.
   */
  CliConnection connected() {
    if (connection == null) connect();
    CliConnection now = connection;
    if (now == null) throw new CliExit(1);
    return now;
  }

  /** Runs a command for a tool; an error is printed and ends the program. */
  Reply call(String... words) {
    CliConnection now = connected();
    try {
      Reply reply = ask(now, words);
      if (!reply.isError()) return reply;
      err.println("Error: " + reply.string());
    } catch (IOException | ProtocolException e) {
      lost(e);
    }
    throw new CliExit(1);
  }

  /** Runs commands in one batch for a tool; errors are among the replies. */
  List<Reply> callAll(List<List<byte[]>> commands) {
    CliConnection now = connected();
    List<Reply> replies = new ArrayList<>();
    try {
      for (List<byte[]> command : commands) now.send(command);
      while (replies.size() < commands.size()) replies.add(now.receive());
    } catch (IOException | ProtocolException e) {
      lost(e);
    }
    return replies;
  }

  /** Connects to another server. */
  void connectTo(String host, int port) {
    options.urlAddress = null;
    options.host = host;
    options.port = port;
    connect();
  }

  /** Sends AUTH, SELECT and HELLO. A refusal is printed, and the connection stays open. */
  private void greet(CliConnection fresh) throws IOException {
    String password = options.password;
    if (password != null) {
      String user = options.user;
      Reply reply =
          user == null ? ask(fresh, "AUTH", password) : ask(fresh, "AUTH", user, password);
      if (reply.isError()) {
        err.println("AUTH failed: " + reply.string());
        return;
      }
    }
    if (database != 0) select(fresh);
    if (options.protocol == 3) {
      Reply reply = ask(fresh, "HELLO", "3");
      if (reply.isError()) err.println("HELLO 3 failed: " + reply.string());
    }
  }

  private void select(CliConnection fresh) throws IOException {
    Reply reply = ask(fresh, "SELECT", Integer.toString(database));
    if (!reply.isError()) return;
    err.println("SELECT " + database + " failed: " + reply.string());
    database = 0;
  }

  private static Reply ask(CliConnection connection, String... words) throws IOException {
    List<byte[]> command = new ArrayList<>();
    for (String word : words) command.add(word.getBytes(UTF_8));
    connection.send(command);
    return connection.receive();
  }

  private String place() {
    if (options.urlAddress instanceof UnixDomainSocketAddress unix) return unix.toString();
    String host = options.host;
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + options.port;
  }

  private static String reason(Exception e) {
    if (e instanceof UnknownHostException) return "Name or service not known";
    String message = e.getMessage();
    boolean isPlain =
        e instanceof SSLException
            && message != null
            && message.contains("unrecognized SSL message");
    if (isPlain) return "the server does not speak TLS";
    return message == null ? e.toString() : message;
  }

  /** Returns host, database and transaction: {@code 127.0.0.1:6379[1](TX)> }. */
  String prompt() {
    if (connection == null) return "not connected> ";
    return place() + (database == 0 ? "" : "[" + database + "]") + (isInMulti ? "(TX)" : "") + "> ";
  }

  /** Ends the running command by closing its connection. Any thread. */
  void interrupt() {
    isInterrupted = true;
    close();
  }

  @Override
  public void close() {
    CliConnection now = connection;
    connection = null;
    if (now != null) now.close();
  }

  // ---- running

  /**
   * Runs a command, {@code repeat} times or, if negative, forever.
   *
   * @return false if there is no connection any more
   */
  boolean run(List<byte[]> command, long repeat) throws IOException {
    String name = word(command, 0);
    if (name.equals("help") || name.equals("?")) {
      print(CommandHelp.about(command.subList(1, command.size())));
      return true;
    }
    isInterrupted = false;
    long left = repeat;
    while (left != 0 && !isInterrupted) {
      if (left > 0) left--;
      if (!runOnce(command)) return false;
      if (options.intervalMillis > 0) pause();
    }
    return true;
  }

  private void pause() {
    try {
      Thread.sleep(options.intervalMillis);
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
  }

  private boolean runOnce(List<byte[]> command) throws IOException {
    if (connection == null) connect();
    boolean hasRetried = false;
    redirections = 0;
    while (true) {
      CliConnection now = connection;
      if (now == null) return false;
      try {
        perform(now, command);
        return true;
      } catch (IOException | ProtocolException e) {
        close();
        if (isInterrupted) return true;
        if (isShuttingDown && e instanceof EOFException) return true;
        if (!reconnects || hasRetried || e instanceof ProtocolException) return lost(e);
      }
      hasRetried = true;
      connect();
    }
  }

  private boolean lost(Exception e) {
    err.println("Error: " + reason(e));
    if (!reconnects) throw new CliExit(1);
    return false;
  }

  private void perform(CliConnection now, List<byte[]> command) throws IOException {
    String name = word(command, 0);
    isShuttingDown = name.equals("shutdown");
    now.send(command);
    if (name.equals("subscribe") || name.equals("psubscribe") || name.equals("ssubscribe")) {
      printMessages(now);
      return;
    }
    Reply reply = now.receive();
    while (reply.type() == ReplyType.PUSH) {
      print(reply, false);
      reply = now.receive();
    }
    if (options.followsRedirections && reply.isError()) {
      Redirection redirection = Redirection.of(reply.string(), options.host);
      if (redirection != null) {
        follow(redirection, command);
        return;
      }
    }
    if (options.failsOnError && !reconnects && reply.isError()) {
      err.println(reply.string());
      throw new CliExit(1);
    }
    print(reply, isText(command));
    remember(now, command, reply);
  }

  /**
   * Connects to the node that serves the slot according to the cluster, and runs the command there.
   */
  private void follow(Redirection redirection, List<byte[]> command) throws IOException {
    if (++redirections > REDIRECTIONS_MAX) throw new IOException("too many redirections");
    if (form == ReplyFormat.TERMINAL) {
      print("-> " + redirection.slot() + " is at " + redirection.place() + "\n");
    }
    connectTo(redirection.host(), redirection.port());
    CliConnection there = connection;
    if (there == null) throw new IOException("no connection to " + redirection.place());
    if (redirection.isAsk()) ask(there, "ASKING");
    perform(there, command);
  }

  /**
   * Prints messages until the connection ends, or one reply if the server rejects the subscription.
   */
  private void printMessages(CliConnection now) throws IOException {
    if (isForAReader()) print("Reading messages... (press Ctrl-C to quit)\n");
    while (true) {
      Reply reply;
      try {
        reply = now.receive();
      } catch (IOException | ProtocolException e) {
        close();
        if (!isInterrupted) lost(e);
        return;
      }
      print(reply, false);
      if (reply.type() != ReplyType.PUSH && reply.type() != ReplyType.ARRAY) return;
    }
  }

  /** Remembers the state that the prompt shows and that a new connection must restore. */
  private void remember(CliConnection now, List<byte[]> command, Reply reply) throws IOException {
    int argc = command.size();
    switch (word(command, 0)) {
      case "select" -> {
        if (argc == 2 && !reply.isError()) database = Integer.parseInt(word(command, 1).trim());
      }
      case "auth" -> {
        if (reply.isError()) return;
        if (argc == 2) rememberPassword(null, command.get(1));
        if (argc == 3) rememberPassword(command.get(1), command.get(2));
        if (database != 0) select(now);
      }
      case "hello" -> {
        if (!reply.isError()) rememberHello(command);
      }
      case "multi" -> {
        if (argc != 1 || reply.isError()) return;
        isInMulti = true;
        databaseBeforeMulti = database;
      }
      case "exec" -> {
        boolean isDone = reply.type() == ReplyType.ARRAY;
        if (argc == 1 && isInMulti) leaveMulti(isDone ? database : databaseBeforeMulti);
      }
      case "discard" -> {
        if (argc == 1 && !reply.isError()) leaveMulti(databaseBeforeMulti);
      }
      case "reset" -> {
        if (argc == 1 && !reply.isError()) leaveMulti(0);
      }
      case "quit" -> close();
      default -> {}
    }
  }

  private void rememberHello(List<byte[]> command) {
    int argc = command.size();
    if (argc > 1) options.protocol = Integer.parseInt(word(command, 1));
    for (int i = 2; i + 2 < argc; i++) {
      if (word(command, i).equals("auth")) {
        rememberPassword(command.get(i + 1), command.get(i + 2));
        return;
      }
    }
  }

  private void rememberPassword(byte @Nullable [] user, byte[] password) {
    options.user = user == null ? null : new String(user, UTF_8);
    options.password = new String(password, UTF_8);
  }

  private void leaveMulti(int selected) {
    isInMulti = false;
    database = selected;
  }

  // ---- printing

  void print(String text) throws IOException {
    out.write(text.getBytes(UTF_8));
    out.flush();
  }

  /** Prints a reply in the output format, and ends its line. */
  void print(Reply reply) throws IOException {
    print(reply, false);
  }

  private void print(Reply reply, boolean isText) throws IOException {
    PrintBuffer printed = new PrintBuffer();
    (isText ? ReplyFormat.RAW : form).print(reply, printed);
    if (!isText) printed.character('\n');
    printed.writeTo(out);
    out.flush();
  }

  /** Returns whether the reply is a text for people, which is printed unchanged in every format. */
  private static boolean isText(List<byte[]> command) {
    String second = command.size() > 1 ? word(command, 1) : "";
    return switch (word(command, 0)) {
      case "info", "lolwut" -> true;
      case "client" -> second.equals("list") || second.equals("info");
      case "memory" -> second.equals("malloc-stats") || second.equals("doctor");
      case "cluster" -> command.size() == 2 && (second.equals("nodes") || second.equals("info"));
      case "debug" -> second.equals("htstats") || second.equals("htstats-key");
      case "latency" ->
          (command.size() == 3 && second.equals("graph"))
              || (command.size() == 2 && second.equals("doctor"));
      default -> false;
    };
  }

  private static String word(List<byte[]> command, int index) {
    return new String(command.get(index), UTF_8).toLowerCase(Locale.ROOT);
  }
}
