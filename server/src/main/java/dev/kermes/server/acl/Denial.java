package dev.kermes.server.acl;

import dev.kermes.commands.CommandSpec;

/**
 * The reason why a user may not run a command, in the words of Redis 8.0. Redis has no rules about
 * databases; denials of those are in the words of Valkey.
 *
 * @param argument the key, channel or database that is denied; 0 if it is the command itself, or a
 *     database that no argument names
 */
public record Denial(Reason reason, int argument) implements Comparable<Denial> {

  /** The kind of object denied. If several selectors deny a call, the last of these is reported. */
  public enum Reason {
    DATABASE,
    COMMAND,
    KEY,
    AUTH,
    TLS_CERT,
    CHANNEL
  }

  private static final String NO_DATABASE = "No permissions to access database";

  static final Denial OF_COMMAND = new Denial(Reason.COMMAND, 0);

  @Override
  public int compareTo(Denial other) {
    int byReason = reason.compareTo(other.reason);
    return byReason != 0 ? byReason : Integer.compare(argument, other.argument);
  }

  /** The error reply to a command that the named user has sent. */
  public String error(String user, CommandSpec spec) {
    return "NOPERM " + text(user, spec);
  }

  /** The error reply to a queued command that was still allowed when it was queued. */
  public String errorInTransaction() {
    return "NOPERM ACLs rules changed between the moment the transaction was accumulated and the"
        + " EXEC call. This command is no longer allowed for the following reason: no permission to "
        + switch (reason) {
          case DATABASE -> "access the database";
          case KEY -> "touch the specified keys";
          case CHANNEL -> "access one of the channels used as arguments";
          default -> "execute the command or subcommand";
        };
  }

  /** The error that a script of this user gets for a command that it calls. */
  public String errorInScript(String user, CommandSpec spec) {
    return "ERR ACL failure in script: " + text(user, spec);
  }

  private String text(String user, CommandSpec spec) {
    return switch (reason) {
      case DATABASE -> NO_DATABASE;
      case KEY -> "No permissions to access a key";
      case CHANNEL -> "No permissions to access a channel";
      default ->
          "User " + user + " has no permissions to run the '" + spec.fullName() + "' command";
    };
  }

  /** The reply of ACL DRYRUN; {@code deniedArgument} is the text of the denied argument. */
  public String explanation(String user, CommandSpec spec, String deniedArgument) {
    return "User "
        + user
        + " has no permissions to "
        + switch (reason) {
          case DATABASE -> "access " + database(spec, deniedArgument);
          case KEY -> "access the '" + deniedArgument + "' key";
          case CHANNEL -> "access the '" + deniedArgument + "' channel";
          default -> "run the '" + spec.fullName() + "' command";
        };
  }

  private String database(CommandSpec spec, String deniedArgument) {
    return argument == 0
        ? "every database that the '" + spec.fullName() + "' command works on"
        : "database " + deniedArgument;
  }
}
