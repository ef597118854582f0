package dev.kermes.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.OutputStream;

/** A request of an HTTP/1 connection, until both it and its response are through. */
final class Http1Exchange extends Exchange implements RequestBody.Source {

  private static final RequestBody NO_BODY = RequestBody.empty();
  private static final Runnable NOTHING = () -> {};

  private final Http1Connection connection;
  private final RequestBody body;
  private final boolean isHttp10;
  private final boolean isHead;
  private final long startNanos;
  private boolean keepsAlive;
  private boolean expectsContinue;
  private boolean isBodyDone;
  private boolean isResponseDone;
  private Runnable whenBodyIsHere = NOTHING;
  private long bodyLength;

  /** {@code isSound}: whether what the request says of its body can be believed. */
  Http1Exchange(Http1Connection connection, HttpRequest request, boolean isSound) {
    super(connection.site());
    this.connection = connection;
    isHttp10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    isHead = request.method().name().equals("HEAD");
    keepsAlive = HttpUtil.isKeepAlive(request);
    boolean hasBody =
        isSound
            && (HttpUtil.isTransferEncodingChunked(request)
                || HttpUtil.getContentLength(request, 0L) > 0);
    body = hasBody ? new RequestBody(this, site.limits().bodyMax()) : NO_BODY;
    expectsContinue = hasBody && !isHttp10 && HttpUtil.is100ContinueExpected(request);
    startNanos = site.log() == null ? 0 : System.nanoTime();
  }

  // ---- the request's body; on the loop

  boolean hasBody() {
    return body != NO_BODY;
  }

  /** Has {@code work} done when the body is complete, which is kept in memory until then. */
  void whenBodyIsHere(Runnable work) {
    whenBodyIsHere = work;
    if (expectsContinue) wanted();
  }

  /** Takes {@code piece} over; false if no more shall be read for now. */
  boolean add(ByteBuf piece) {
    bodyLength += piece.readableBytes();
    boolean hasRoom = body.add(piece);
    return hasRoom || isCollecting();
  }

  /** Whether the body is kept in memory for a handler that runs when it is complete. */
  boolean isCollecting() {
    return whenBodyIsHere != NOTHING;
  }

  long bodyLength() {
    return bodyLength;
  }

  void bodyEnded() {
    isBodyDone = true;
    body.end();
    Runnable work = whenBodyIsHere;
    whenBodyIsHere = NOTHING;
    work.run();
  }

  boolean isBodyDone() {
    return isBodyDone;
  }

  boolean isResponseDone() {
    return isResponseDone;
  }

  /** The handler wants the body: RFC 9110, 10.1.1. */
  @Override
  public void wanted() {
    connection
        .loop()
        .execute(() -> {
          if (!expectsContinue || isAnswered()) return;
          expectsContinue = false;
          connection.sendContinue();
        });
  }

  @Override
  public void resume() {
    connection.loop().execute(connection::resume);
  }

  // ---- the response

  boolean keepsAlive() {
    return keepsAlive;
  }

  void endsConnection() {
    keepsAlive = false;
  }

  boolean isHttp10() {
    return isHttp10;
  }

  boolean isHead() {
    return isHead;
  }

  /** Whether the client may be waiting for a 100 that it never got, and keep its body. */
  boolean expectsContinue() {
    return expectsContinue;
  }

  void responseDone() {
    isResponseDone = true;
    if (!isBodyDone) body.abandon();
  }

  void log(HttpMessage request, int status, long length) {
    AccessLog log = site.log();
    if (log != null) log.answered(request, status, length, System.nanoTime() - startNanos);
  }

  @Override
  String protocol() {
    return isHttp10 ? "HTTP/1.0" : "HTTP/1.1";
  }

  @Override
  String remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  RequestBody body() {
    return body;
  }

  @Override
  EventLoop loop() {
    return connection.loop();
  }

  @Override
  void send(HttpMessage request, Response response, byte[] bytes) {
    log(request, response.status(), bytes.length);
    connection.send(this, response, bytes);
  }

  @Override
  void send(HttpMessage request, FileReply reply, CachedFile file) {
    log(request, reply.status(), reply.length());
    connection.send(this, reply, file);
  }

  @Override
  OutputStream open(HttpMessage request, Response response) {
    loop().execute(() -> log(request, response.status(), -1));
    return connection.open(this, response);
  }

  @Override
  void abort() {
    loop().execute(connection::close);
  }
}
