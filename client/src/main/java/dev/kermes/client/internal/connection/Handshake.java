package dev.kermes.client.internal.connection;

import dev.kermes.client.CommandBuilder;
import dev.kermes.client.CredentialsProvider;
import dev.kermes.client.Deployment;
import dev.kermes.client.ReadFrom;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.Replies;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands that begin a connection.
 *
 * <pre>
 *   HELLO 3 [AUTH user password] [SETNAME name]      refused as unknown: RESP2, and AUTH, SETNAME
 *   [AUTH] [CLIENT SETNAME] [CLIENT SETINFO ...] [SELECT db]
 * </pre>
 *
 * <p>Owned by the event loop.
 */
public final class Handshake {
  /** A request, and whether the connection is useless if the server refuses it. */
  private record Step(EncodedCommand<?> command, boolean isRequired) {}

  private final RedisOptions options;
  private final CredentialsProvider.@Nullable Credentials credentials;
  private final List<EncodedCommand<?>> greetings;
  private final RequestOutput out;
  private boolean awaitsHello;
  private List<Step> steps = List.of();
  private int answered;
  private @Nullable RedisException refusal;
  private int respVersion = 2;

  /** Creates a handshake; {@code greetings} are further commands that must succeed. */
  Handshake(
      RedisOptions options,
      CredentialsProvider.@Nullable Credentials credentials,
      List<EncodedCommand<?>> greetings,
      RequestOutput out) {
    this.options = options;
    this.credentials = credentials;
    this.greetings = greetings;
    this.out = out;
  }

  /** The credentials without a provider; null for no login. */
  static CredentialsProvider.@Nullable Credentials fixedCredentials(RedisOptions options) {
    String password = options.password();
    return password == null ? null : new CredentialsProvider.Credentials(options.user(), password);
  }

  /** AUTH with {@code credentials}. */
  public static EncodedCommand<?> auth(CredentialsProvider.Credentials credentials) {
    String user = credentials.user();
    return user == null
        ? EncodedCommand.of("AUTH", credentials.password())
        : EncodedCommand.of("AUTH", user, credentials.password());
  }

  /** Writes the first request; returns false if there is none. */
  boolean start() {
    if (options.respVersion() == 2) return writeRest(false);
    awaitsHello = true;
    out.append(hello());
    out.flush();
    return true;
  }

  /** Takes the next reply; returns true when the handshake is over: see {@link #refusal}. */
  boolean onReply(ReplyReader in) {
    if (awaitsHello) return onHello(in);
    Step step = steps.get(answered++);
    if (in.type() == ReplyType.ERROR && step.isRequired() && refusal == null) {
      refusal = ConnectFailures.of(new ServerErrorException(in.readError()), credentials != null);
    }
    return answered == steps.size();
  }

  /** The reason why the server refused the handshake, or null. */
  @Nullable RedisException refusal() {
    return refusal;
  }

  int respVersion() {
    return respVersion;
  }

  private boolean onHello(ReplyReader in) {
    awaitsHello = false;
    if (in.type() != ReplyType.ERROR) {
      respVersion = 3;
      return !writeRest(true);
    }
    ServerErrorException error = new ServerErrorException(in.readError());
    if (error.code().equals("ERR") || error.code().equals("NOPROTO")) return !writeRest(false);
    refusal = ConnectFailures.of(error, credentials != null);
    return true;
  }

  private EncodedCommand<?> hello() {
    CommandBuilder hello = CommandBuilder.of("HELLO").integer(3);
    if (credentials != null) {
      String user = credentials.user();
      hello.text("AUTH").text(user == null ? "default" : user).text(credentials.password());
    }
    String name = options.clientName();
    if (name != null) hello.text("SETNAME").text(name);
    EncodedCommand<@Nullable Object> command = EncodedCommand.of(hello.build(Replies.any()));
    return command;
  }

  /** Writes everything that HELLO did not cover; returns false if that is nothing. */
  private boolean writeRest(boolean hasHello) {
    List<Step> rest = new ArrayList<>();
    if (!hasHello && credentials != null) rest.add(required(auth(credentials)));
    String name = options.clientName();
    if (!hasHello && name != null) rest.add(optional("CLIENT", "SETNAME", name));
    if (options.database() != 0) {
      rest.add(required(EncodedCommand.of("SELECT", Integer.toString(options.database()))));
    }
    if (options.deployment() instanceof Deployment.Cluster
        && options.readFrom() != ReadFrom.MASTER) {
      rest.add(required(EncodedCommand.of("READONLY"))); // has no effect on a master
    }
    if (options.setsInfo()) {
      rest.add(optional("CLIENT", "SETINFO", "LIB-NAME", "kermes"));
      rest.add(optional("CLIENT", "SETINFO", "LIB-VER", ClientVersion.text()));
    }
    for (EncodedCommand<?> greeting : greetings) rest.add(required(greeting));
    steps = rest;
    for (Step step : rest) out.append(step.command());
    out.flush();
    return !rest.isEmpty();
  }

  private static Step required(EncodedCommand<?> command) {
    return new Step(command, true);
  }

  private static Step optional(String name, String... arguments) {
    return new Step(EncodedCommand.of(name, arguments), false);
  }
}
