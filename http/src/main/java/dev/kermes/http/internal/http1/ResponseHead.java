package dev.kermes.http.internal.http1;

import dev.kermes.http.Response;
import dev.kermes.http.internal.body.BodyLength;
import dev.kermes.http.internal.syntax.Ascii;
import dev.kermes.http.internal.syntax.HttpDates;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;

/** Writes status lines and header fields of HTTP/1 responses. Per request; no allocation. */
public final class ResponseHead {

  private static final byte[][] STATUS_LINES = new byte[600][];
  private static final byte[] LENGTH = Ascii.bytes("content-length: ");
  private static final byte[] CHUNKED = Ascii.bytes("transfer-encoding: chunked\r\n");
  private static final byte[] CLOSE = Ascii.bytes("connection: close\r\n");
  private static final byte[] KEEP_ALIVE = Ascii.bytes("connection: keep-alive\r\n");
  private static final int CRLF = '\r' << 8 | '\n';
  private static final int COLON = ':' << 8 | ' ';

  static {
    for (int status = 100; status < 600; status++) {
      String reason = HttpResponseStatus.valueOf(status).reasonPhrase();
      STATUS_LINES[status] = Ascii.bytes("HTTP/1.1 " + status + " " + reason + "\r\n");
    }
  }

  private ResponseHead() {}

  /** An upper bound of the size of a head with these fields. */
  static int sizeMax(List<Response.Header> headers) {
    int size = 160;
    for (Response.Header header : headers) {
      size += header.name().length() + header.value().length() + 4;
    }
    return size;
  }

  static void write(
      ByteBuf out,
      int status,
      List<Response.Header> headers,
      long length,
      boolean closes,
      boolean isHttp10) {
    out.writeBytes(STATUS_LINES[status]);
    out.writeBytes(HttpDates.line());
    for (int i = 0; i < headers.size(); i++) {
      Response.Header header = headers.get(i);
      byte[] line = header.line();
      if (line != null) {
        out.writeBytes(line);
        continue;
      }
      ByteBufUtil.writeAscii(out, header.name());
      out.writeShort(COLON);
      ByteBufUtil.writeAscii(out, header.value());
      out.writeShort(CRLF);
    }
    if (length >= 0) {
      out.writeBytes(LENGTH);
      writeNumber(out, length);
      out.writeShort(CRLF);
    } else if (length == BodyLength.IN_CHUNKS) {
      out.writeBytes(CHUNKED);
    }
    if (closes) out.writeBytes(CLOSE);
    else if (isHttp10) out.writeBytes(KEEP_ALIVE);
    out.writeShort(CRLF);
  }

  private static void writeNumber(ByteBuf out, long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) digits++;
    out.ensureWritable(digits);
    int end = out.writerIndex() + digits;
    long rest = number;
    for (int i = end - 1; i >= end - digits; i--, rest /= 10)
      out.setByte(i, '0' + (int) (rest % 10));
    out.writerIndex(end);
  }
}
