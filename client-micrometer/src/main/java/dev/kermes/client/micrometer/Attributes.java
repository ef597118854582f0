package dev.kermes.client.micrometer;

import dev.kermes.client.RedisException;
import dev.kermes.client.ServerErrorException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a command, by the names of OpenTelemetry's semantic conventions for Redis. All
 * are always there, with {@code none} for an absent value, since a meter has the same tags always.
 */
final class Attributes {
  /** The name of the metric. */
  static final String DURATION = "db.client.operation.duration";

  private static final String NONE = "none";

  /** Scripts may return any text as a code; these would make too many meters. */
  private static final Pattern CODE = Pattern.compile("[A-Z]{2,24}");

  private Attributes() {}

  /** Names and values of a command that has not ended. */
  static String[] ofOperation(String command) {
    return new String[] {"db.system.name", "redis", "db.operation.name", operation(command)};
  }

  private static String operation(String command) {
    return switch (command) {
      case "BATCH" -> "PIPELINE";
      case "TRANSACTION" -> "MULTI";
      default -> command;
    };
  }

  /** Names and values of its end. */
  static String[] ofEnd(@Nullable SocketAddress node, @Nullable RedisException failure) {
    InetSocketAddress internet = node instanceof InetSocketAddress address ? address : null;
    String host = internet == null ? other(node) : internet.getHostString();
    String port = internet == null ? NONE : Integer.toString(internet.getPort());
    return new String[] {
      "server.address",
      host,
      "server.port",
      port,
      "db.response.status_code",
      failure instanceof ServerErrorException error ? code(error) : NONE,
      "error.type",
      errorType(failure)
    };
  }

  /** The code of an error reply, the class of another failure, or none. */
  static String errorType(@Nullable RedisException failure) {
    if (failure == null) return NONE;
    return failure instanceof ServerErrorException error
        ? code(error)
        : failure.getClass().getName();
  }

  /** The path of a unix socket. */
  private static String other(@Nullable SocketAddress node) {
    return node == null ? NONE : node.toString();
  }

  private static String code(ServerErrorException error) {
    String code = error.code();
    return CODE.matcher(code).matches() ? code : "ERR";
  }
}
