package dev.kermes.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response: status, header fields and body. Immutable; {@code with} methods return a changed
 * copy. {@link StandardHttpResponses} creates the usual ones.
 */
public final class Response {

  /** Writes a body in pieces; writing waits while the client reads more slowly. */
  @FunctionalInterface
  public interface BodyWriter {
    /** Writes the whole body; the stream need not be closed. */
    void writeTo(OutputStream out) throws IOException;
  }

  sealed interface Body {}

  record Bytes(byte[] bytes) implements Body {}

  record File(Path path) implements Body {}

  /** A file of a static directory; {@code name} is its path there, taken from a normalised path. */
  record DirectoryFile(StaticFiles directory, String name) implements Body {}

  record Stream(BodyWriter writer) implements Body {}

  /** A field; {@code line} is its HTTP/1 form if it is encoded in advance; must not be modified. */
  record Header(String name, String value, byte @Nullable [] line) {
    Header(String name, String value) {
      this(name, value, null);
    }

    static Header ready(String name, String value) {
      return new Header(name, value, Ascii.bytes(name + ": " + value + "\r\n"));
    }
  }

  static final Bytes EMPTY = new Bytes(new byte[0]);

  private final int status;
  private final List<Header> headers;
  private final Body body;

  private Response(int status, List<Header> headers, Body body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** Creates a response without a body. */
  public static Response of(int status) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("not a final status: status=" + status);
    }
    return new Response(status, List.of(), EMPTY);
  }

  /** The status, 200 to 599. */
  public int status() {
    return status;
  }

  List<Header> headers() {
    return headers;
  }

  Body body() {
    return body;
  }

  /**
   * A copy with another header field. The server itself sets length, framing, date and connection.
   *
   * @throws IllegalArgumentException if name or value is malformed, for example has a line break
   */
  public Response with(String name, String value) {
    HeaderSyntax.check(name, value);
    return with(new Header(name, value));
  }

  Response with(Header header) {
    List<Header> more = new ArrayList<>(headers.size() + 1);
    more.addAll(headers);
    more.add(header);
    return new Response(status, more, body);
  }

  boolean isFile() {
    return body instanceof File || body instanceof DirectoryFile;
  }

  /** The first value of a field; null if there is none. */
  @Nullable String header(String name) {
    for (Header header : headers) if (header.name().equalsIgnoreCase(name)) return header.value();
    return null;
  }

  /** A copy whose entity tag, if any, is weak, because a content coding changes the bytes. */
  Response withWeakTag() {
    List<Header> other = new ArrayList<>(headers);
    other.replaceAll(header ->
        header.name().equalsIgnoreCase("etag") && !header.value().startsWith("W/")
            ? new Header(header.name(), "W/" + header.value())
            : header);
    return new Response(status, other, body);
  }

  /** A copy with another status. */
  public Response withStatus(int other) {
    return new Response(of(other).status, headers, body);
  }

  /** A copy with these bytes as its body; the array is not copied. */
  public Response body(byte[] bytes) {
    return new Response(status, headers, new Bytes(bytes));
  }

  /** A copy with {@code text} in UTF-8 as its body. */
  public Response body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A copy with a file as its body, sent with validators and in the requested ranges. */
  public Response body(Path file) {
    return new Response(status, headers, new File(file));
  }

  static Response of(DirectoryFile file) {
    return new Response(200, List.of(ContentTypes.field(file.name)), file);
  }

  /** A copy with a body of unknown length. */
  public Response body(BodyWriter writer) {
    return new Response(status, headers, new Stream(writer));
  }
}
