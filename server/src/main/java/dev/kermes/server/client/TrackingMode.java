package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import java.util.List;

/** How a client wants to be told of changed keys: the options of CLIENT TRACKING ON. */
public final class TrackingMode {

  private final boolean broadcast;
  private final boolean optIn;
  private final boolean optOut;
  private final boolean noLoop;
  private final long redirect;
  private final List<ByteKey> prefixes;
  private boolean cachesNext;
  private boolean redirectBroken;

  /**
   * @param redirect the number of the client that is told instead, 0 for none
   * @param prefixes of the keys that are broadcast
   */
  public TrackingMode(
      boolean broadcast,
      boolean optIn,
      boolean optOut,
      boolean noLoop,
      long redirect,
      List<ByteKey> prefixes) {
    this.broadcast = broadcast;
    this.optIn = optIn;
    this.optOut = optOut;
    this.noLoop = noLoop;
    this.redirect = redirect;
    this.prefixes = List.copyOf(prefixes);
  }

  /** Whether it hears of every changed key with its prefixes, read by it or not. */
  public boolean isBroadcast() {
    return broadcast;
  }

  /** Whether only commands after CLIENT CACHING YES count. */
  public boolean isOptIn() {
    return optIn;
  }

  /** Whether commands after CLIENT CACHING NO do not count. */
  public boolean isOptOut() {
    return optOut;
  }

  /** Whether its own changes are not told. */
  public boolean isNoLoop() {
    return noLoop;
  }

  public long redirect() {
    return redirect;
  }

  public List<ByteKey> prefixes() {
    return prefixes;
  }

  /** Whether CLIENT CACHING was said for the next command. */
  public boolean cachesNext() {
    return cachesNext;
  }

  public void cachesNext(boolean isSaid) {
    cachesNext = isSaid;
  }

  public boolean isRedirectBroken() {
    return redirectBroken;
  }

  void redirectIsBroken(boolean isBroken) {
    redirectBroken = isBroken;
  }

  /** Whether what the next command reads is to be remembered. */
  public boolean remembersReads() {
    return !broadcast && (!optIn || cachesNext) && !(optOut && cachesNext);
  }
}
