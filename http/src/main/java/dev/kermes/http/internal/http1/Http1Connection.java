package dev.kermes.http.internal.http1;

import dev.kermes.http.HttpLimits;
import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.internal.body.BodyLength;
import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.connection.LingeringClose;
import dev.kermes.http.internal.connection.TimedConnection;
import dev.kermes.http.internal.exchange.Request;
import dev.kermes.http.internal.exchange.ServerContext;
import dev.kermes.http.internal.exchange.Upgrade;
import dev.kermes.http.internal.files.CachedFile;
import dev.kermes.http.internal.files.FileResponse;
import dev.kermes.http.internal.files.FileTransfer;
import dev.kermes.http.internal.syntax.Addresses;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1 connection behind the decoder: handles one request at a time, in order. Messages of
 * later requests wait; beyond {@link #WAITING_MAX} of them the socket is not read.
 *
 * <pre>
 *   decoder -> [waiting] -> current: head -> handler -> response
 *                                    body -------^
 * </pre>
 *
 * <p>The next request begins when the body of the current one has been received, its response has
 * been written, and the client is reading. Owned by its event loop.
 */
public final class Http1Connection extends ChannelInboundHandlerAdapter implements TimedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(Http1Connection.class);

  private static final int WAITING_MAX = 64;

  /** 256 KiB: up to this much of an unwanted body is read in order to keep the connection. */
  private static final long UNWANTED_MAX = 256 * 1024;

  private final ServerContext server;
  private final Channel channel;
  private final Http1Output output;
  private final boolean isEncrypted;
  private final Deque<Object> waiting = new ArrayDeque<>(2);
  private @Nullable Http1Exchange current;
  private @Nullable BodyStream stream;
  private long unwanted;
  private boolean isReading;
  private boolean isClosing;
  private final ConnectionTimeouts timeouts;

  public Http1Connection(ServerContext server, Channel channel, ConnectionTimeouts timeouts) {
    this.server = server;
    this.channel = channel;
    output = new Http1Output(server, channel);
    isEncrypted = channel.pipeline().get(SslHandler.class) != null;
    this.timeouts = timeouts;
  }

  ServerContext server() {
    return server;
  }

  Channel channel() {
    return channel;
  }

  boolean isEncrypted() {
    return isEncrypted;
  }

  String remoteAddress() {
    return Addresses.text(channel.remoteAddress());
  }

  // ---- input

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    isReading = true;
    if (isClosing) {
      ReferenceCountUtil.release(message);
    } else if (!waiting.isEmpty() || message instanceof HttpRequest && !takesRequest()) {
      waiting.add(message);
      if (waiting.size() > WAITING_MAX) channel.config().setAutoRead(false);
    } else {
      take(message);
    }
  }

  private boolean takesRequest() {
    return current == null && channel.isWritable();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    isReading = false;
    channel.flush();
  }

  private void take(Object message) {
    if (message instanceof HttpRequest request) begin(request);
    else if (message instanceof HttpContent content) takeContent(content);
    else ReferenceCountUtil.release(message);
  }

  private void begin(HttpRequest message) {
    timeouts.recordRequestStart();
    int refusal = refusal(message);
    Http1Exchange exchange = new Http1Exchange(this, message, refusal == 0);
    current = exchange;
    if (refusal != 0) refuse(exchange, refusal);
    else exchange.begin(message.method().name(), message.uri(), message.headers());
  }

  private static int refusal(HttpRequest message) {
    if (message.decoderResult().isFailure()) return statusOf(message.decoderResult().cause());
    int refusal = RequestValidator.refusal(message);
    if (refusal != 0) return refusal;
    String expect = message.headers().get(HttpHeaderNames.EXPECT);
    return expect == null || expect.equalsIgnoreCase("100-continue") ? 0 : 417;
  }

  private static int statusOf(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) return 414;
    return cause instanceof TooLongHttpHeaderException ? 431 : 400;
  }

  /** Refuses a request and closes, because the start of the next request is unknown. */
  void refuse(Http1Exchange exchange, int status) {
    exchange.endsConnection();
    Response response = StandardHttpResponses.problem(status, "");
    send(exchange, response, ((Response.Bytes) response.body()).bytes());
  }

  private void takeContent(HttpContent content) {
    Http1Exchange exchange = current;
    if (exchange == null) {
      content.release();
      return;
    }
    timeouts.recordBodyProgress();
    if (content.decoderResult().isFailure()) {
      content.release();
      brokenBody(exchange, 400, "malformed body");
      return;
    }
    boolean hasRoom = exchange.add(content.content());
    int refusal = exchange.isResponseDone() ? 0 : exchange.bodyRefusal();
    if (exchange.isResponseDone()) {
      unwanted = exchange.bodyLength();
      if (unwanted > UNWANTED_MAX) {
        closeAfterOutput();
        return;
      }
    } else if (refusal != 0) {
      brokenBody(exchange, refusal, "body refused");
      return;
    } else if (!hasRoom) {
      channel.config().setAutoRead(false);
    }
    if (content instanceof LastHttpContent) {
      exchange.bodyEnded();
      nextIfDone();
    }
  }

  /**
   * Ends the connection after a broken body, because the end of the body is unknown. A response
   * that the handler has given, but that is not written yet, is sent before.
   */
  private void brokenBody(Http1Exchange exchange, int status, String why) {
    if (exchange.claimServerAnswer()) refuse(exchange, status);
    else if (exchange.isResponseDone()) closeAfterOutput();
    else if (stream != null) close();
    else exchange.endsConnection();
    exchange.body().fail(new IOException(why));
    exchange.abandonBody();
  }

  void resume() {
    if (waiting.size() <= WAITING_MAX) channel.config().setAutoRead(true);
  }

  // ---- output

  void sendContinue() {
    output.sendContinue();
  }

  void send(Http1Exchange exchange, Response response, byte[] body) {
    if (exchange != current) return;
    output.write(exchange, response, body);
    responseDone(exchange);
  }

  void send(Http1Exchange exchange, FileResponse response, CachedFile file, FileTransfer transfer) {
    if (exchange != current) return;
    output.write(exchange, response, file, transfer);
    responseDone(exchange);
  }

  /** Sends the head of a response whose body follows later. Any thread but the loop. */
  BodyStream open(Http1Exchange exchange, int status, List<Response.Header> headers, long length) {
    boolean hasLength = length != BodyLength.IN_CHUNKS;
    boolean endsWithConnection = !hasLength && exchange.isHttp10();
    Http1Body body = new Http1Body(this, exchange, !hasLength && !endsWithConnection);
    channel
        .eventLoop()
        .execute(() -> {
          if (exchange != current) {
            body.fail(new ClosedChannelException());
            return;
          }
          if (endsWithConnection) exchange.endsConnection();
          long told = endsWithConnection ? BodyLength.UNTIL_CLOSE : length;
          output.writeHead(exchange, status, headers, told);
          stream = body;
          channel.flush();
        });
    return body;
  }

  void responseDone(Http1Exchange exchange) {
    if (exchange != current) return;
    stream = null;
    exchange.responseDone();
    if (!exchange.keepsAlive()) {
      closeAfterOutput();
      return;
    }
    if (!isReading) channel.flush();
    if (!channel.config().isAutoRead()) resume();
    nextIfDone();
  }

  private void nextIfDone() {
    Http1Exchange exchange = current;
    if (exchange == null || !exchange.isBodyDone() || !exchange.isResponseDone()) return;
    current = null;
    timeouts.recordRequestEnd();
    if (!waiting.isEmpty()) channel.eventLoop().execute(this::takeWaiting);
  }

  /** Continues with waiting messages as long as the client reads the responses. */
  private void takeWaiting() {
    while (!isClosing && !waiting.isEmpty() && channel.isWritable()) {
      if (current != null && waiting.peek() instanceof HttpRequest) break;
      take(waiting.poll());
    }
    if (waiting.size() <= WAITING_MAX && !isClosing && current == null) resume();
    if (takesMore()) decodeMore();
    channel.flush();
  }

  /** Whether the decoder may continue; input after the end is decoded only to be released. */
  boolean takesMore() {
    return isClosing || waiting.size() <= WAITING_MAX;
  }

  private void decodeMore() {
    RequestDecoder decoder = channel.pipeline().get(RequestDecoder.class);
    try {
      if (decoder != null) decoder.decodeBuffered();
    } catch (Exception e) {
      exceptionCaught(e);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (stream != null) stream.writabilityChanged();
    if (channel.isWritable() && !waiting.isEmpty()) channel.eventLoop().execute(this::takeWaiting);
  }

  /** Hands the connection over to another protocol; the request must be complete. */
  void upgrade(Http1Exchange exchange, Request request, Upgrade upgrade) {
    if (exchange != current) return;
    if (!exchange.isBodyDone() || !waiting.isEmpty()) {
      refuse(exchange, 400);
      return;
    }
    output.sendUpgrade(upgrade.headers(request));
    current = null;
    upgrade.install(request, channel, timeouts, server.limits());
    channel.pipeline().remove(this);
    channel.pipeline().remove(RequestDecoder.class);
  }

  // ---- the end

  @Override
  public void checkTimes() {
    HttpLimits limits = server.limits();
    Http1Exchange exchange = current;
    if (timeouts.detectOutputStall(channel, limits)) close();
    else if (exchange == null && timeouts.isHeadLate(limits)) refuseLateHead();
    else if (exchange == null && timeouts.isIdleTooLong(limits)) closeAfterOutput();
    else if (exchange != null && !exchange.isBodyDone() && timeouts.isBodyLate(limits, channel)) {
      brokenBody(exchange, 400, "body too slow");
    } else if (exchange != null && !exchange.isAnswered() && timeouts.isAnswerLate(limits)) {
      answerLate(exchange);
    }
  }

  /** Answers 408 to a request that arrived only in part. */
  private void refuseLateHead() {
    output.writeTimeout();
    closeAfterOutput();
  }

  private void answerLate(Http1Exchange exchange) {
    LOG.warn("no answer in time: client={}", remoteAddress());
    if (exchange.claimServerAnswer()) refuse(exchange, 503);
  }

  boolean isIdle() {
    return current == null && waiting.isEmpty();
  }

  /** Closes an idle connection; others close after their response. */
  @Override
  public void stop() {
    if (isIdle()) closeAfterOutput();
  }

  private void closeAfterOutput() {
    if (isClosing) return;
    isClosing = true;
    boolean isThrough = current == null || waiting.isEmpty() && !current.isUnread();
    if (!isThrough) {
      String first = channel.pipeline().context(RequestDecoder.class).name();
      channel.pipeline().addBefore(first, null, new LingeringClose());
    }
    channel.config().setAutoRead(true);
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  void close() {
    isClosing = true;
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    isClosing = true;
    timeouts.closed();
    if (current != null && current.hasBody()) {
      current.body().fail(new ClosedChannelException());
      current.abandonBody();
    }
    if (stream != null) stream.fail(new ClosedChannelException());
    current = null;
    for (Object message : waiting) ReferenceCountUtil.release(message);
    waiting.clear();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    exceptionCaught(cause);
  }

  private void exceptionCaught(Throwable cause) {
    if (!(cause instanceof IOException)) LOG.warn("closing {}", remoteAddress(), cause);
    close();
  }
}
