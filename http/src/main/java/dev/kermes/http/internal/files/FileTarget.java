package dev.kermes.http.internal.files;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.internal.body.BodyStream;
import java.util.List;

/** The exchange that a file is sent to. */
public interface FileTarget {

  /** The cache of the server's files. */
  FileCache files();

  /** Whether the request is a HEAD, so that no body is sent. */
  boolean isHead();

  /** Whether {@link #send} can send a file by sendfile, which needs plain HTTP/1. */
  boolean hasSendfile();

  /** Runs {@code work} on the event loop. Any thread. */
  void onLoop(Runnable work);

  /** Runs {@code work}, which may block, here or, if this is the event loop, on another thread. */
  void offLoop(Runnable work);

  /** Sends a response with its complete body. Any thread. */
  void sendBytes(HttpMessage request, Response response, byte[] bytes);

  /** Sends parts of a file without blocking; on the loop. */
  void send(FileResponse response, CachedFile file, FileTransfer transfer);

  /** Sends the head, and returns the stream for the body; not on the loop. */
  BodyStream open(int status, List<Response.Header> headers, long length);

  /** Aborts a response that has begun and cannot continue. Any thread. */
  void abort();

  /** Reports a response to the access log; on the loop. */
  void log(HttpMessage request, int status, long length);
}
