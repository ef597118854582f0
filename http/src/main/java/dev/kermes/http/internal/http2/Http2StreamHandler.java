package dev.kermes.http.internal.http2;

import dev.kermes.http.HttpLimits;
import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.internal.body.BodyLength;
import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.connection.TimedConnection;
import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.http.internal.files.CachedFile;
import dev.kermes.http.internal.files.FileResponse;
import dev.kermes.http.internal.files.FileTransfer;
import dev.kermes.http.internal.syntax.Addresses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of an HTTP/2 connection: one request and its response.
 *
 * <pre>
 *   HEADERS -> handler -> HEADERS
 *   DATA ------^             `--> DATA, END_STREAM
 * </pre>
 *
 * <p>While a stream is not read, its client gets no further window. Owned by its event loop.
 */
public final class Http2StreamHandler extends ChannelInboundHandlerAdapter
    implements TimedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http2StreamHandler.class);

  /** The initial window of RFC 9113, 6.9.2. */
  static final int STANDARD_WINDOW = 65_535;

  /** 64 KiB: large bodies are written in pieces of this size, so that progress is visible. */
  private static final int PIECE = 64 * 1024;

  private final Http2Session session;
  private final Channel channel;
  private final ConnectionTimeouts timeouts;
  private @Nullable Http2Exchange exchange;
  private @Nullable BodyStream stream;
  private boolean isResponseDone;

  /** The last frame of the response's body. */
  private volatile @Nullable ChannelFuture end;

  private final AtomicLong pending = new AtomicLong();
  private final AtomicLong left = new AtomicLong();

  Http2StreamHandler(Http2Session session, Channel channel) {
    this.session = session;
    this.channel = channel;
    timeouts = session.timeouts().ofStream();
  }

  ServerContext server() {
    return session.server();
  }

  Channel channel() {
    return channel;
  }

  boolean isEncrypted() {
    return session.channel().pipeline().get(SslHandler.class) != null;
  }

  String remoteAddress() {
    return Addresses.text(session.channel().remoteAddress());
  }

  // ---- input

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Http2HeadersFrame head) takeHead(head);
    else if (message instanceof Http2DataFrame data) takeData(data);
    else ReferenceCountUtil.release(message);
  }

  private void takeHead(Http2HeadersFrame head) {
    if (exchange == null) begin(head.headers(), !head.isEndStream());
    else if (head.isEndStream() && !Http2Fields.hasPseudo(head.headers())) bodyEnded(exchange);
    else if (!isResponseDone) reset(Http2Error.PROTOCOL_ERROR); // trailers must end the stream
  }

  private void begin(Http2Headers headers, boolean hasBody) {
    session.timeouts().recordRequestStart();
    if (!Http2Fields.isRequest(headers)) {
      reset(Http2Error.PROTOCOL_ERROR);
      return;
    }
    timeouts.opened(this);
    timeouts.recordRequestStart();
    HttpHeaders fields = Http2Fields.request(headers);
    String method = String.valueOf(headers.method());
    boolean expectsContinue = fields.contains("expect");
    Http2Exchange begun = new Http2Exchange(this, method.equals("HEAD"), hasBody, expectsContinue);
    exchange = begun;
    if (!hasBody) begun.bodyEnded();
    int refusal = Http2Fields.refusal(headers, fields);
    if (refusal != 0) refuse(refusal);
    else begun.begin(method, headers.path().toString(), fields);
  }

  private void takeData(Http2DataFrame data) {
    Http2Exchange current = exchange;
    if (current == null || isResponseDone) {
      data.release();
      return;
    }
    timeouts.recordBodyProgress();
    boolean hasRoom = current.add(data.content());
    int refusal = current.bodyRefusal();
    if (refusal != 0) {
      brokenBody(current, refusal, "body refused");
      return;
    }
    if (!hasRoom) channel.config().setAutoRead(false);
    if (data.isEndStream()) bodyEnded(current);
  }

  private static void bodyEnded(Http2Exchange current) {
    if (!current.isBodyDone()) current.bodyEnded();
  }

  /** A response that the handler has given, but that is not written yet, is sent all the same. */
  private void brokenBody(Http2Exchange current, int status, String why) {
    if (current.claimServerAnswer()) refuse(status);
    else if (stream != null) abort();
    current.body().fail(new IOException(why));
    current.abandonBody();
  }

  void resume() {
    channel.config().setAutoRead(true);
  }

  // ---- output

  void sendContinue() {
    Http2Headers fields = Http2Fields.interim(100);
    channel.writeAndFlush(new DefaultHttp2HeadersFrame(fields, false));
  }

  void refuse(int status) {
    Response response = StandardHttpResponses.problem(status, "");
    send(response, ((Response.Bytes) response.body()).bytes());
  }

  void send(Response response, byte[] body) {
    int status = response.status();
    boolean hasBody = status != 204 && status != 304 && status != 205;
    long length = hasBody || status == 205 ? body.length : BodyLength.NO_BODY;
    boolean isSent = hasBody && body.length > 0 && !isHead();
    head(status, response.headers(), length, !isSent);
    if (isSent) data(Unpooled.wrappedBuffer(body), true);
    responseDone();
  }

  /** Sends parts of a file that is in memory, or none. */
  void send(FileResponse response, CachedFile file, FileTransfer transfer) {
    long length = response.hasBody() ? response.length() : BodyLength.NO_BODY;
    boolean isSent = transfer != FileTransfer.NONE;
    head(response.status(), response.headers(), length, !isSent);
    if (isSent) {
      Iterator<ReferenceCounted> parts = response.messages(file, channel.alloc()).iterator();
      while (parts.hasNext()) {
        ByteBuf part = (ByteBuf) parts.next();
        data(part, !parts.hasNext());
      }
    }
    responseDone();
  }

  private boolean isHead() {
    return exchange != null && exchange.isHead();
  }

  private void head(int status, List<Response.Header> headers, long length, boolean isEnd) {
    Http2Headers fields = Http2Fields.response(status, headers, length);
    channel.write(new DefaultHttp2HeadersFrame(fields, isEnd));
  }

  /** Writes DATA frames; takes ownership of {@code bytes}. */
  private void data(ByteBuf bytes, boolean isEnd) {
    while (bytes.readableBytes() > PIECE) frame(bytes.readRetainedSlice(PIECE), false);
    frame(bytes, isEnd);
  }

  /** Writes one DATA frame. Any thread. */
  private void frame(ByteBuf bytes, boolean isEnd) {
    int length = bytes.readableBytes();
    pending.addAndGet(length);
    ChannelFuture written = channel.write(new DefaultHttp2DataFrame(bytes, isEnd));
    written.addListener(through -> {
      pending.addAndGet(-length);
      left.addAndGet(length);
    });
    if (isEnd) end = written;
  }

  /** Sends the head of a response whose body follows later. Any thread but the loop. */
  BodyStream open(int status, List<Response.Header> headers, long length) {
    Http2Body body = new Http2Body();
    channel
        .eventLoop()
        .execute(() -> {
          if (isResponseDone || !channel.isActive()) {
            body.fail(new ClosedChannelException());
            return;
          }
          head(status, headers, length, false);
          stream = body;
          channel.flush();
        });
    return body;
  }

  /** A body in DATA frames, the last of which ends the stream. */
  private final class Http2Body extends BodyStream {
    Http2Body() {
      super(channel, Http2StreamHandler.this.isHead());
    }

    @Override
    protected void write(ByteBuf piece) {
      frame(piece, false); // from this thread, so that it counts towards writability at once
      channel.flush();
    }

    @Override
    protected void end() {
      frame(Unpooled.EMPTY_BUFFER, true);
      responseDone();
    }
  }

  /** Tells a client that is still sending its body to stop; RFC 9113, 8.1. */
  private void responseDone() {
    stream = null;
    isResponseDone = true;
    if (exchange != null) exchange.abandonBody();
    channel.flush();
    if (exchange != null && !exchange.isBodyDone()) stopUpload();
  }

  /** Resets after the response's last frame, because Netty sends a reset before queued data. */
  private void stopUpload() {
    ChannelFuture last = end;
    if (last == null) reset(Http2Error.NO_ERROR);
    else last.addListener(through -> reset(Http2Error.NO_ERROR));
  }

  void abort() {
    reset(Http2Error.INTERNAL_ERROR);
  }

  private void reset(Http2Error error) {
    channel.writeAndFlush(new DefaultHttp2ResetFrame(error));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (stream != null) stream.writabilityChanged();
  }

  // ---- the end

  @Override
  public void checkTimes() {
    HttpLimits limits = server().limits();
    Http2Exchange current = exchange;
    if (timeouts.detectStreamStall(pending.get(), left.get(), limits)) {
      reset(Http2Error.CANCEL);
    } else if (current != null && !current.isBodyDone() && timeouts.isBodyLate(limits, channel)) {
      brokenBody(current, 400, "body too slow");
    } else if (current != null && !current.isAnswered() && timeouts.isAnswerLate(limits)) {
      LOG.warn("no answer in time: client={}", remoteAddress());
      if (current.claimServerAnswer()) refuse(503);
    }
  }

  @Override
  public void stop() {}

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof Http2ResetFrame) ended();
    ReferenceCountUtil.release(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    timeouts.closed();
    ended();
  }

  private void ended() {
    if (exchange != null) {
      exchange.body().fail(new ClosedChannelException());
      exchange.abandonBody();
    }
    if (stream != null) stream.fail(new ClosedChannelException());
    isResponseDone = true;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("stream is reset: client={}", remoteAddress(), cause);
  }
}
