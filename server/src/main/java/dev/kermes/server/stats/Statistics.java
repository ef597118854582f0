package dev.kermes.server.stats;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counters since the start or CONFIG RESETSTAT. Guarded by the keyspace lock. */
public final class Statistics {

  /** Beyond this many codes, new codes of scripts are counted together, as in Valkey. */
  private static final int ERROR_CODES_MAX = 128;

  private static final String OTHER_ERROR_CODES = "ERRORSTATS_OVERFLOW";

  public long connectionsReceived;
  public long connectionsRejected;
  public long commands;
  public long inputBytes;
  public long outputBytes;

  /** The share of the input bytes that came from a master. */
  public long replicationInputBytes;

  public long expiredKeys;
  public long expiredFields;

  /**
   * Turns of active expiry that ended because their time was over, not for lack of expired keys.
   */
  public long expiryCyclesCut;

  public long expiryNanos;
  public long evictedKeys;
  public long evictedClients;
  public long lazyFreedObjects;
  public long keyspaceHits;
  public long keyspaceMisses;
  public long errorReplies;
  public long unexpectedErrors;

  /** Keys and fields that were deleted because they had expired. */
  public long expired() {
    return expiredKeys + expiredFields;
  }

  /**
   * Clients closed for too much input that is not yet a command, or too much output. Any thread.
   */
  public final AtomicLong inputLimitCloses = new AtomicLong();

  public final AtomicLong outputLimitCloses = new AtomicLong();

  /** The share of the output bytes that went to replicas. Any thread. */
  public final AtomicLong replicationOutputBytes = new AtomicLong();

  private final int[] turnCalls;
  private final int[] turnCommands;
  private int turnCommandCount;
  private int turnCallCount;

  private final @Nullable Durations[] durations;
  private final long[] calls;
  private final long[] nanos;
  private final long[] rejected;
  private final long[] failed;
  private final Map<String, Long> errors = new TreeMap<>();

  private CertificateFacts certificates = CertificateFacts.NONE;

  public Statistics(int commandCount) {
    turnCalls = new int[commandCount];
    turnCommands = new int[commandCount];
    durations = new Durations[commandCount];
    calls = new long[commandCount];
    nanos = new long[commandCount];
    rejected = new long[commandCount];
    failed = new long[commandCount];
  }

  /** Counts a call that shares the time of its turn. */
  public void called(int command) {
    if (turnCalls[command]++ == 0) turnCommands[turnCommandCount++] = command;
    turnCallCount++;
  }

  /** Divides the time of a turn among the calls that share it. */
  public void endTurn(long elapsedNanos, boolean keepsDurations) {
    if (turnCallCount == 0) return;
    long share = Math.max(0, elapsedNanos) / turnCallCount;
    for (int i = 0; i < turnCommandCount; i++) {
      int command = turnCommands[i];
      took(command, turnCalls[command], share, keepsDurations);
      turnCalls[command] = 0;
    }
    turnCommandCount = 0;
    turnCallCount = 0;
  }

  /** Counts calls with the time that each of them took. */
  public void took(int command, int count, long elapsedNanos, boolean keepsDurations) {
    calls[command] += count;
    nanos[command] += count * elapsedNanos;
    if (!keepsDurations) return;
    Durations known = durations[command];
    if (known == null) durations[command] = known = new Durations();
    known.add(elapsedNanos, count);
  }

  /** The durations of a command's calls, null if none were kept. */
  public @Nullable Durations durations(int command) {
    return durations[command];
  }

  public void rejected(int command) {
    rejected[command]++;
  }

  public void failed(int command) {
    failed[command]++;
  }

  /** Counts an error reply by its code, the first word. */
  public void error(String message) {
    count(codeOf(message));
  }

  /** Counts an error reply whose code a script may have made up. */
  public void scriptError(String message) {
    String code = codeOf(message);
    boolean hasRoom = errors.size() < ERROR_CODES_MAX || errors.containsKey(code);
    count(hasRoom ? code : OTHER_ERROR_CODES);
  }

  private void count(String errorCode) {
    errorReplies++;
    errors.merge(errorCode, 1L, Long::sum);
  }

  private static String codeOf(String message) {
    int end = 0;
    while (end < message.length() && message.charAt(end) > ' ') end++;
    return message.substring(0, end);
  }

  public long calls(int command) {
    return calls[command];
  }

  /** Nanoseconds of all commands. */
  public long nanos() {
    return Arrays.stream(nanos).sum();
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

  public CertificateFacts certificates() {
    return certificates;
  }

  public void certificates(CertificateFacts inUse) {
    certificates = inUse;
  }

  public void reset() {
    connectionsReceived = 0;
    connectionsRejected = 0;
    commands = 0;
    inputBytes = 0;
    outputBytes = 0;
    replicationInputBytes = 0;
    replicationOutputBytes.set(0);
    expiredKeys = 0;
    expiredFields = 0;
    expiryCyclesCut = 0;
    expiryNanos = 0;
    evictedKeys = 0;
    evictedClients = 0;
    lazyFreedObjects = 0;
    keyspaceHits = 0;
    keyspaceMisses = 0;
    errorReplies = 0;
    unexpectedErrors = 0;
    inputLimitCloses.set(0);
    outputLimitCloses.set(0);
    for (long[] counters : new long[][] {calls, nanos, rejected, failed}) {
      Arrays.fill(counters, 0);
    }
    Arrays.fill(durations, null);
    errors.clear();
  }
}
