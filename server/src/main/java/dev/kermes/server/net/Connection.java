package dev.kermes.server.net;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.kermes.net.HeapSocket;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.ClientConnection;
import dev.kermes.server.client.Clients;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.UnreadOutput;
import dev.kermes.server.engine.Engine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** A client's socket. Owned by its event loop, except for what {@link ClientConnection} offers. */
final class Connection extends ChannelInboundHandlerAdapter implements ClientConnection {

  private final Channel channel;
  private final Loop loop;

  /** 64 KiB: longer output with large values is not copied before the socket takes it. */
  private static final int WHOLE_OUTPUT_MAX = 64 * 1024;

  /**
   * 256 KiB: a piece of long output. Pieces of 32 KiB cost the kernel twice as much, since each
   * wakes the client; longer ones leave the caches between their copy and the socket.
   */
  private static final int PIECE_LENGTH = 256 * 1024;

  /** The time that a closing client has to read its last output. */
  private static final int LINGER_SECONDS = 10;

  private final AtomicBoolean wakes = new AtomicBoolean();

  private @Nullable Session session;
  private volatile @Nullable RequestReader reader;
  private boolean isClosing;
  private boolean isReading = true;
  private int looksLeft;
  private final UnreadOutput unreadOutput = new UnreadOutput();

  /** Output from a large value on, which is sent in pieces; null if there is none. */
  private volatile @Nullable UnsentOutput unsent;

  /** The socket, to send large values without copies; null until that is needed and possible. */
  private @Nullable HeapSocket heapSocket;

  /** The output of a client in the same JVM. */
  private final @Nullable InVmOutput inVm;

  /** The number of bytes received since the last turn. */
  private long received;

  Connection(Channel channel, Loop loop) {
    this.channel = channel;
    this.loop = loop;
    inVm = channel instanceof LocalChannel ? new InVmOutput(this::wake) : null;
  }

  /** Waiting input: an unfinished command, or commands of a client that may not continue. */
  @Nullable RequestReader reader() {
    return reader;
  }

  void reader(@Nullable RequestReader ownReader) {
    reader = ownReader;
  }

  Channel channel() {
    return channel;
  }

  /**
   * Frees the input of a client that is to be closed. The channel is closed by a task, and io_uring
   * may hand over a whole heap of other clients' input before the event loop runs one.
   */
  void dropInputIfClosing() {
    if (session != null && session.isClosing()) reader = null;
  }

  /** Returns a buffer for output. */
  ByteBuf newBuffer(int length) {
    return inVm == null ? channel.alloc().directBuffer(length) : inVm.newBuffer(length);
  }

  /** Whether more output may follow now; otherwise the connection wakes when it may. */
  boolean isWritable() {
    return channel.isWritable() && unsent == null && !waitsForReader();
  }

  /**
   * Whether output has to wait in {@link #unsent}: it has large values that the socket does not
   * take as one piece now, or follows output that waits. A client in the same JVM has no socket to
   * wait for.
   */
  boolean leavesUnsent(RespWriter out) {
    if (inVm != null) return false;
    if (unsent != null) return true;
    if (out.sharedCount() == 0 || out.length() <= WHOLE_OUTPUT_MAX) return false;
    return out.length() > PIECE_LENGTH || !channel.isWritable();
  }

  /** Adds output to what waits. */
  void addUnsent(RespWriter out, SpareReaders spares) {
    ByteBuf own = channel.alloc().heapBuffer(out.size());
    UnsentOutput waiting = unsent == null ? new UnsentOutput(spares) : unsent;
    waiting.add(out, own);
    unsent = waiting;
  }

  /**
   * Sends waiting output from its arrays, as far as the socket takes it now, if it begins with a
   * long value and the connection can. The rest is copied.
   */
  void sendUncopied() {
    UnsentOutput waiting = unsent;
    if (waiting == null || !waiting.beginsWithLongValue()) return;
    if (heapSocket == null) heapSocket = HeapSocket.of(channel);
    if (heapSocket == null || !hasNothingQueued()) return;
    waiting.sendTo(heapSocket);
    if (waiting.isEmpty()) unsent = null;
  }

  private boolean hasNothingQueued() {
    ChannelOutboundBuffer queued = channel.unsafe().outboundBuffer();
    return queued != null && queued.isEmpty() && queued.totalPendingWriteBytes() == 0;
  }

  /**
   * Takes the next piece of waiting output if the socket takes it now; null otherwise. The
   * connection asks its loop to send more when it may.
   */
  @Nullable ByteBuf pollUnsent() {
    UnsentOutput waiting = unsent;
    if (waiting == null || !channel.isWritable()) return null;
    ByteBuf piece = newBuffer((int) Math.min(waiting.bytes(), PIECE_LENGTH));
    waiting.moveTo(piece);
    if (waiting.isEmpty()) unsent = null;
    return piece;
  }

  /**
   * Whether the client's commands wait until it has read more replies: one in the same JVM has no
   * socket buffers that fill. The connection wakes then.
   */
  boolean waitsForReader() {
    return inVm != null && inVm.isFull();
  }

  /** Counts received bytes, which may not complete a command. */
  void received(int bytes) {
    received += bytes;
  }

  /** The number of bytes received since the last call. */
  long takeReceived() {
    long bytes = received;
    received = 0;
    return bytes;
  }

  /** The position up to which the append only file must be on disk before replies are sent. */
  long loggedOffset() {
    return session == null ? 0 : session.output().loggedOffset();
  }

  boolean isClosing() {
    return isClosing;
  }

  /**
   * Reads incoming data, or leaves them in the kernel's buffer. What a client in the same JVM has
   * sent is read by a task: its channel would read it within this call, and the caller may be about
   * to change the reader.
   */
  void reads(boolean isWanted) {
    if (isReading == isWanted) return;
    isReading = isWanted;
    if (isWanted) loop.unread().remove(this);
    else loop.unread().add(this);
    if (inVm == null || !isWanted) channel.config().setAutoRead(isWanted);
    else channel.eventLoop().execute(() -> channel.config().setAutoRead(isReading));
  }

  /**
   * Lets up to {@code reads} reads look for the end of the input, if only an event elsewhere would
   * otherwise let this client continue. The end comes after everything the client has sent, so each
   * read takes more input from a client that is still connected.
   */
  void looksForEnd(int reads) {
    boolean waits = session != null && session.isStopped() && session.output().tail() == null;
    looksLeft = waits && !isClosing ? reads : 0;
    looksOn();
  }

  /** Reads again to look for the end, after the last read's input was left unprocessed. */
  void looksOn() {
    if (looksLeft == 0) return;
    looksLeft--;
    channel.read();
  }

  /**
   * Closes a client whose pending output exceeds client-output-buffer-limit; returns the size of
   * that output.
   */
  long enforceOutputLimit(Engine engine) {
    long pending = pendingBytes();
    if (pending == 0 || session == null || isClosing) return pending;
    Clients clients = engine.clients();
    long now = engine.keyspace().clock().millis();
    if (unreadOutput.note(clients.outputLimit(session), pending, now)) {
      clients.closeForOutput(session, pending);
      closeNow();
    }
    return pending;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    session = loop.open(this);
  }

  /** Turns an established connection into the connection to the master. */
  void followsMaster() {
    session = loop.openMaster(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf input = (ByteBuf) message;
    try {
      if (session == null || isClosing) return;
      dropInputIfClosing();
      if (session.isClosing()) return;
      loop.input(this, session, input);
    } catch (OutOfMemoryError e) {
      outOfMemory(session, e);
    } finally {
      ReferenceCountUtil.release(input);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (session == null || !channel.isWritable()) return;
    loop.sendUnsent(this);
    if (session.output().tail() != null || session.replica() != null) wake();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent secured && secured.isSuccess()) identify();
    if (event != ChannelInputShutdownEvent.INSTANCE) return;
    // The client has closed: from now on it no longer counts, whatever the socket does later.
    endSession();
    channel.close();
  }

  private void identify() {
    Session client = session;
    SslHandler secured = channel.pipeline().get(SslHandler.class);
    if (client == null || secured == null) return;
    try {
      Certificate[] chain = secured.engine().getSession().getPeerCertificates();
      if (chain[0] instanceof X509Certificate own) loop.identified(client, own);
    } catch (SSLPeerUnverifiedException e) {
      return; // the client has no certificate
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    endSession();
  }

  private void endSession() {
    if (session != null) loop.close(session);
    session = null;
    reader = null;
    UnsentOutput waiting = unsent;
    unsent = null;
    if (waiting != null) waiting.clear();
    loop.unread().remove(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    loop.failed(session, cause);
    channel.close();
  }

  /** Whether a task to serve the connection is pending. */
  boolean isWoken() {
    return wakes.get();
  }

  @Override
  public void wake() {
    if (wakes.compareAndSet(false, true)) channel.eventLoop().execute(this::awake);
  }

  private void awake() {
    wakes.set(false);
    if (session == null) return;
    try {
      loop.resume(this, session);
    } catch (OutOfMemoryError e) {
      outOfMemory(session, e);
    }
  }

  /**
   * Closes a client whose reply is lost or incomplete, so that it cannot mistake it for a whole
   * one.
   */
  private void outOfMemory(@Nullable Session client, OutOfMemoryError cause) {
    closeNow();
    if (client != null) loop.ranOutOfMemory(client, cause);
  }

  @Override
  public void closeSoon() {
    wake();
  }

  /** Closes at once; input that arrives until then is ignored. */
  void closeNow() {
    isClosing = true;
    channel.close();
  }

  /** Stops reading, and closes once the pending output has been written. */
  void closeAfterOutput() {
    if (!channel.isOpen()) return;
    isClosing = true;
    reads(false);
    closeIfAllSent();
    if (channel.isOpen()) channel.eventLoop().schedule(this::closeNow, LINGER_SECONDS, SECONDS);
  }

  /** Closes a connection that {@link #closeAfterOutput} is to close, once nothing is unsent. */
  void closeIfAllSent() {
    if (!isClosing || unsent != null) return;
    ChannelFuture written = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    written.addListener(done -> channel.close());
  }

  @Override
  public long unreadBytes() {
    RequestReader own = reader;
    return own == null ? 0 : own.unparsed();
  }

  @Override
  public long inputBufferBytes() {
    RequestReader own = reader;
    return own == null ? 0 : own.capacity();
  }

  @Override
  public long pendingBytes() {
    if (inVm != null) return inVm.unread();
    UnsentOutput waiting = unsent;
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    return (waiting == null ? 0 : waiting.bytes())
        + (pending == null ? 0 : pending.totalPendingWriteBytes());
  }

  @Override
  public String peerAddress() {
    return text(channel.remoteAddress());
  }

  @Override
  public String localAddress() {
    return text(channel.localAddress());
  }

  @Override
  public boolean isFromThisMachine() {
    return !(channel.remoteAddress() instanceof InetSocketAddress peer)
        || peer.getAddress().isLoopbackAddress();
  }

  private static String text(@Nullable SocketAddress address) {
    if (address instanceof InetSocketAddress inet) {
      String host = inet.getAddress().getHostAddress();
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + inet.getPort();
    }
    return address == null ? "?:0" : address.toString();
  }
}
