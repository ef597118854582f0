package dev.kermes.http;

import dev.kermes.http.internal.body.Json;
import dev.kermes.http.internal.negotiation.ContentTypes;
import dev.kermes.http.internal.negotiation.Problem;
import java.nio.file.Path;

/** The usual responses, for {@link HttpMessage#respond}. */
public final class StandardHttpResponses {

  private static final Response TEXT = ready("text/plain; charset=utf-8");
  private static final Response JSON = ready("application/json");

  private StandardHttpResponses() {}

  private static Response ready(String contentType) {
    return Response.of(200).with(Response.Header.encoded("content-type", contentType));
  }

  /** 200 with a file; the server handles ranges, validators and conditions. */
  public static Response ok(String contentType, Path file) {
    return Response.of(200).with("content-type", contentType).body(file);
  }

  /** 200 with a file; its content type is derived from its name. */
  public static Response ok(Path file) {
    return ok(ContentTypes.of(file.toString()), file);
  }

  /** 200 with bytes; the array is not copied. */
  public static Response ok(String contentType, byte[] bytes) {
    return Response.of(200).with("content-type", contentType).body(bytes);
  }

  /** 200 with text in UTF-8. */
  public static Response ok(String contentType, String text) {
    return Response.of(200).with("content-type", contentType).body(text);
  }

  /** 200 with plain text in UTF-8. */
  public static Response ok(String text) {
    return TEXT.body(text);
  }

  /** 200 with a body of unknown length that {@code writer} writes. */
  public static Response stream(String contentType, Response.BodyWriter writer) {
    return Response.of(200).with("content-type", contentType).body(writer);
  }

  /** 200 with server-sent events. */
  public static Response events(EventStream.Writer writer) {
    return Response.of(200)
        .with("content-type", "text/event-stream")
        .with("cache-control", "no-store")
        .body(EventStream.body(writer, EventStream.HEART_BEAT));
  }

  /** 200 with an object as JSON, written by Jackson, which the application must provide. */
  public static Response json(Object value) {
    return JSON.body(Json.write(value));
  }

  /** 201 with the location of the created resource. */
  public static Response created(String location) {
    return Response.of(201).with("location", location);
  }

  /** 204 without a body. */
  public static Response noContent() {
    return Response.of(204);
  }

  /** 302 or another redirect to {@code location}. */
  public static Response redirect(int status, String location) {
    return Response.of(status).with("location", location);
  }

  /** 404 as a problem without detail. */
  public static Response notFound() {
    return problem(404, "");
  }

  /** A problem in JSON, see RFC 9457; {@code detail} may be empty. */
  public static Response problem(int status, String detail) {
    return Response.of(status)
        .with("content-type", "application/problem+json")
        .body(Problem.json(status, detail));
  }
}
