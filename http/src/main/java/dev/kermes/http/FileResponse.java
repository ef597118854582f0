package dev.kermes.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request for a file: the whole file, ranges of it, or no body because of the
 * request's conditions.
 *
 * @param parts byte arrays, and ranges of the file
 * @param length total length of all parts
 */
record FileResponse(int status, List<Response.Header> headers, List<Object> parts, long length) {

  static FileResponse of(HttpMessage request, Response response, CachedFile file) {
    List<Response.Header> headers = new ArrayList<>(response.headers().size() + 4);
    headers.addAll(response.headers());
    if (response.status() != 200) return whole(response.status(), headers, file);
    headers.addAll(file.fields());
    HttpHeaders fields = request.fields();
    int status = Preconditions.status(fields, file);
    if (status == 412) return new FileResponse(412, List.of(), List.of(), 0);
    if (status == 304) {
      headers.removeIf(header -> header.name().equalsIgnoreCase("content-type"));
      return new FileResponse(304, headers, List.of(), 0);
    }
    String range = fields.get(HttpHeaderNames.RANGE);
    if (range == null || !request.method().equals("GET")) return whole(200, headers, file);
    if (!Preconditions.isForThisState(fields, file)) return whole(200, headers, file);
    List<Ranges.Range> ranges = Ranges.parse(range, file.size());
    if (ranges == null) return whole(200, headers, file);
    return switch (ranges.size()) {
      case 0 -> unsatisfiable(file);
      case 1 -> single(headers, ranges.getFirst(), file);
      default -> several(headers, ranges, file);
    };
  }

  private static FileResponse whole(int status, List<Response.Header> headers, CachedFile file) {
    List<Object> parts =
        file.size() == 0 ? List.of() : List.of(new Ranges.Range(0, file.size() - 1));
    return new FileResponse(status, headers, parts, file.size());
  }

  private static FileResponse unsatisfiable(CachedFile file) {
    var field = new Response.Header("content-range", "bytes */" + file.size());
    return new FileResponse(416, List.of(field), List.of(), 0);
  }

  private static FileResponse single(
      List<Response.Header> headers, Ranges.Range range, CachedFile file) {
    headers.add(new Response.Header("content-range", contentRange(range, file)));
    return new FileResponse(206, headers, List.of(range), range.length());
  }

  private static String contentRange(Ranges.Range range, CachedFile file) {
    return "bytes " + range.first() + "-" + range.last() + "/" + file.size();
  }

  /** Several ranges as multipart/byteranges, each with its own header fields; RFC 9110, 14.6. */
  private static FileResponse several(
      List<Response.Header> headers, List<Ranges.Range> ranges, CachedFile file) {
    String boundary = "kermes-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
    String type = "application/octet-stream";
    for (Response.Header header : headers) {
      if (header.name().equalsIgnoreCase("content-type")) type = header.value();
    }
    List<Object> parts = new ArrayList<>();
    long length = 0;
    for (Ranges.Range range : ranges) {
      String head =
          "\r\n--%s\r\ncontent-type: %s\r\ncontent-range: %s\r\n\r\n"
              .formatted(boundary, type, contentRange(range, file));
      parts.add(Ascii.bytes(head));
      parts.add(range);
      length += head.length() + range.length();
    }
    byte[] end = Ascii.bytes("\r\n--" + boundary + "--\r\n");
    parts.add(end);
    headers.removeIf(header -> header.name().equalsIgnoreCase("content-type"));
    headers.add(new Response.Header("content-type", "multipart/byteranges; boundary=" + boundary));
    return new FileResponse(206, headers, parts, length + end.length);
  }

  boolean hasBody() {
    return status != 304;
  }

  /** The single range that makes up the body; null if the body has other or more parts. */
  Ranges.@Nullable Range onlyRange() {
    return parts.size() == 1 && parts.getFirst() instanceof Ranges.Range range ? range : null;
  }

  /** The parts as the channel takes them; each holds the file. */
  List<Object> messages(CachedFile file, ByteBufAllocator allocator) {
    List<Object> messages = new ArrayList<>(parts.size());
    for (Object part : parts) {
      if (part instanceof Ranges.Range range) {
        messages.add(file.slice(range.first(), range.length()));
      } else {
        messages.add(direct((byte[]) part, allocator));
      }
    }
    return messages;
  }

  private static ByteBuf direct(byte[] bytes, ByteBufAllocator allocator) {
    return bytes.length == 0
        ? Unpooled.EMPTY_BUFFER
        : allocator.directBuffer(bytes.length).writeBytes(bytes);
  }
}
