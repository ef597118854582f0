package dev.kermes.cli.rediscli;

/** Ends the program from within a command. */
final class CliExit extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;

  CliExit(int status) {
    super("exit: status=" + status, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
