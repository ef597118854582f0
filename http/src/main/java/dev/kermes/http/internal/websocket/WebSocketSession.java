package dev.kermes.http.internal.websocket;

import dev.kermes.http.HttpLimits;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.WebSocket;
import dev.kermes.http.WebSocketHandler;
import dev.kermes.http.internal.connection.ConnectionTimeouts;
import dev.kermes.http.internal.connection.TimedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtension;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that has become a WebSocket. Messages reach the handler one at a time; while too
 * many of them wait, the socket is not read. Owned by its event loop, except for sending, which any
 * thread may do.
 */
public final class WebSocketSession extends SimpleChannelInboundHandler<WebSocketFrame>
    implements TimedConnection {

  private static final Logger LOG = LoggerFactory.getLogger(WebSocketSession.class);

  /** 256 KiB of messages that wait for the handler: beyond that the socket is not read. */
  private static final int WAITING_MAX = 256 * 1024;

  /** Bytes counted per message in addition to its content, so that empty ones count as well. */
  private static final int OVERHEAD = 1024;

  /** 96: counted per message that has not been sent, so that empty ones count as well. */
  private static final int SENT_OVERHEAD = 96;

  /**
   * 512 KiB: with replies as long as their messages, less is pending when the socket is no longer
   * read and all messages that wait have been handled.
   */
  private static final int REPLIES_MAX = 2 * WAITING_MAX;

  /** 5 seconds for the client to answer the server's close frame. */
  private static final long CLOSE_SECONDS = 5;

  private final HttpLimits limits;
  private final Channel channel;
  private final ConnectionTimeouts timeouts;
  private final WebSocketHandler handler;
  private final WebSocket socket;
  private final SerialExecutor work = new SerialExecutor();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong pending = new AtomicLong();
  private volatile boolean isOpen = true;
  private @Nullable PongWebSocketFrame pong;
  private boolean isPingSent;
  private boolean isCloseReported;
  private int code = 1006;
  private String reason = "";

  WebSocketSession(
      HttpLimits limits,
      Channel channel,
      ConnectionTimeouts timeouts,
      WebSocketHandler handler,
      HttpMessage request,
      @Nullable String subprotocol) {
    this.limits = limits;
    this.channel = channel;
    this.timeouts = timeouts;
    this.handler = handler;
    socket = new ServerWebSocket(request, this, subprotocol);
  }

  void install(@Nullable DeflateOffer compression) {
    WebSocketDecoderConfig config =
        WebSocketDecoderConfig.newBuilder()
            .maxFramePayloadLength(limits.messageMax())
            .allowExtensions(compression != null)
            .closeOnProtocolViolation(false)
            .withUTF8Validator(false)
            .build();
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.addLast(new WebSocket13FrameDecoder(config), new WebSocket13FrameEncoder(false));
    if (compression != null) {
      pipeline.addLast(new MessageInflater(limits.messageMax()), deflater(compression));
    }
    pipeline.addLast(new Utf8FrameValidator(false));
    pipeline.addLast(new WebSocketFrameAggregator(limits.messageMax()), this);
    timeouts.opened(this);
    timeouts.recordRequestStart();
    work.add(() -> call(() -> handler.onOpen(socket)));
  }

  private static ChannelHandler deflater(DeflateOffer compression) {
    var handshaker = new PerMessageDeflateServerExtensionHandshaker(6, false, 15, true, true, 0);
    WebSocketServerExtension extension = handshaker.handshakeExtension(compression.data());
    return Objects.requireNonNull(extension).newExtensionEncoder();
  }

  // ---- input

  @Override
  protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
    timeouts.recordRequestEnd();
    isPingSent = false;
    switch (frame) {
      case TextWebSocketFrame text -> {
        String message = text.text();
        dispatch(text.content(), () -> handler.onText(socket, message));
      }
      case BinaryWebSocketFrame binary -> {
        byte[] message = ByteBufUtil.getBytes(binary.content());
        dispatch(binary.content(), () -> handler.onBinary(socket, message));
      }
      case PingWebSocketFrame ping -> answer(ping);
      case CloseWebSocketFrame close -> onCloseFrame(close);
      default -> {}
    }
  }

  /**
   * Answers a ping. While the client does not read, only the answer to its latest ping is kept; RFC
   * 6455, 5.5.3.
   */
  private void answer(PingWebSocketFrame ping) {
    ReferenceCountUtil.release(pong);
    pong = new PongWebSocketFrame(ping.content().retain());
    sendPong();
  }

  private void sendPong() {
    PongWebSocketFrame frame = pong;
    if (frame == null || !channel.isWritable()) return;
    pong = null;
    channel.writeAndFlush(frame);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    sendPong();
    readOn();
  }

  /** A call of one of the handler's methods. */
  private interface Call {
    void run() throws Exception;
  }

  private void dispatch(ByteBuf content, Call message) {
    if (!isOpen) return;
    int size = content.readableBytes() + OVERHEAD;
    if (waiting.addAndGet(size) > WAITING_MAX) channel.config().setAutoRead(false);
    work.add(() -> {
      call(message);
      long left = waiting.addAndGet(-size);
      boolean isHalf = left <= WAITING_MAX / 2 && left + size > WAITING_MAX / 2;
      if (isHalf) channel.eventLoop().execute(this::readOn);
    });
  }

  /**
   * Reads as long as few messages wait and the client reads as well: replies to one that does not
   * would fill the memory.
   */
  private void readOn() {
    if (isOpen) channel.config().setAutoRead(channel.isWritable() && waiting.get() <= WAITING_MAX);
  }

  private void call(Call call) {
    try {
      call.run();
    } catch (Exception | Error e) {
      LOG.error("handler failed: path={}", socket.request().path(), e);
      close(1011, "");
    }
  }

  /** Handles a close frame: the client's own, or its answer to the server's. */
  private void onCloseFrame(CloseWebSocketFrame frame) {
    int told = frame.statusCode() < 0 ? 1005 : frame.statusCode();
    if (isOpen) {
      code = told;
      reason = frame.reasonText();
      isOpen = false;
      finish(new CloseWebSocketFrame(true, 0, frame.content().retain()));
    } else {
      channel.close();
    }
  }

  private void finish(CloseWebSocketFrame frame) {
    channel.config().setAutoRead(true);
    channel.writeAndFlush(frame).addListener(ChannelFutureListener.CLOSE);
  }

  // ---- output

  boolean isOpen() {
    return isOpen;
  }

  CompletableFuture<Void> send(String text) {
    return send(new TextWebSocketFrame(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)));
  }

  CompletableFuture<Void> send(byte[] bytes) {
    return send(new BinaryWebSocketFrame(Unpooled.copiedBuffer(bytes)));
  }

  private CompletableFuture<Void> send(WebSocketFrame frame) {
    int size = frame.content().readableBytes() + SENT_OVERHEAD;
    if (!isOpen) return refused(frame, new ClosedChannelException());
    if (pending.get() > limits.messageMax() + REPLIES_MAX) {
      return refused(frame, new IOException("client too slow: pending=" + pending.get()));
    }
    pending.addAndGet(size);
    CompletableFuture<Void> sent = new CompletableFuture<>();
    channel
        .writeAndFlush(frame)
        .addListener(written -> {
          pending.addAndGet(-size);
          if (written.isSuccess()) sent.complete(null);
          else sent.completeExceptionally(new IOException(written.cause()));
        });
    return sent;
  }

  private static CompletableFuture<Void> refused(WebSocketFrame frame, IOException why) {
    frame.release();
    return CompletableFuture.failedFuture(why);
  }

  void close(int with, String why) {
    CloseWebSocketFrame frame =
        new CloseWebSocketFrame(new WebSocketCloseStatus(with, why)); // IllegalArgumentException
    channel
        .eventLoop()
        .execute(() -> {
          if (isOpen) closeFirst(frame, with, why);
          else frame.release();
        });
  }

  /** Sends the server's close frame and waits for the client's. */
  private void closeFirst(CloseWebSocketFrame frame, int with, String why) {
    code = with;
    reason = why;
    isOpen = false;
    channel.config().setAutoRead(true);
    channel.writeAndFlush(frame);
    channel.eventLoop().schedule(() -> channel.close(), CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  // ---- the end

  /** Pings a client that has been silent for the idle time; closes after the same time again. */
  @Override
  public void checkTimes() {
    if (timeouts.detectOutputStall(channel, limits)) {
      channel.close();
    } else if (timeouts.isIdleTooLong(limits) && channel.config().isAutoRead()) {
      if (isPingSent) channel.close();
      else channel.writeAndFlush(new PingWebSocketFrame());
      isPingSent = true;
      timeouts.recordRequestEnd();
    }
  }

  @Override
  public void stop() {
    close(1001, "server stops");
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    isOpen = false;
    ReferenceCountUtil.release(pong);
    pong = null;
    if (isCloseReported) return;
    isCloseReported = true;
    int told = code;
    String why = reason;
    work.add(() -> {
      try {
        handler.onClose(socket, told, why);
      } catch (Exception | Error e) {
        LOG.error("handler failed: path={}", socket.request().path(), e);
      }
    });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    WebSocketCloseStatus status = statusOf(cause);
    if (status == null) {
      if (!(cause instanceof IOException)) LOG.warn("closing {}", socket.request().path(), cause);
      channel.close();
    } else if (isOpen) {
      code = status.code();
      reason = status.reasonText();
      isOpen = false;
      finish(new CloseWebSocketFrame(status));
    } else {
      channel.close();
    }
  }

  private static @Nullable WebSocketCloseStatus statusOf(Throwable cause) {
    if (cause instanceof TooLongFrameException) return WebSocketCloseStatus.MESSAGE_TOO_BIG;
    if (cause instanceof CorruptedWebSocketFrameException corrupted) return corrupted.closeStatus();
    return cause instanceof CodecException ? WebSocketCloseStatus.PROTOCOL_ERROR : null;
  }
}
