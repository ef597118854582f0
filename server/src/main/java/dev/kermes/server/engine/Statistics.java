package dev.kermes.server.engine;

import java.util.Map;
import java.util.TreeMap;

/** Counters since the start or CONFIG RESETSTAT. Belongs to whoever has the floor. */
public final class Statistics {

  /** Redis stops counting new error codes at this many, against codes made up by clients. */
  private static final int ERROR_CODES_MAX = 128;

  public long connectionsReceived;
  public long connectionsRejected;
  public long commands;
  public long inputBytes;
  public long outputBytes;
  public long expiredKeys;
  public long keyspaceHits;
  public long keyspaceMisses;
  public long errorReplies;
  public long unexpectedErrors;

  private final long[] calls;
  private final long[] nanos;
  private final long[] rejected;
  private final long[] failed;
  private final Map<String, Long> errors = new TreeMap<>();

  public Statistics(int commandCount) {
    calls = new long[commandCount];
    nanos = new long[commandCount];
    rejected = new long[commandCount];
    failed = new long[commandCount];
  }

  public void called(int command) {
    calls[command]++;
  }

  public void took(int command, long elapsedNanos) {
    nanos[command] += elapsedNanos;
  }

  public void rejected(int command) {
    rejected[command]++;
  }

  public void failed(int command) {
    failed[command]++;
  }

  /** Counts an error reply by its code, the first word. */
  public void error(String message) {
    errorReplies++;
    int space = message.indexOf(' ');
    String code = space < 0 ? message : message.substring(0, space);
    if (errors.size() < ERROR_CODES_MAX || errors.containsKey(code))
      errors.merge(code, 1L, Long::sum);
  }

  public long calls(int command) {
    return calls[command];
  }

  public long nanos(int command) {
    return nanos[command];
  }

  public long rejectedCalls(int command) {
    return rejected[command];
  }

  public long failedCalls(int command) {
    return failed[command];
  }

  public Map<String, Long> errors() {
    return errors;
  }

  public void reset() {
    connectionsReceived = 0;
    connectionsRejected = 0;
    commands = 0;
    inputBytes = 0;
    outputBytes = 0;
    expiredKeys = 0;
    keyspaceHits = 0;
    keyspaceMisses = 0;
    errorReplies = 0;
    unexpectedErrors = 0;
    for (long[] counters : new long[][] {calls, nanos, rejected, failed}) {
      java.util.Arrays.fill(counters, 0);
    }
    errors.clear();
  }
}
