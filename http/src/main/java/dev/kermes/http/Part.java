package dev.kermes.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A part of a form; it must be read before the next one is requested. Owned by one thread. */
public interface Part {

  /** The name of the form field; empty if the part has none. */
  String name();

  /** The last segment of the file's path at the client; null if the part has no valid file name. */
  @Nullable String fileName();

  /** The content type; {@code text/plain} if the part does not state one. */
  String contentType();

  /** A header field; null if there is none. */
  @Nullable String header(String name);

  /** The content, of any length. */
  InputStream stream();

  /**
   * The content in memory.
   *
   * @throws HttpException 413 if it is longer than {@link HttpLimits#bodyMax}
   */
  byte[] bytes() throws IOException;

  /** The content as UTF-8 text; like {@link #bytes}. */
  String text() throws IOException;

  /**
   * Writes the content to a new file, which must not exist yet and is deleted on failure.
   *
   * @param lengthMax longest content in bytes; HttpException 413 if it is longer
   * @return the length in bytes
   */
  long saveTo(Path file, long lengthMax) throws IOException;
}
