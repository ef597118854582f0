package dev.kermes.server.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/**
 * The reason why a file could not be read or written, in words. Some of Java's exceptions have only
 * the path as their message.
 */
public final class DiskFailure {

  private DiskFailure() {}

  /** The reason for a failure, for logs and replies. */
  public static String reason(IOException failure) {
    String message = failure.getMessage();
    if (message == null) return failure.toString();
    return switch (failure) {
      case AccessDeniedException denied -> "permission denied: " + message;
      case NoSuchFileException none -> "no such file or directory: " + message;
      case FileAlreadyExistsException other -> "there is one already: " + message;
      default -> message;
    };
  }
}
