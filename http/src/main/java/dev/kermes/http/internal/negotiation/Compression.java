package dev.kermes.http.internal.negotiation;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Compresses responses; RFC 9110, 8.4. Only text above a minimum length that a handler produced is
 * compressed. Files are not: they have ranges and strong validators, and precompressed variants.
 */
public final class Compression {

  /** 1 KiB: a shorter response fits into one packet anyway. */
  private static final int LENGTH_MIN = 1024;

  private static final List<String> CODINGS = List.of("gzip", "deflate");

  private Compression() {}

  /** The response in the coding that the client prefers, or unchanged. Costs processor time. */
  public static Response of(HttpMessage request, Response response) {
    if (!isWorthIt(response)) return response;
    Response varied = response.with("vary", "accept-encoding");
    String coding = AcceptEncoding.best(request.headers("accept-encoding"), CODINGS);
    if (coding == null) return varied;
    Response coded = withWeakTag(varied).with("content-encoding", coding);
    return switch (response.body()) {
      case Response.Bytes bytes -> coded.body(compressed(bytes.bytes(), coding));
      case Response.Stream stream -> coded.body(out -> compress(stream.writer(), out, coding));
      case Response.File file -> response;
      case Response.DirectoryFile file -> response;
    };
  }

  private static boolean isWorthIt(Response response) {
    if (response.status() == 206 || isFile(response)) return false;
    if (response.body() instanceof Response.Bytes body && body.bytes().length < LENGTH_MIN) {
      return false;
    }
    if (response.header("content-encoding") != null) return false;
    String cache = response.header("cache-control");
    if (cache != null && cache.contains("no-transform")) return false;
    return isText(response.header("content-type"));
  }

  /** Whether the body is a file, which is never compressed here. */
  public static boolean isFile(Response response) {
    return switch (response.body()) {
      case Response.File file -> true;
      case Response.DirectoryFile file -> true;
      case Response.Bytes bytes -> false;
      case Response.Stream stream -> false;
    };
  }

  /** A copy whose entity tag, if any, is weak, because the coding changes the bytes. */
  private static Response withWeakTag(Response response) {
    String tag = response.header("etag");
    return tag == null || tag.startsWith("W/") ? response : response.replace("etag", "W/" + tag);
  }

  private static boolean isText(@Nullable String type) {
    if (type == null) return false;
    String name = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return switch (name) {
      case "text/event-stream" -> false;
      case "application/json", "application/javascript", "application/xml", "application/wasm" ->
          true;
      default -> name.startsWith("text/") || name.endsWith("+json") || name.endsWith("+xml");
    };
  }

  private static byte[] compressed(byte[] bytes, String coding) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2);
    try {
      compress(to -> to.write(bytes), out, coding);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void compress(Response.BodyWriter writer, OutputStream out, String coding)
      throws IOException {
    OutputStream kept = new KeptOpen(out);
    try (OutputStream coder =
        coding.equals("gzip")
            ? new GZIPOutputStream(kept, 4096, true)
            : new DeflaterOutputStream(kept, true)) {
      writer.writeTo(coder);
    }
  }

  /** Ignores close: the exchange ends the response, and only if the writer has not failed. */
  private static final class KeptOpen extends FilterOutputStream {
    KeptOpen(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() {}
  }
}
