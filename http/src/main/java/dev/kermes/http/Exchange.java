package dev.kermes.http;

import io.netty.channel.EventLoop;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request on its way through a connection, whatever the protocol: runs the handler and brings the
 * response to the loop in the form that it is sent in. What blocks is done on virtual threads.
 */
abstract class Exchange {

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  protected final Site site;
  private final AtomicBoolean isAnswered = new AtomicBoolean();

  Exchange(Site site) {
    this.site = site;
  }

  abstract String protocol();

  abstract String remoteAddress();

  abstract RequestBody body();

  abstract EventLoop loop();

  /** Sends a response whose body is there; on the loop. */
  abstract void send(HttpMessage request, Response response, byte[] body);

  /** Sends what {@code reply} says of a file, and lets go of it; on the loop. */
  abstract void send(HttpMessage request, FileReply reply, CachedFile file);

  /** Sends the head, and returns what sends the body; not on the loop. */
  abstract OutputStream open(HttpMessage request, Response response) throws IOException;

  /** Ends a response that has begun and cannot go on. Any thread. */
  abstract void abort();

  // ---- the handler

  /** Runs the handler of the request's route, where it wants to run; on the loop. */
  final void dispatch(HttpMessage request, HttpHandler handler) {
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
    if (isAnswered.get() && (error instanceof IOException || error instanceof HttpException))
      return;
    Response response;
    if (error instanceof HttpException refusal) {
      response =
          StandardHttpResponses.problem(refusal.status(), String.valueOf(refusal.getMessage()));
    } else {
      LOG.error("handler failed: method={}, path={}", request.method(), request.path(), error);
      response = StandardHttpResponses.problem(500, "");
    }
    answer(request, response);
  }

  private static void offLoop(Runnable work) {
    Thread.ofVirtual().name("kermes-http").start(work);
  }

  // ---- the response

  boolean isAnswered() {
    return isAnswered.get();
  }

  /** The server answers in the handler's place; false if there has been an answer. */
  boolean answerInstead() {
    return isAnswered.compareAndSet(false, true);
  }

  /** Any thread; IllegalStateException the second time. */
  final void respond(HttpMessage request, Response response) {
    if (!answer(request, response)) {
      throw new IllegalStateException("answered already: path=" + request.path());
    }
  }

  /** Sends a response if there has been none. */
  private boolean answer(HttpMessage request, Response response) {
    if (!isAnswered.compareAndSet(false, true)) return false;
    switch (response.body()) {
      case Response.Bytes body -> onLoop(() -> send(request, response, body.bytes()));
      case Response.File file -> respondFile(request, response, file.path());
      case Response.Stream stream -> {
        if (loop().inEventLoop()) offLoop(() -> stream(request, response, stream.writer()));
        else stream(request, response, stream.writer());
      }
    }
    return true;
  }

  private void onLoop(Runnable work) {
    if (loop().inEventLoop()) work.run();
    else loop().execute(work);
  }

  private void stream(HttpMessage request, Response response, Response.BodyWriter writer) {
    try {
      OutputStream out = open(request, response);
      writer.writeTo(out);
      out.close(); // only now: after a failure the client must not take it for the whole
    } catch (Exception e) {
      if (!(e instanceof IOException)) LOG.error("body failed: path={}", request.path(), e);
      abort();
    }
  }

  private void respondFile(HttpMessage request, Response response, Path path) {
    Path root = Folder.rootOf(request, path);
    String name = root == null ? path.toString() : root + "\0" + path;
    CachedFile known = site.files().peek(name);
    if (known != null) onLoop(() -> sendFile(request, response, known));
    else if (loop().inEventLoop()) offLoop(() -> openAndSend(request, response, name, path, root));
    else openAndSend(request, response, name, path, root);
  }

  private void openAndSend(
      HttpMessage request, Response response, String name, Path path, @Nullable Path root) {
    try {
      CachedFile file = site.files().open(name, path, root);
      onLoop(() -> sendFile(request, response, file));
    } catch (IOException e) {
      int status = statusOf(e);
      if (status == 500) LOG.error("cannot read: file={}", path, e);
      Response problem = StandardHttpResponses.problem(status, "");
      byte[] body = ((Response.Bytes) problem.body()).bytes();
      onLoop(() -> send(request, problem, body));
    }
  }

  private static int statusOf(IOException error) {
    if (error instanceof NoSuchFileException || error instanceof FileNotFoundException) return 404;
    if (error instanceof AccessDeniedException) return 403;
    // Not a directory, too many links, name too long: there is no such file.
    return error instanceof java.nio.file.FileSystemException ? 404 : 500;
  }

  private void sendFile(HttpMessage request, Response response, CachedFile file) {
    try {
      FileReply reply = FileReply.of(request, response, file);
      if (reply.status() >= 400) {
        Response problem = StandardHttpResponses.problem(reply.status(), "");
        for (Response.Header header : reply.headers()) {
          problem = problem.with(header.name(), header.value());
        }
        send(request, problem, ((Response.Bytes) problem.body()).bytes());
      } else {
        send(request, reply, file);
      }
    } finally {
      file.release();
    }
  }
}
