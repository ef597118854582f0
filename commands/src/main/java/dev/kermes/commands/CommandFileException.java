package dev.kermes.commands;

/**
 * Thrown for a mistake in a data file of the command table; the message starts with the file and
 * the line.
 */
public final class CommandFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFileException(String file, int line, String message) {
    super(file + ":" + line + ": " + message);
  }
}
