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
  boolean hasSendfile() {
    return false;
  }

  @Override
  void send(FileResponse reply, CachedFile file) {
    stream.send(reply, file);
  }

  @Override
  BodyStream open(int status, List<Response.Header> headers, long length) {
    return stream.open(status, headers, length);
  }

  @Override
  void upgrade(HttpMessage request, WebSocketRoute route) {
    throw new IllegalStateException("WebSocket handshakes need HTTP/1.1");
  }

  @Override
  void abort() {
    executeOnLoop(stream::abort);
  }
}
