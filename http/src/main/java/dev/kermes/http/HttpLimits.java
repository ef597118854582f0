package dev.kermes.http;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a client may take: lengths in bytes, of one connection where nothing else is said.
 * Immutable; {@code with} methods return others.
 */
public final class HttpLimits {

  /** The values that each accessor tells. */
  public static final HttpLimits DEFAULT = new HttpLimits();

  private int requestLineMax = 8 << 10;
  private int headersMax = 16 << 10;
  private int bodyMax = 8 << 20;
  private long uploadMax = Long.MAX_VALUE;
  private long bodiesMax = Runtime.getRuntime().maxMemory() / 4;
  private int messageMax = 1 << 20;
  private int connectionsMax = 100_000;
  private int streamsMax = 100;
  private Duration headerTime = Duration.ofSeconds(10);
  private Duration bodyTime = Duration.ofSeconds(30);
  private Duration idleTime = Duration.ofSeconds(60);
  private Duration writeTime = Duration.ofSeconds(30);
  private Duration answerTime = Duration.ofSeconds(60);

  private HttpLimits() {}

  private HttpLimits(HttpLimits other) {
    requestLineMax = other.requestLineMax;
    headersMax = other.headersMax;
    bodyMax = other.bodyMax;
    uploadMax = other.uploadMax;
    bodiesMax = other.bodiesMax;
    messageMax = other.messageMax;
    connectionsMax = other.connectionsMax;
    streamsMax = other.streamsMax;
    headerTime = other.headerTime;
    bodyTime = other.bodyTime;
    idleTime = other.idleTime;
    writeTime = other.writeTime;
    answerTime = other.answerTime;
  }

  private HttpLimits with(Consumer<HttpLimits> change) {
    HttpLimits copy = new HttpLimits(this);
    change.accept(copy);
    return copy;
  }

  /** Longest request line; beyond it 414. 8 KiB. */
  public int requestLineMax() {
    return requestLineMax;
  }

  /** The same with another longest request line. */
  public HttpLimits withRequestLineMax(int length) {
    return with(copy -> copy.requestLineMax = length);
  }

  /** All header fields of a request together; beyond it 431. 16 KiB. */
  public int headersMax() {
    return headersMax;
  }

  /** The same with another length of all headers. */
  public HttpLimits withHeadersMax(int length) {
    return with(copy -> copy.headersMax = length);
  }

  /** Longest body that is read into memory; beyond it 413. 8 MiB. */
  public int bodyMax() {
    return bodyMax;
  }

  /** The same with another longest body. */
  public HttpLimits withBodyMax(int length) {
    return with(copy -> copy.bodyMax = length);
  }

  /** Longest body at all, also of a handler that reads it as a stream; beyond it 413. No limit. */
  public long uploadMax() {
    return uploadMax;
  }

  /** The same with another longest body at all. */
  public HttpLimits withUploadMax(long length) {
    return with(copy -> copy.uploadMax = length);
  }

  /**
   * What the bodies of all requests of the server hold in memory together; a body beyond it gets
   * 503. A quarter of the heap.
   */
  public long bodiesMax() {
    return bodiesMax;
  }

  /** The same with another memory for all bodies. */
  public HttpLimits withBodiesMax(long length) {
    return with(copy -> copy.bodiesMax = length);
  }

  /** Longest message of a WebSocket; beyond it the connection ends with 1009. 1 MiB. */
  public int messageMax() {
    return messageMax;
  }

  /** The same with another longest message. */
  public HttpLimits withMessageMax(int length) {
    return with(copy -> copy.messageMax = length);
  }

  /** Open connections of the server; further ones are closed at once. 100,000. */
  public int connectionsMax() {
    return connectionsMax;
  }

  /** The same with another number of connections. */
  public HttpLimits withConnectionsMax(int count) {
    return with(copy -> copy.connectionsMax = count);
  }

  /** Requests under way on one HTTP/2 connection; further ones are refused. 100. */
  public int streamsMax() {
    return streamsMax;
  }

  /** The same with another number of requests on an HTTP/2 connection. */
  public HttpLimits withStreamsMax(int count) {
    return with(copy -> copy.streamsMax = count);
  }

  /** From the first byte of a request, or from connecting, to the end of its headers. 10 s. */
  public Duration headerTime() {
    return headerTime;
  }

  /** Longest pause within a request's body. 30 s. */
  public Duration bodyTime() {
    return bodyTime;
  }

  /** How long a connection may rest between requests. 60 s. */
  public Duration idleTime() {
    return idleTime;
  }

  /** How long a client may take nothing of a response that is ready. 30 s. */
  public Duration writeTime() {
    return writeTime;
  }

  /** From the request to its response; beyond it 503. 60 s. */
  public Duration answerTime() {
    return answerTime;
  }

  /** The same with other times. */
  public HttpLimits withTimes(
      Duration header, Duration body, Duration idle, Duration write, Duration answer) {
    return with(copy -> {
      copy.headerTime = header;
      copy.bodyTime = body;
      copy.idleTime = idle;
      copy.writeTime = write;
      copy.answerTime = answer;
    });
  }
}
