package dev.kermes.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import org.jspecify.annotations.Nullable;

/**
 * The connection, what it has been told so far (database, transaction), and how commands are run
 * and their replies printed. Owned by one thread, except {@link #interrupt}.
 */
final class CliSession implements Closeable {

  private final CliOptions options;
  private final OutputForm form;
  private final OutputStream out;
  private final PrintStream err;

  /** Whether lines are being read: a lost connection is then made anew, once for each command. */
  private final boolean reconnects;

  private volatile @Nullable CliConnection connection;
  private volatile boolean isInterrupted;
  private int database;
  private int databaseBeforeMulti;
  private boolean isInMulti;
  private boolean isShuttingDown;

  CliSession(
      CliOptions options, OutputForm form, boolean reconnects, OutputStream out, PrintStream err) {
    this.options = options;
    this.form = form;
    this.reconnects = reconnects;
    this.out = out;
    this.err = err;
    this.database = options.database;
  }

  OutputForm form() {
    return form;
  }

  // ---- connecting

  /** Connects and says who we are; says why not if that fails. */
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

  /** Goes to another server. */
  void connectTo(String host, int port) {
    options.urlAddress = null;
    options.host = host;
    options.port = port;
    connect();
  }

  /** AUTH, SELECT and HELLO; what is refused is said, and the connection stays. */
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
    return message == null ? e.toString() : message;
  }

  /** Host, database and transaction: {@code 127.0.0.1:6379[1](TX)> }. */
  String prompt() {
    if (connection == null) return "not connected> ";
    return place() + (database == 0 ? "" : "[" + database + "]") + (isInMulti ? "(TX)" : "") + "> ";
  }

  /** Ends the command that is running, at the price of its connection. Any thread. */
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
   * Runs a command, {@code repeat} times or, if negative, for ever.
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
    if (options.failsOnError && !reconnects && reply.isError()) {
      err.println(reply.string());
      throw new CliExit(1);
    }
    print(reply, isText(command));
    remember(now, command, reply);
  }

  /** Messages until the connection ends, or one reply if the server does not subscribe us. */
  private void printMessages(CliConnection now) throws IOException {
    if (form != OutputForm.RAW) print("Reading messages... (press Ctrl-C to quit)\n");
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

  /** What the prompt shows and a new connection must be told again. */
  private void remember(CliConnection now, List<byte[]> command, Reply reply) throws IOException {
    int argc = command.size();
    switch (word(command, 0)) {
      case "select" -> {
        if (argc == 2 && !reply.isError()) database = Integer.parseInt(word(command, 1).trim());
      }
      case "auth" -> {
        if (database != 0 && !reply.isError()) select(now);
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

  private void leaveMulti(int selected) {
    isInMulti = false;
    database = selected;
  }

  // ---- printing

  void print(String text) throws IOException {
    out.write(text.getBytes(UTF_8));
    out.flush();
  }

  private void print(Reply reply, boolean isText) throws IOException {
    Printed printed = new Printed();
    (isText ? OutputForm.RAW : form).print(reply, printed);
    if (!isText) printed.character('\n');
    printed.writeTo(out);
    out.flush();
  }

  /** Whether the reply is a text made for reading, which is printed as it is in every form. */
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
