package dev.kermes.http.internal.files;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.internal.syntax.Ascii;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request for a file: the whole file, ranges of it, or no body because of the
 * request's conditions.
 *
 * @param parts the parts of the body
 * @param length total length of all parts
 */
public record FileResponse(
    int status, List<Response.Header> headers, List<BodyPart> parts, long length) {

  static FileResponse of(HttpMessage request, Response response, CachedFile file) {
    List<Response.Header> headers = new ArrayList<>(response.headers().size() + 4);
    headers.addAll(response.headers());
    if (response.status() != 200) return whole(response.status(), headers, file);
    headers.addAll(file.fields());
    int status = Preconditions.status(request, file);
    if (status == 412) return new FileResponse(412, List.of(), List.of(), 0);
    if (status == 304) {
      headers.removeIf(header -> header.name().equalsIgnoreCase("content-type"));
      return new FileResponse(304, headers, List.of(), 0);
    }
    String range = request.header("range");
    if (range == null || !request.method().equals("GET")) return whole(200, headers, file);
    if (!Preconditions.isForThisState(request, file)) return whole(200, headers, file);
    List<Ranges.Range> ranges = Ranges.parse(range, file.size());
    if (ranges == null) return whole(200, headers, file);
    return switch (ranges.size()) {
      case 0 -> unsatisfiable(file);
      case 1 -> single(headers, ranges.getFirst(), file);
      default -> several(headers, ranges, file);
    };
  }

  private static FileResponse whole(int status, List<Response.Header> headers, CachedFile file) {
    List<BodyPart> parts =
        file.size() == 0 ? List.of() : BodyPart.of(new Ranges.Range(0, file.size() - 1));
    return new FileResponse(status, headers, parts, file.size());
  }

  private static FileResponse unsatisfiable(CachedFile file) {
    var field = new Response.Header("content-range", "bytes */" + file.size());
    return new FileResponse(416, List.of(field), List.of(), 0);
  }

  private static FileResponse single(
      List<Response.Header> headers, Ranges.Range range, CachedFile file) {
    headers.add(new Response.Header("content-range", contentRange(range, file)));
    return new FileResponse(206, headers, BodyPart.of(range), range.length());
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
    List<BodyPart> parts = new ArrayList<>();
    long length = 0;
    for (Ranges.Range range : ranges) {
      String head =
          "\r\n--%s\r\ncontent-type: %s\r\ncontent-range: %s\r\n\r\n"
              .formatted(boundary, type, contentRange(range, file));
      parts.add(new BodyPart.Text(Ascii.bytes(head)));
      parts.add(new BodyPart.Slice(range));
      length += head.length() + range.length();
    }
    byte[] end = Ascii.bytes("\r\n--" + boundary + "--\r\n");
    parts.add(new BodyPart.Text(end));
    headers.removeIf(header -> header.name().equalsIgnoreCase("content-type"));
    headers.add(new Response.Header("content-type", "multipart/byteranges; boundary=" + boundary));
    return new FileResponse(206, headers, parts, length + end.length);
  }

  public boolean hasBody() {
    return status != 304;
  }

  /** The single range that makes up the body; null if the body has other or more parts. */
  public Ranges.@Nullable Range onlyRange() {
    return parts.size() == 1 && parts.getFirst() instanceof BodyPart.Slice slice
        ? slice.range()
        : null;
  }

  /** The parts as messages for the channel, which releases them. */
  public List<ReferenceCounted> messages(CachedFile file, ByteBufAllocator allocator) {
    List<ReferenceCounted> messages = new ArrayList<>(parts.size());
    for (BodyPart part : parts) {
      messages.add(
          switch (part) {
            case BodyPart.Slice slice -> file.slice(slice.range().first(), slice.range().length());
            case BodyPart.Text text -> direct(text.bytes(), allocator);
          });
    }
    return messages;
  }

  private static ByteBuf direct(byte[] bytes, ByteBufAllocator allocator) {
    return bytes.length == 0
        ? Unpooled.EMPTY_BUFFER
        : allocator.directBuffer(bytes.length).writeBytes(bytes);
  }
}
