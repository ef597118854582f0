package dev.kermes.server.data.pattern;

/** An error in a regular expression, with the text of the command's error reply. */
public final class RegexSyntaxException extends Exception {

  private static final long serialVersionUID = 1;

  private RegexSyntaxException(String prefix, String mistake) {
    super(prefix + mistake);
  }

  /** A mistake in the words of the POSIX library that Redis uses. */
  RegexSyntaxException(String mistake) {
    this("invalid regular expression: ", mistake);
  }

  static RegexSyntaxException backReference() {
    return new RegexSyntaxException("regular expression ", "backreferences are not supported");
  }
}
