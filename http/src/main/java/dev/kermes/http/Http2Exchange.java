package dev.kermes.http;

import io.netty.channel.EventLoop;
import java.util.List;

/** A request of an HTTP/2 connection and its response. */
final class Http2Exchange extends Exchange {

  private final Http2StreamHandler stream;

  Http2Exchange(
      Http2StreamHandler stream, boolean isHead, boolean hasBody, boolean expectsContinue) {
    super(stream.server(), isHead, hasBody, expectsContinue);
    this.stream = stream;
  }

  @Override
  String protocol() {
    return "HTTP/2";
  }

  @Override
  boolean isEncrypted() {
    return stream.isEncrypted();
  }

  @Override
  String remoteAddress() {
    return stream.remoteAddress();
  }

  @Override
  EventLoop loop() {
    return stream.channel().eventLoop();
  }

  @Override
  public void resume() {
    executeOnLoop(stream::resume);
  }

  @Override
  void sendContinue() {
    stream.sendContinue();
  }

  @Override
  void refuse(int status) {
    stream.refuse(status);
  }

  @Override
  void send(Response response, byte[] body) {
    stream.send(response, body);
  }

  @Override
  public boolean hasSendfile() {
    return false;
  }

  @Override
  public void send(FileResponse response, CachedFile file, FileTransfer transfer) {
    stream.send(response, file, transfer);
  }

  @Override
  public BodyStream open(int status, List<Response.Header> headers, long length) {
    return stream.open(status, headers, length);
  }

  @Override
  void upgrade(Request request, Upgrade upgrade) {
    throw new IllegalStateException("WebSocket handshakes need HTTP/1.1");
  }

  @Override
  public void abort() {
    executeOnLoop(stream::abort);
  }
}
