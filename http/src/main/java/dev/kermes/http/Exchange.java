package dev.kermes.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request on its way through a connection, whatever the protocol: finds the handler, runs it and
 * brings the response to the loop in the form that it is sent in. What blocks is done on virtual
 * threads.
 */
abstract class Exchange implements RequestBody.Source {

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /** Shared by all threads: nothing is done to it, or they would wait for each other. */
  private static final RequestBody NO_BODY = RequestBody.empty();

  private static final Runnable NOTHING = () -> {};

  protected final ServerContext server;

  /** Who has answered. */
  private enum Answer {
    NONE,
    HANDLER,
    SERVER
  }

  private final AtomicReference<Answer> answered = new AtomicReference<>(Answer.NONE);
  private final RequestBody body;
  private final boolean isHead;
  private final long startNanos;
  private boolean expectsContinue;
  private boolean isBodyDone;
  private long bodyLength;
  private Runnable whenBodyComplete = NOTHING;

  Exchange(ServerContext server, boolean isHead, boolean hasBody, boolean expectsContinue) {
    this.server = server;
    this.isHead = isHead;
    this.expectsContinue = hasBody && expectsContinue;
    body = hasBody ? new RequestBody(this, server.limits().bodyMax(), server.bodies()) : NO_BODY;
    startNanos = server.log() == null ? 0 : System.nanoTime();
  }

  abstract String protocol();

  abstract boolean isEncrypted();

  abstract String remoteAddress();

  abstract EventLoop loop();

  abstract void sendContinue();

  /** Answers what is no request, in its place; on the loop. */
  abstract void refuse(int status);

  /** Sends a response whose body is there; on the loop. */
  abstract void send(Response response, byte[] body);

  /** Whether {@link #send(FileResponse, CachedFile)} can send every file without reading it. */
  abstract boolean hasSendfile();

  /** Sends what {@code reply} says of a file; on the loop. */
  abstract void send(FileResponse reply, CachedFile file);

  /**
   * Sends the head, and returns what sends the body; not on the loop.
   *
   * @param length of the body, or {@link ResponseHead#IN_CHUNKS} if it is not known
   */
  abstract BodyStream open(int status, List<Response.Header> headers, long length);

  /** Makes a WebSocket of the connection, after a handshake that is right; on the loop. */
  abstract void upgrade(HttpMessage request, WebSocketRoute route);

  /** Ends a response that has begun and cannot go on. Any thread. */
  abstract void abort();

  // ---- the request

  /** Takes the head: finds the route and runs its handler; on the loop. */
  final void begin(String method, String target, HttpHeaders headers) {
    RequestPath path = RequestPath.of(target);
    if (path != null && !applyAuthority(target, headers)) path = null;
    if (path == null && method.equals("OPTIONS") && target.equals("*")) {
      path = new RequestPath("*", null);
    }
    if (path == null) refuse(400);
    else route(new HttpMessage(method, path, headers, this));
  }

  /**
   * The authority of a target in absolute form counts, and not the field Host; RFC 9112, 3.2.2.
   * False if it is none.
   */
  private static boolean applyAuthority(String target, HttpHeaders headers) {
    String authority = RequestPath.authority(target);
    if (authority == null) return true;
    if (authority.isEmpty() || !RequestValidator.isHost(authority)) return false;
    headers.set(HttpHeaderNames.HOST, authority);
    return true;
  }

  private void route(HttpMessage request) {
    Router.Route route = server.router().find(request.method(), request.path());
    if (route == null) {
      respond(request, withoutRoute(request));
      return;
    }
    request.route(route);
    HttpHandler handler = route.handler();
    boolean isCollected = handler instanceof HttpHandler.OnLoop;
    if (hasBody() && declaresMoreThan(request.fields(), lengthMax(isCollected))) {
      if (claimServerAnswer()) refuse(413);
      return;
    }
    if (hasBody() && isCollected) {
      whenBodyComplete = () -> dispatch(request, handler);
      if (expectsContinue) bodyRequested();
    } else {
      dispatch(request, handler);
    }
  }

  /** Whether a body says at its beginning that it is longer than {@code max}. */
  static boolean declaresMoreThan(HttpHeaders fields, long max) {
    String length = fields.get(HttpHeaderNames.CONTENT_LENGTH);
    return length != null && Long.parseLong(length) > max;
  }

  /** The longest body, one that is kept in memory for a handler on the loop or any. */
  private long lengthMax(boolean isCollected) {
    HttpLimits limits = server.limits();
    return isCollected ? Math.min(limits.bodyMax(), limits.uploadMax()) : limits.uploadMax();
  }

  private Response withoutRoute(HttpMessage request) {
    Set<String> allowed = server.router().allowed(request.path());
    if (request.path().equals("*")) return StandardHttpResponses.noContent();
    if (allowed.isEmpty()) return StandardHttpResponses.notFound();
    String allow = String.join(", ", allowed);
    return request.method().equals("OPTIONS")
        ? StandardHttpResponses.noContent().with("allow", allow)
        : StandardHttpResponses.problem(405, "").with("allow", allow);
  }

  final boolean isHead() {
    return isHead;
  }

  // ---- its body; on the loop

  final RequestBody body() {
    return body;
  }

  final boolean hasBody() {
    return body != NO_BODY;
  }

  /** Takes {@code piece} over; false if no more shall be read for now. */
  final boolean add(ByteBuf piece) {
    if (!hasBody()) {
      piece.release();
      return true;
    }
    bodyLength += piece.readableBytes();
    boolean hasRoom = body.add(piece);
    return hasRoom || isCollecting();
  }

  /** Whether the body is kept in memory for a handler that runs when it is complete. */
  private boolean isCollecting() {
    return whenBodyComplete != NOTHING;
  }

  /** 0, or the status to refuse what has come of the body with. */
  final int bodyRefusal() {
    if (bodyLength > lengthMax(isCollecting())) return 413;
    return hasBody() && !isAnswered() && server.bodies().isFull() ? 503 : 0;
  }

  final long bodyLength() {
    return bodyLength;
  }

  final void bodyEnded() {
    isBodyDone = true;
    if (hasBody()) body.end();
    Runnable work = whenBodyComplete;
    whenBodyComplete = NOTHING;
    work.run();
  }

  /** Nobody reads the body any more, as far as it has come and what comes of it. */
  final void abandonBody() {
    if (hasBody()) body.abandon();
  }

  final boolean isBodyDone() {
    return isBodyDone;
  }

  /** Whether the client may be waiting for a 100 that it never got, and keep its body. */
  final boolean expectsContinue() {
    return expectsContinue;
  }

  /** The handler wants the body: RFC 9110, 10.1.1. */
  @Override
  public final void bodyRequested() {
    executeOnLoop(() -> {
      if (!expectsContinue || isAnswered()) return;
      expectsContinue = false;
      sendContinue();
    });
  }

  // ---- the handler

  private void dispatch(HttpMessage request, HttpHandler handler) {
    if (handler instanceof HttpHandler.OnLoop onLoop) run(request, onLoop.handler());
    else offLoop(() -> run(request, handler));
  }

  private void run(HttpMessage request, HttpHandler handler) {
    try {
      handler.handle(request);
    } catch (Throwable e) {
      fail(request, e);
    }
  }

  /** What ends a handler after the server has answered for it is its consequence, and not told. */
  private void fail(HttpMessage request, Throwable error) {
    if (isAnswered() && (error instanceof IOException || error instanceof HttpException)) return;
    Response response;
    if (error instanceof BodyException) {
      response = StandardHttpResponses.problem(400, "");
    } else if (error instanceof HttpException refusal) {
      response =
          StandardHttpResponses.problem(refusal.status(), String.valueOf(refusal.getMessage()));
    } else {
      LOG.error("handler failed: method={}, path={}", request.method(), request.path(), error);
      response = StandardHttpResponses.problem(500, "");
    }
    answer(request, response);
  }

  static void offLoop(Runnable work) {
    Thread.ofVirtual().name("kermes-http").start(work);
  }

  final void onLoop(Runnable work) {
    if (loop().inEventLoop()) work.run();
    else executeOnLoop(work);
  }

  /** Not at all if the server has been closed, which has closed the connection. */
  final void executeOnLoop(Runnable work) {
    try {
      loop().execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed already", e);
    }
  }

  // ---- the response

  final boolean isAnswered() {
    return answered.get() != Answer.NONE;
  }

  /** The server answers in the handler's place; false if there has been an answer. */
  final boolean claimServerAnswer() {
    return answered.compareAndSet(Answer.NONE, Answer.SERVER);
  }

  /** Any thread; IllegalStateException the second time, but not if the server was quicker. */
  final void respond(HttpMessage request, Response response) {
    if (!answer(request, response) && answered.get() != Answer.SERVER) {
      throw new IllegalStateException("answered already: path=" + request.path());
    }
  }

  /** Sends a response if there has been none. */
  private boolean answer(HttpMessage request, Response response) {
    if (!answered.compareAndSet(Answer.NONE, Answer.HANDLER)) return false;
    if (!server.compresses() || response.isFile()) send(request, response);
    else if (!loop().inEventLoop()) send(request, Compression.of(request, response));
    else offLoop(() -> send(request, Compression.of(request, response)));
    return true;
  }

  private void send(HttpMessage request, Response response) {
    switch (response.body()) {
      case Response.Bytes body -> sendBytes(request, response, body.bytes());
      case Response.File file -> new FileResponder(this, request, response).send(file);
      case Response.FolderFile file -> new FileResponder(this, request, response).send(file);
      case Response.Stream stream -> {
        if (loop().inEventLoop()) offLoop(() -> stream(request, response, stream.writer()));
        else stream(request, response, stream.writer());
      }
    }
  }

  /** Any thread. */
  final void sendBytes(HttpMessage request, Response response, byte[] bytes) {
    Response shown = ErrorPage.of(request, response);
    byte[] content =
        shown.body() instanceof Response.Bytes page && shown != response ? page.bytes() : bytes;
    onLoop(() -> {
      log(request, shown.status(), content.length);
      send(shown, content);
    });
  }

  private void stream(HttpMessage request, Response response, Response.BodyWriter writer) {
    try {
      executeOnLoop(() -> log(request, response.status(), -1));
      BodyStream out = open(response.status(), response.headers(), ResponseHead.IN_CHUNKS);
      writer.writeTo(out);
      out.close(); // only now: after a failure the client must not take it for the whole
    } catch (Exception e) {
      boolean isGone = e instanceof IOException || e instanceof RejectedExecutionException;
      if (!isGone) LOG.error("body failed: path={}", request.path(), e);
      abort();
    }
  }

  final void log(HttpMessage request, int status, long length) {
    AccessLog log = server.log();
    if (log != null) log.answered(request, status, length, System.nanoTime() - startNanos);
  }
}
