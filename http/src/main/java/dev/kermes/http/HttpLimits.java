package dev.kermes.http;

import java.time.Duration;

/**
 * What a client may take: lengths in bytes, of one connection where nothing else is said.
 *
 * @param requestLineMax longest request line; beyond it 414
 * @param headersMax all header lines of a request together; beyond it 431
 * @param bodyMax longest body that is read into memory; beyond it 413
 * @param connectionsMax open connections of the server; further ones are closed at once
 * @param headerTime from the first byte of a request, or from connecting, to the end of its headers
 * @param bodyTime longest pause within a request's body
 * @param idleTime how long a connection may rest between requests
 * @param writeTime how long a client may take nothing of a response that is ready
 * @param answerTime from the request to its response; beyond it 503
 */
public record HttpLimits(
    int requestLineMax,
    int headersMax,
    int bodyMax,
    int connectionsMax,
    Duration headerTime,
    Duration bodyTime,
    Duration idleTime,
    Duration writeTime,
    Duration answerTime) {

  /** 8 KiB, 16 KiB, 8 MiB, 100,000 connections; 10, 30, 60, 30 and 60 seconds. */
  public static final HttpLimits DEFAULT =
      new HttpLimits(
          8 << 10,
          16 << 10,
          8 << 20,
          100_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60));

  /** The same with another longest request line. */
  public HttpLimits withRequestLineMax(int length) {
    return new HttpLimits(
        length,
        headersMax,
        bodyMax,
        connectionsMax,
        headerTime,
        bodyTime,
        idleTime,
        writeTime,
        answerTime);
  }

  /** The same with another length of all headers. */
  public HttpLimits withHeadersMax(int length) {
    return new HttpLimits(
        requestLineMax,
        length,
        bodyMax,
        connectionsMax,
        headerTime,
        bodyTime,
        idleTime,
        writeTime,
        answerTime);
  }

  /** The same with another longest body. */
  public HttpLimits withBodyMax(int length) {
    return new HttpLimits(
        requestLineMax,
        headersMax,
        length,
        connectionsMax,
        headerTime,
        bodyTime,
        idleTime,
        writeTime,
        answerTime);
  }

  /** The same with another number of connections. */
  public HttpLimits withConnectionsMax(int count) {
    return new HttpLimits(
        requestLineMax,
        headersMax,
        bodyMax,
        count,
        headerTime,
        bodyTime,
        idleTime,
        writeTime,
        answerTime);
  }

  /** The same with other times. */
  public HttpLimits withTimes(
      Duration header, Duration body, Duration idle, Duration write, Duration answer) {
    return new HttpLimits(
        requestLineMax, headersMax, bodyMax, connectionsMax, header, body, idle, write, answer);
  }
}
