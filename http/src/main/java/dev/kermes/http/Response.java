package dev.kermes.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is sent back: a status, header fields, a body. Immutable; {@code with} methods return
 * another one. {@link StandardHttpResponses} makes them.
 */
public final class Response {

  /** Writes a body piece by piece; it waits when the client reads more slowly. */
  @FunctionalInterface
  public interface BodyWriter {
    /** Writes all of it; the stream need not be closed. */
    void writeTo(OutputStream out) throws IOException;
  }

  sealed interface Body {}

  record Bytes(byte[] bytes) implements Body {}

  record File(Path path) implements Body {}

  /** {@code name} is within the folder, and was part of a path that is normal. */
  record FolderFile(StaticFiles folder, String name) implements Body {}

  record Stream(BodyWriter writer) implements Body {}

  /** {@code line} is it as HTTP/1 has it, if it is sent often; not to be changed. */
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

  /** A response without a body. */
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
   * The same with another header field. Length, framing, date and connection are the server's.
   *
   * @throws IllegalArgumentException if it is no field: a line break would begin another one
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
    return body instanceof File || body instanceof FolderFile;
  }

  /** The first value of a field; null if there is none. */
  @Nullable String header(String name) {
    for (Header header : headers) if (header.name().equalsIgnoreCase(name)) return header.value();
    return null;
  }

  /** The same with its entity tag made weak, if it has one: its bytes are not the same any more. */
  Response withWeakTag() {
    List<Header> other = new ArrayList<>(headers);
    other.replaceAll(header ->
        header.name().equalsIgnoreCase("etag") && !header.value().startsWith("W/")
            ? new Header(header.name(), "W/" + header.value())
            : header);
    return new Response(status, other, body);
  }

  /** The same with another status. */
  public Response withStatus(int other) {
    return new Response(of(other).status, headers, body);
  }

  /** The same with these bytes, which are not copied, as its body. */
  public Response body(byte[] bytes) {
    return new Response(status, headers, new Bytes(bytes));
  }

  /** The same with {@code text} in UTF-8 as its body. */
  public Response body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same with a file as its body, sent with validators and in the ranges asked for. */
  public Response body(Path file) {
    return new Response(status, headers, new File(file));
  }

  static Response of(FolderFile file) {
    return new Response(200, List.of(ContentTypes.field(file.name)), file);
  }

  /** The same with a body of unknown length. */
  public Response body(BodyWriter writer) {
    return new Response(status, headers, new Stream(writer));
  }
}
