package dev.kermes.http;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Limits on what clients may use. Lengths are in bytes; a limit applies to one connection unless
 * stated otherwise. Immutable; {@code with} methods return a changed copy.
 */
public final class HttpLimits {

  /** The default limits; each accessor states its default. */
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

  /** Longest request line; a longer one gets 414. Default 8 KiB. */
  public int requestLineMax() {
    return requestLineMax;
  }

  /** A copy with another longest request line. */
  public HttpLimits withRequestLineMax(int length) {
    return with(copy -> copy.requestLineMax = length);
  }

  /** Total length of the header fields of a request; more get 431. Default 16 KiB. */
  public int headersMax() {
    return headersMax;
  }

  /** A copy with another total length of header fields. */
  public HttpLimits withHeadersMax(int length) {
    return with(copy -> copy.headersMax = length);
  }

  /** Longest body that is read into memory; a longer one gets 413. Default 8 MiB. */
  public int bodyMax() {
    return bodyMax;
  }

  /** A copy with another longest body in memory. */
  public HttpLimits withBodyMax(int length) {
    return with(copy -> copy.bodyMax = length);
  }

  /**
   * Longest body, also of handlers that read a stream; a longer one gets 413. Default: no limit.
   */
  public long uploadMax() {
    return uploadMax;
  }

  /** A copy with another longest body. */
  public HttpLimits withUploadMax(long length) {
    return with(copy -> copy.uploadMax = length);
  }

  /**
   * Memory held by the bodies of all requests of the server together; a body beyond it gets 503.
   * Default: a quarter of the heap.
   */
  public long bodiesMax() {
    return bodiesMax;
  }

  /** A copy with another limit of the memory of all bodies. */
  public HttpLimits withBodiesMax(long length) {
    return with(copy -> copy.bodiesMax = length);
  }

  /** Longest WebSocket message; a longer one closes the connection with 1009. Default 1 MiB. */
  public int messageMax() {
    return messageMax;
  }

  /** A copy with another longest message. */
  public HttpLimits withMessageMax(int length) {
    return with(copy -> copy.messageMax = length);
  }

  /** Open connections of the server; further ones are closed at once. Default 100,000. */
  public int connectionsMax() {
    return connectionsMax;
  }

  /** A copy with another number of connections. */
  public HttpLimits withConnectionsMax(int count) {
    return with(copy -> copy.connectionsMax = count);
  }

  /** Concurrent requests on one HTTP/2 connection; further ones are refused. Default 100. */
  public int streamsMax() {
    return streamsMax;
  }

  /** A copy with another number of concurrent requests on an HTTP/2 connection. */
  public HttpLimits withStreamsMax(int count) {
    return with(copy -> copy.streamsMax = count);
  }

  /**
   * Time from the first byte of a request, or from connecting, to the end of its head. Default 10
   * s.
   */
  public Duration headerTime() {
    return headerTime;
  }

  /** Longest pause within a request's body. Default 30 s. */
  public Duration bodyTime() {
    return bodyTime;
  }

  /** How long a connection may be idle between requests. Default 60 s. */
  public Duration idleTime() {
    return idleTime;
  }

  /** How long a client may read nothing of a response that is ready. Default 30 s. */
  public Duration writeTime() {
    return writeTime;
  }

  /** Time from a request to its response; after that it gets 503. Default 60 s. */
  public Duration answerTime() {
    return answerTime;
  }

  /** A copy with other times. */
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
