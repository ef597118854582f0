package dev.kermes.http.internal.forms;

import dev.kermes.http.HttpException;
import dev.kermes.http.Part;
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

/** A part of a form, whose content a {@link MultipartReader} reads. Owned by one thread. */
public final class FormPart implements Part {

  private static final Pattern PARAMETER =
      Pattern.compile(";\\s*([a-zA-Z*]+)\\s*=\\s*(\"((?:[^\"\\\\]|\\\\.)*)\"|[^;\\s]*)");

  private final Map<String, String> headers;
  private final InputStream content;
  private final int inMemoryMax;

  /** {@code headers} must ignore the case of names. */
  FormPart(Map<String, String> headers, InputStream content, int inMemoryMax) {
    this.headers = headers;
    this.content = content;
    this.inMemoryMax = inMemoryMax;
  }

  @Override
  public String name() {
    String name = disposition("name");
    return name == null ? "" : name;
  }

  @Override
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

  @Override
  public String contentType() {
    return headers.getOrDefault("content-type", "text/plain");
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  @Override
  public InputStream stream() {
    return content;
  }

  @Override
  public byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    copy(bytes, inMemoryMax);
    return bytes.toByteArray();
  }

  @Override
  public String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  @Override
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
