package dev.kermes.http.internal.http1;

import dev.kermes.http.Response;
import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.exchange.Exchange;
import dev.kermes.http.internal.exchange.Request;
import dev.kermes.http.internal.exchange.Upgrade;
import dev.kermes.http.internal.files.CachedFile;
import dev.kermes.http.internal.files.FileResponse;
import dev.kermes.http.internal.files.FileTransfer;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/** A request of an HTTP/1 connection and its response, until both are complete. */
public final class Http1Exchange extends Exchange {

  private final Http1Connection connection;
  private final boolean isSound;
  private final boolean isHttp10;
  private boolean keepsAlive;
  private boolean isResponseDone;

  /** {@code isSound}: whether the request's declaration of its body can be trusted. */
  Http1Exchange(Http1Connection connection, HttpRequest request, boolean isSound) {
    super(
        connection.server(),
        request.method().name().equals("HEAD"),
        isSound && hasBody(request),
        HttpUtil.is100ContinueExpected(request));
    this.connection = connection;
    this.isSound = isSound;
    isHttp10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    keepsAlive = HttpUtil.isKeepAlive(request);
  }

  private static boolean hasBody(HttpRequest request) {
    return HttpUtil.isTransferEncodingChunked(request)
        || HttpUtil.getContentLength(request, 0L) > 0;
  }

  /** Whether the client may still be sending parts of the request. */
  boolean isUnread() {
    return !isSound || hasBody() && !isBodyDone();
  }

  boolean isResponseDone() {
    return isResponseDone;
  }

  boolean keepsAlive() {
    return keepsAlive;
  }

  void endsConnection() {
    keepsAlive = false;
  }

  boolean isHttp10() {
    return isHttp10;
  }

  void responseDone() {
    isResponseDone = true;
    abandonBody();
  }

  @Override
  public String protocol() {
    return isHttp10 ? "HTTP/1.0" : "HTTP/1.1";
  }

  @Override
  public boolean isEncrypted() {
    return connection.isEncrypted();
  }

  @Override
  public String remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public EventLoop loop() {
    return connection.channel().eventLoop();
  }

  @Override
  public void resume() {
    executeOnLoop(connection::resume);
  }

  @Override
  public void sendContinue() {
    connection.sendContinue();
  }

  @Override
  public void refuse(int status) {
    connection.refuse(this, status);
  }

  @Override
  public void send(Response response, byte[] bytes) {
    connection.send(this, response, bytes);
  }

  @Override
  public boolean hasSendfile() {
    return !connection.isEncrypted();
  }

  @Override
  public void send(FileResponse response, CachedFile file, FileTransfer transfer) {
    connection.send(this, response, file, transfer);
  }

  @Override
  public BodyStream open(int status, List<Response.Header> headers, long length) {
    return connection.open(this, status, headers, length);
  }

  @Override
  public void upgrade(Request request, Upgrade upgrade) {
    if (!claimServerAnswer()) return;
    log(request, 101, -1);
    executeOnLoop(() -> connection.upgrade(this, request, upgrade));
  }

  @Override
  public void abort() {
    executeOnLoop(connection::close);
  }
}
