package dev.kermes.http.internal.http1;

import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.internal.body.BodyLength;
import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.http.internal.files.CachedFile;
import dev.kermes.http.internal.files.FileResponse;
import dev.kermes.http.internal.files.FileTransfer;
import dev.kermes.http.internal.files.Ranges;
import dev.kermes.http.internal.syntax.Ascii;
import dev.kermes.net.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCounted;
import java.util.List;

/**
 * Writes the responses of an HTTP/1 connection: heads, and bodies that are complete. The connection
 * flushes, so that the responses of a pipeline leave together. Owned by the event loop.
 */
public final class Http1Output {

  private static final byte[] CONTINUE = Ascii.bytes("HTTP/1.1 100 Continue\r\n\r\n");

  /** 4 KiB: smaller bodies are copied behind the head, larger ones are sent without a copy. */
  private static final int COPIED_MAX = 4 * 1024;

  /** 16 KiB of a file are sent together with the head; 64 KiB were not better. */
  private static final int CORKED = 16 * 1024;

  private final ServerContext server;
  private final Channel channel;

  Http1Output(ServerContext server, Channel channel) {
    this.server = server;
    this.channel = channel;
  }

  void sendContinue() {
    channel.writeAndFlush(Unpooled.wrappedBuffer(CONTINUE));
  }

  void write(Http1Exchange exchange, Response response, byte[] body) {
    int status = response.status();
    boolean hasBody = status != 204 && status != 304 && status != 205;
    long length = hasBody || status == 205 ? body.length : BodyLength.NO_BODY;
    int sent = hasBody && !exchange.isHead() ? body.length : 0;
    boolean isCopied = sent <= COPIED_MAX;
    ByteBuf head = head(exchange, status, response.headers(), length, isCopied ? sent : 0);
    if (isCopied) head.writeBytes(body, 0, sent);
    write(head);
    if (!isCopied) write(Unpooled.wrappedBuffer(body));
  }

  void write(
      Http1Exchange exchange, FileResponse response, CachedFile file, FileTransfer transfer) {
    long length = response.hasBody() ? response.length() : BodyLength.NO_BODY;
    Ranges.Range range = response.onlyRange();
    boolean isCopied = transfer == FileTransfer.MEMORY && range != null && length <= COPIED_MAX;
    int copied = isCopied ? (int) length : 0;
    ByteBuf head = head(exchange, response.status(), response.headers(), length, copied);
    if (isCopied && range != null) file.copy(range.first(), copied, head);
    if (transfer == FileTransfer.NONE || isCopied) {
      write(head);
    } else if (transfer == FileTransfer.SENDFILE && range != null) {
      writeCorked(head, range, file);
    } else {
      write(head);
      for (ReferenceCounted part : response.messages(file, channel.alloc())) write(part);
    }
  }

  /**
   * Writes the head and the first bytes of the file as one packet, by corking the socket. A head
   * sent alone wakes the client for 200 bytes; with {@code ab}, 1 MB files and a connection per
   * request that cost a tenth of the rate. Corking for the whole file is worse: it halved the rate
   * of kept-alive connections.
   */
  private void writeCorked(ByteBuf head, Ranges.Range range, CachedFile file) {
    long corked = Math.min(CORKED, range.length());
    Transport.cork(channel, true);
    write(head);
    ChannelPromise sent = channel.voidPromise().unvoid();
    channel.write(
        file.slice(range.first(), corked),
        sent.addListener(done -> Transport.cork(channel, false)));
    if (corked == range.length()) return;
    write(file.slice(range.first() + corked, range.length() - corked));
  }

  /** Writes the head of a response whose body follows later. */
  void writeHead(Http1Exchange exchange, int status, List<Response.Header> headers, long length) {
    write(head(exchange, status, headers, length, 0));
  }

  /** Writes the answer to a request that did not arrive completely. */
  void writeTimeout() {
    Response response = StandardHttpResponses.problem(408, "").with("connection", "close");
    byte[] body = ((Response.Bytes) response.body()).bytes();
    ByteBuf head = buffer(response.headers(), body.length);
    ResponseHead.write(head, 408, response.headers(), body.length, false, false);
    write(head.writeBytes(body));
  }

  void sendUpgrade(List<Response.Header> headers) {
    ByteBuf head = buffer(headers, 0);
    ResponseHead.write(head, 101, headers, BodyLength.NO_BODY, false, false);
    channel.writeAndFlush(head);
  }

  private ByteBuf head(
      Http1Exchange exchange, int status, List<Response.Header> headers, long length, int more) {
    if (mustClose(exchange) || server.isStopping()) exchange.endsConnection();
    ByteBuf head = buffer(headers, more);
    ResponseHead.write(head, status, headers, length, !exchange.keepsAlive(), exchange.isHttp10());
    return head;
  }

  /** A client that got no 100 may send its body after the response or not at all. */
  private static boolean mustClose(Http1Exchange exchange) {
    return !exchange.isBodyDone() && exchange.expectsContinue();
  }

  private ByteBuf buffer(List<Response.Header> headers, int more) {
    return channel.alloc().directBuffer(ResponseHead.sizeMax(headers) + more);
  }

  /** Writes without a promise; a failure closes the connection. */
  private void write(Object message) {
    channel.write(message, channel.voidPromise());
  }
}
