package dev.kermes.http.internal.files;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.StaticFiles;
import dev.kermes.http.internal.body.BodyStream;
import dev.kermes.http.internal.connection.HandlerThreads;
import dev.kermes.http.internal.negotiation.AcceptEncoding;
import io.netty.buffer.ByteBuf;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a response whose body is a file: opens the file off the loop, and sends the parts of it
 * that the request asks for.
 */
public final class FileResponder {

  private static final Logger LOG = LoggerFactory.getLogger(FileResponder.class);

  /** 64 KiB: the part of a large file in memory at a time if sendfile cannot be used. */
  private static final int PIECE = 64 * 1024;

  private final FileTarget target;
  private final HttpMessage request;
  private final Response response;

  public FileResponder(FileTarget target, HttpMessage request, Response response) {
    this.target = target;
    this.request = request;
    this.response = response;
  }

  /** Sends any file of the file system. Any thread. */
  public void send(Response.File body) {
    Path root = PathContainment.rootOf(request, body.path());
    String name = root == null ? body.path().toString() : root + "\0" + body.path();
    CachedFile known = target.files().acquireIfFresh(name);
    if (known != null) target.onLoop(() -> send(known, response));
    else target.offLoop(() -> open(name, body.path(), root, response));
  }

  /** Sends a file of a static directory; a cached file costs no file system access. Any thread. */
  public void send(Response.DirectoryFile body) {
    String name = body.directory().cacheName(body.name());
    CachedFile known = target.files().acquireIfFresh(name);
    if (known != null) target.onLoop(() -> choose(body, known));
    else target.offLoop(() -> open(name, body));
  }

  private void open(String name, Path path, @Nullable Path root, Response head) {
    try {
      CachedFile file = target.files().open(name, path, root, false);
      target.onLoop(() -> send(file, head));
    } catch (IOException e) {
      fail(path, e);
    }
  }

  private void open(String name, Response.DirectoryFile body) {
    StaticFiles files = body.directory();
    Path path;
    try {
      path = files.directory().resolve(body.name());
    } catch (InvalidPathException e) {
      sendBytes(StandardHttpResponses.notFound());
      return;
    }
    try {
      CachedFile file =
          target.files().open(name, path, files.directory(), files.hasPrecompressed());
      target.onLoop(() -> choose(body, file));
    } catch (IOException e) {
      if (!sendDirectory(path, files)) fail(path, e);
    }
  }

  private boolean sendDirectory(Path path, StaticFiles files) {
    try {
      Response page = DirectoryListing.of(request, path, files);
      if (page == null) return false;
      sendBytes(page);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void fail(Path path, IOException error) {
    int status = statusOf(error);
    if (status == 500) LOG.error("cannot read: file={}", path, error);
    sendBytes(StandardHttpResponses.problem(status, ""));
  }

  /** Sends the file, or a precompressed variant that the client accepts; on the loop. */
  private void choose(Response.DirectoryFile body, CachedFile file) {
    if (file.variants().isEmpty()) {
      send(file, response);
      return;
    }
    Response varied = response.with("vary", "accept-encoding");
    List<String> accepted = request.headers("accept-encoding");
    String coding = AcceptEncoding.best(accepted, file.variants());
    if (coding == null) {
      send(file, varied);
    } else {
      file.release();
      Path root = body.directory().directory();
      Path variant = PrecompressedVariants.path(root.resolve(body.name()), coding);
      sendVariant(variant, root, varied.with("content-encoding", coding));
    }
  }

  private void sendVariant(Path path, Path root, Response head) {
    String name = root + "\0" + path;
    CachedFile known = target.files().acquireIfFresh(name);
    if (known != null) send(known, head);
    else HandlerThreads.start(() -> open(name, path, root, head));
  }

  private static int statusOf(IOException error) {
    if (error instanceof NoSuchFileException || error instanceof FileNotFoundException) return 404;
    if (error instanceof AccessDeniedException) return 403;
    // Not a directory, too many links, name too long: no such file exists.
    return error instanceof FileSystemException ? 404 : 500;
  }

  private void sendBytes(Response bytes) {
    target.sendBytes(request, bytes, ((Response.Bytes) bytes.body()).bytes());
  }

  /** Sends the file with the status and fields of {@code head}, and releases it; on the loop. */
  private void send(CachedFile file, Response head) {
    FileResponse answer = FileResponse.of(request, head, file);
    if (answer.status() >= 400) {
      file.release();
      Response problem = StandardHttpResponses.problem(answer.status(), "");
      for (Response.Header header : answer.headers()) {
        problem = problem.with(header.name(), header.value());
      }
      sendBytes(problem);
      return;
    }
    target.log(request, answer.status(), answer.length());
    FileTransfer transfer =
        FileTransfer.choose(answer, file, target.isHead(), target.hasSendfile());
    if (transfer == FileTransfer.READ) {
      HandlerThreads.start(() -> copy(answer, file));
    } else {
      target.send(answer, file, transfer);
      file.release();
    }
  }

  private void copy(FileResponse answer, CachedFile file) {
    try {
      BodyStream out = target.open(answer.status(), answer.headers(), answer.length());
      for (BodyPart part : answer.parts()) {
        switch (part) {
          case BodyPart.Slice slice -> copy(slice.range(), file, out);
          case BodyPart.Text text -> out.write(text.bytes());
        }
      }
      out.close();
    } catch (IOException e) {
      target.abort();
    } finally {
      file.release();
    }
  }

  private static void copy(Ranges.Range range, CachedFile file, BodyStream out) throws IOException {
    out.flush();
    for (long at = range.first(); at <= range.last(); ) {
      int length = (int) Math.min(PIECE, range.last() + 1 - at);
      ByteBuf piece = file.read(at, length, out.channel().alloc());
      at += piece.readableBytes();
      out.send(piece);
    }
  }
}
