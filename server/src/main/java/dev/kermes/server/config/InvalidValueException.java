package dev.kermes.server.config;

/** A mistake in the value of an option; the message is the one that CONFIG SET replies. */
final class InvalidValueException extends Exception {

  private static final long serialVersionUID = 1;

  InvalidValueException(String mistake) {
    super(mistake, null, false, false);
  }
}
