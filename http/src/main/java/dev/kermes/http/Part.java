package dev.kermes.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a form; it must be read before the next one is requested. Owned by one thread. */
public final class Part {

  private static final Pattern PARAMETER =
      Pattern.compile(";\\s*([a-zA-Z*]+)\\s*=\\s*(\"((?:[^\"\\\\]|\\\\.)*)\"|[^;\\s]*)");

  private final Map<String, String> headers;
  private final InputStream content;
  private final int inMemoryMax;

  /** {@code headers} must ignore the case of names. */
  Part(Map<String, String> headers, InputStream content, int inMemoryMax) {
    this.headers = headers;
    this.content = content;
    this.inMemoryMax = inMemoryMax;
  }

  /** The name of the form field; empty if the part has none. */
  public String name() {
    String name = disposition("name");
    return name == null ? "" : name;
  }

  /** The last segment of the file's path at the client; null if the part has no valid file name. */
  public @Nullable String fileName() {
    String path = disposition("filename");
    if (path == null) return null;
    String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    boolean isName = !name.isEmpty() && !name.equals(".") && !name.equals("..");
    return isName && name.chars().noneMatch(c -> c < ' ') ? name : null;
  }

  private @Nullable String disposition(String parameter) {
    String field = headers.get("content-disposition");
    if (field == null) return null;
    Matcher matcher = PARAMETER.matcher(field);
    while (matcher.find()) {
      if (!matcher.group(1).equalsIgnoreCase(parameter)) continue;
      String quoted = matcher.group(3);
      return quoted == null ? matcher.group(2) : quoted.replaceAll("\\\\([\\\\\"])", "$1");
    }
    return null;
  }

  /** The content type; {@code text/plain} if the part does not state one. */
  public String contentType() {
    return headers.getOrDefault("content-type", "text/plain");
  }

  /** A header field; null if there is none. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** The content, of any length. */
  public InputStream stream() {
    return content;
  }

  /**
   * The content in memory.
   *
   * @throws HttpException 413 if it is longer than {@link HttpLimits#bodyMax}
   */
  public byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    copy(bytes, inMemoryMax);
    return bytes.toByteArray();
  }

  /** The content as UTF-8 text; like {@link #bytes}. */
  public String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /**
   * Writes the content to a new file, which must not exist yet and is deleted on failure.
   *
   * @param lengthMax longest content in bytes; HttpException 413 if it is longer
   * @return the length in bytes
   */
  public long saveTo(Path file, long lengthMax) throws IOException {
    boolean isDone = false;
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      long length = copy(out, lengthMax);
      isDone = true;
      return length;
    } finally {
      if (!isDone) Files.deleteIfExists(file);
    }
  }

  private long copy(OutputStream out, long lengthMax) throws IOException {
    byte[] piece = new byte[8192];
    long length = 0;
    for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
      length += read;
      if (length > lengthMax) throw new HttpException(413, "part too long: max=" + lengthMax);
      out.write(piece, 0, read);
    }
    return length;
  }
}
