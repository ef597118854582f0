package dev.kermes.http.internal.http2;

import dev.kermes.http.Response;
import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.exchange.Exchange;
import dev.kermes.http.internal.exchange.Request;
import dev.kermes.http.internal.exchange.Upgrade;
import dev.kermes.http.internal.files.CachedFile;
import dev.kermes.http.internal.files.FileResponse;
import dev.kermes.http.internal.files.FileTransfer;
import io.netty.channel.EventLoop;
import java.util.List;

/** A request of an HTTP/2 connection and its response. */
public final class Http2Exchange extends Exchange {

  private final Http2StreamHandler stream;

  Http2Exchange(
      Http2StreamHandler stream, boolean isHead, boolean hasBody, boolean expectsContinue) {
    super(stream.server(), isHead, hasBody, expectsContinue);
    this.stream = stream;
  }

  @Override
  public String protocol() {
    return "HTTP/2";
  }

  @Override
  public boolean isEncrypted() {
    return stream.isEncrypted();
  }

  @Override
  public String remoteAddress() {
    return stream.remoteAddress();
  }

  @Override
  public EventLoop loop() {
    return stream.channel().eventLoop();
  }

  @Override
  public void resume() {
    executeOnLoop(stream::resume);
  }

  @Override
  public void sendContinue() {
    stream.sendContinue();
  }

  @Override
  public void refuse(int status) {
    stream.refuse(status);
  }

  @Override
  public void send(Response response, byte[] body) {
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
  public void upgrade(Request request, Upgrade upgrade) {
    throw new IllegalStateException("WebSocket handshakes need HTTP/1.1");
  }

  @Override
  public void abort() {
    executeOnLoop(stream::abort);
  }
}
