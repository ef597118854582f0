package dev.kermes.http.internal.exchange;

import dev.kermes.http.AccessLog;
import dev.kermes.http.HttpException;
import dev.kermes.http.HttpHandler;
import dev.kermes.http.HttpLimits;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.internal.body.BodyException;
import dev.kermes.http.internal.body.BodyLength;
import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.body.RequestBody;
import dev.kermes.http.internal.connection.HandlerThreads;
import dev.kermes.http.internal.files.FileCache;
import dev.kermes.http.internal.files.FileResponder;
import dev.kermes.http.internal.files.FileTarget;
import dev.kermes.http.internal.negotiation.Compression;
import dev.kermes.http.internal.negotiation.ErrorPage;
import dev.kermes.http.internal.routing.Router;
import dev.kermes.http.internal.syntax.HeaderSyntax;
import dev.kermes.http.internal.syntax.RequestPath;
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
 * One request and its response, independent of the protocol: finds the handler, runs it and hands
 * the response to the event loop. Blocking work runs on virtual threads.
 *
 * <pre>
 *   begin -> route -> [collect body] -> handler -> respond -> compress -> send
 * </pre>
 *
 * <p>The handler and the server race for the response (a timeout or a refused body is answered by
 * the server): the first one to change {@link #answered} sends it.
 */
public abstract class Exchange implements RequestBody.Source, FileTarget {

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /** Shared by all threads; it is never modified, because they would contend for its lock. */
  private static final RequestBody NO_BODY = RequestBody.empty();

  private static final Runnable NOTHING = () -> {};

  protected final ServerContext server;

  /** The party that has answered. */
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

  public Exchange(ServerContext server, boolean isHead, boolean hasBody, boolean expectsContinue) {
    this.server = server;
    this.isHead = isHead;
    this.expectsContinue = hasBody && expectsContinue;
    body = hasBody ? new RequestBody(this, server.limits().bodyMax(), server.bodies()) : NO_BODY;
    startNanos = server.log() == null ? 0 : System.nanoTime();
  }

  public abstract String protocol();

  public abstract boolean isEncrypted();

  public abstract String remoteAddress();

  public abstract EventLoop loop();

  public abstract void sendContinue();

  /** Answers a request that is refused before it reaches a handler; on the loop. */
  public abstract void refuse(int status);

  /** Sends a response with its complete body; on the loop. */
  public abstract void send(Response response, byte[] body);

  /**
   * Sends the head, and returns the stream for the body; not on the loop.
   *
   * @param length length of the body, or {@link BodyLength#IN_CHUNKS} if it is unknown
   */
  @Override
  public abstract BodyStream open(int status, List<Response.Header> headers, long length);

  /** Hands the connection over to another protocol, after a valid handshake; on the loop. */
  public abstract void upgrade(Request request, Upgrade upgrade);

  /** Aborts a response that has begun and cannot continue. Any thread. */
  @Override
  public abstract void abort();

  // ---- the request

  /** Starts the exchange: finds the route and runs its handler; on the loop. */
  public final void begin(String method, String target, HttpHeaders headers) {
    RequestPath path = RequestPath.of(target);
    if (path != null && !applyAuthority(target, headers)) path = null;
    if (path == null && method.equals("OPTIONS") && target.equals("*")) {
      path = new RequestPath("*", null);
    }
    if (path == null) refuse(400);
    else route(new Request(method, path, headers, this));
  }

  /**
   * Replaces the field Host by the authority of a target in absolute form; RFC 9112, 3.2.2. Returns
   * false if the authority is invalid.
   */
  private static boolean applyAuthority(String target, HttpHeaders headers) {
    String authority = RequestPath.authority(target);
    if (authority == null) return true;
    if (authority.isEmpty() || !HeaderSyntax.isHost(authority)) return false;
    headers.set(HttpHeaderNames.HOST, authority);
    return true;
  }

  private void route(Request request) {
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

  /** Whether content-length declares a body longer than {@code max}. */
  public static boolean declaresMoreThan(HttpHeaders fields, long max) {
    return declaredLength(fields) > max;
  }

  /** The value of content-length, which has been validated; -1 if there is none. */
  static long declaredLength(HttpHeaders fields) {
    String length = fields.get(HttpHeaderNames.CONTENT_LENGTH);
    return length == null ? -1 : Long.parseLong(length);
  }

  /** The longest body allowed; less if it is collected in memory for a handler on the loop. */
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

  @Override
  public final boolean isHead() {
    return isHead;
  }

  // ---- the request's body; on the loop

  public final RequestBody body() {
    return body;
  }

  public final boolean hasBody() {
    return body != NO_BODY;
  }

  /** Adds {@code piece}, whose ownership it takes; false if the connection must stop reading. */
  public final boolean add(ByteBuf piece) {
    if (!hasBody()) {
      piece.release();
      return true;
    }
    bodyLength += piece.readableBytes();
    boolean hasRoom = body.add(piece);
    return hasRoom || isCollecting();
  }

  /** Whether the body is collected in memory for a handler that runs when it is complete. */
  private boolean isCollecting() {
    return whenBodyComplete != NOTHING;
  }

  /** 0, or the status with which to refuse the part of the body received so far. */
  public final int bodyRefusal() {
    if (bodyLength > lengthMax(isCollecting())) return 413;
    return hasBody() && !isAnswered() && server.bodies().isFull() ? 503 : 0;
  }

  public final long bodyLength() {
    return bodyLength;
  }

  public final void bodyEnded() {
    isBodyDone = true;
    if (hasBody()) body.end();
    Runnable work = whenBodyComplete;
    whenBodyComplete = NOTHING;
    work.run();
  }

  /** Discards the body, both the part received and the part to come. */
  public final void abandonBody() {
    if (hasBody()) body.abandon();
  }

  public final boolean isBodyDone() {
    return isBodyDone;
  }

  /** Whether the client may still be waiting for a 100 before it sends its body. */
  public final boolean expectsContinue() {
    return expectsContinue;
  }

  /** Sends 100 Continue if the client waits for it; RFC 9110, 10.1.1. */
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
    else HandlerThreads.start(() -> run(request, handler));
  }

  private void run(HttpMessage request, HttpHandler handler) {
    try {
      handler.handle(request);
    } catch (Throwable e) {
      fail(request, e);
    }
  }

  /**
   * Answers for a handler that threw. If there has been an answer already, for example because the
   * server refused the body, an exception from reading the body is only a consequence and ignored.
   */
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

  @Override
  public final void offLoop(Runnable work) {
    if (loop().inEventLoop()) HandlerThreads.start(work);
    else work.run();
  }

  @Override
  public final FileCache files() {
    return server.files();
  }

  @Override
  public final void onLoop(Runnable work) {
    if (loop().inEventLoop()) work.run();
    else executeOnLoop(work);
  }

  /** Queues work for the event loop; drops it if the server, and so the connection, is closed. */
  public final void executeOnLoop(Runnable work) {
    try {
      loop().execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed already", e);
    }
  }

  // ---- the response

  public final boolean isAnswered() {
    return answered.get() != Answer.NONE;
  }

  /** Claims the answer for the server, instead of the handler; false if there has been one. */
  public final boolean claimServerAnswer() {
    return answered.compareAndSet(Answer.NONE, Answer.SERVER);
  }

  /**
   * Sends the handler's response, unless the server has answered. Any thread.
   *
   * @throws IllegalStateException if the handler has responded before
   */
  public final void respond(HttpMessage request, Response response) {
    if (!answer(request, response) && answered.get() != Answer.SERVER) {
      throw new IllegalStateException("answered already: path=" + request.path());
    }
  }

  /** Sends a response if there has been none. */
  private boolean answer(HttpMessage request, Response response) {
    if (!answered.compareAndSet(Answer.NONE, Answer.HANDLER)) return false;
    if (!server.compresses() || Compression.isFile(response)) send(request, response);
    else offLoop(() -> send(request, Compression.of(request, response)));
    return true;
  }

  private void send(HttpMessage request, Response response) {
    switch (response.body()) {
      case Response.Bytes body -> sendBytes(request, response, body.bytes());
      case Response.File file -> new FileResponder(this, request, response).send(file);
      case Response.DirectoryFile file -> new FileResponder(this, request, response).send(file);
      case Response.Stream stream -> offLoop(() -> stream(request, response, stream.writer()));
    }
  }

  @Override
  public final void sendBytes(HttpMessage request, Response response, byte[] bytes) {
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
      BodyStream out = open(response.status(), response.headers(), BodyLength.IN_CHUNKS);
      writer.writeTo(out);
      out.close(); // not after a failure: the client must not take the body for complete
    } catch (Exception e) {
      boolean isGone = e instanceof IOException || e instanceof RejectedExecutionException;
      if (!isGone) LOG.error("body failed: path={}", request.path(), e);
      abort();
    }
  }

  @Override
  public final void log(HttpMessage request, int status, long length) {
    AccessLog log = server.log();
    if (log != null) log.answered(request, status, length, System.nanoTime() - startNanos);
  }
}
