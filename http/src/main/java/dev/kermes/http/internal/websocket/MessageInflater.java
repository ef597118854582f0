package dev.kermes.http.internal.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses messages of a WebSocket; RFC 7692, 7.2.2. A message is compressed if the bit RSV1 of
 * its first frame is set:
 *
 * <pre>
 *   first frame, RSV1 | continuation, no RSV | ... | last frame, no RSV | 00 00 ff ff, added here
 * </pre>
 *
 * <p>A client may end the DEFLATE stream within a message (7.2.3.4); the next byte then begins
 * another stream. Owned by the event loop.
 */
public final class MessageInflater extends MessageToMessageDecoder<WebSocketFrame> {

  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  private static final int RSV1 = 4;

  private final int messageMax;
  private final Inflater inflater = new Inflater(true);
  private final byte[] piece = new byte[8192];
  private boolean isCompressed;
  private int length;

  MessageInflater(int messageMax) {
    super(WebSocketFrame.class);
    this.messageMax = messageMax;
  }

  @Override
  protected void decode(ChannelHandlerContext context, WebSocketFrame frame, List<Object> out) {
    boolean begins = frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
    int allowed = begins ? RSV1 : 0;
    if ((frame.rsv() & ~allowed) != 0) {
      throw failure(WebSocketCloseStatus.PROTOCOL_ERROR, "reserved bits: rsv=" + frame.rsv());
    }
    if (begins) {
      isCompressed = frame.rsv() == RSV1;
      length = 0;
    }
    boolean isData = begins || frame instanceof ContinuationWebSocketFrame;
    out.add(isData && isCompressed ? inflated(frame) : frame.retain());
  }

  private WebSocketFrame inflated(WebSocketFrame frame) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    inflate(ByteBufUtil.getBytes(frame.content()), out);
    if (frame.isFinalFragment()) inflate(TAIL, out);
    boolean isLast = frame.isFinalFragment();
    ByteBuf content = Unpooled.wrappedBuffer(out.toByteArray());
    return switch (frame) {
      case TextWebSocketFrame text -> new TextWebSocketFrame(isLast, 0, content);
      case BinaryWebSocketFrame binary -> new BinaryWebSocketFrame(isLast, 0, content);
      default -> new ContinuationWebSocketFrame(isLast, 0, content);
    };
  }

  private void inflate(byte[] bytes, ByteArrayOutputStream out) {
    inflater.setInput(bytes);
    try {
      while (true) {
        int count = inflater.inflate(piece);
        if (count > 0) add(count, out);
        else if (inflater.finished() && inflater.getRemaining() > 0) begin(bytes);
        else if (inflater.finished() || inflater.needsInput()) break;
        else throw failure(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "a dictionary is needed");
      }
    } catch (DataFormatException e) {
      throw failure(WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not DEFLATE: " + e.getMessage());
    }
    if (inflater.finished()) inflater.reset();
  }

  private void add(int count, ByteArrayOutputStream out) {
    length += count;
    if (length > messageMax) throw new TooLongFrameException("message too long: max=" + messageMax);
    out.write(piece, 0, count);
  }

  /** Begins another stream, at the first byte that the previous one has not consumed. */
  private void begin(byte[] bytes) {
    int left = inflater.getRemaining();
    inflater.reset();
    inflater.setInput(bytes, bytes.length - left, left);
  }

  private static CorruptedWebSocketFrameException failure(WebSocketCloseStatus code, String why) {
    return new CorruptedWebSocketFrameException(code, why);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    inflater.end();
  }
}
