package dev.kermes.http;

import dev.kermes.http.internal.negotiation.ContentTypes;
import dev.kermes.http.internal.syntax.Ascii;
import dev.kermes.http.internal.syntax.HeaderSyntax;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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

  /** The body of a response. */
  public sealed interface Body {}

  /** A body in memory; the array is not copied. */
  public record Bytes(byte[] bytes) implements Body {}

  /** A file as a body. */
  public record File(Path path) implements Body {}

  /** A file of a directory of static files; {@code name} is its path in the directory. */
  public record DirectoryFile(StaticFiles directory, String name) implements Body {}

  /** A body that a function writes. */
  public record Stream(BodyWriter writer) implements Body {}

  /** A header field. Immutable. */
  public static final class Header {
    private final String name;
    private final String value;
    private final byte @Nullable [] line;

    /** Creates a field; both texts must be well-formed, see {@link Response#with}. */
    public Header(String name, String value) {
      this(name, value, null);
    }

    private Header(String name, String value, byte @Nullable [] line) {
      this.name = name;
      this.value = value;
      this.line = line;
    }

    /** Creates a field that is sent often: its line for HTTP/1 is encoded once. */
    public static Header encoded(String name, String value) {
      return new Header(name, value, Ascii.bytes(name + ": " + value + "\r\n"));
    }

    /** The name of the field. */
    public String name() {
      return name;
    }

    /** The value of the field. */
    public String value() {
      return value;
    }

    /** The encoded line, which must not be modified; null if it is not encoded in advance. */
    public byte @Nullable [] line() {
      return line;
    }

    @Override
    public String toString() {
      return name + ": " + value;
    }
  }

  private static final Bytes EMPTY = new Bytes(new byte[0]);

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

  /** The header fields, without those that the server adds. */
  public List<Header> headers() {
    return Collections.unmodifiableList(headers);
  }

  /** The body. */
  public Body body() {
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

  /** The first value of a field; null if there is none. */
  public @Nullable String header(String name) {
    for (Header header : headers) if (header.name().equalsIgnoreCase(name)) return header.value();
    return null;
  }

  /** A copy in which each field of this name has another value. */
  public Response replace(String name, String value) {
    HeaderSyntax.check(name, value);
    List<Header> other = new ArrayList<>(headers);
    other.replaceAll(
        header -> header.name().equalsIgnoreCase(name) ? new Header(header.name(), value) : header);
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
