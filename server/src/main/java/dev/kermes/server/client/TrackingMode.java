package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import java.util.List;

/** The options of CLIENT TRACKING ON, which say how a client learns of changed keys. */
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
   * Creates a mode.
   *
   * @param redirect the id of the client that gets the messages instead, 0 for none
   * @param prefixes the prefixes of keys to broadcast
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

  /**
   * Whether it learns of every changed key with its prefixes, whether it has read the key or not.
   */
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

  /** Whether it is not told of its own changes. */
  public boolean isNoLoop() {
    return noLoop;
  }

  public long redirect() {
    return redirect;
  }

  public List<ByteKey> prefixes() {
    return prefixes;
  }

  /** Whether CLIENT CACHING applies to the next command. */
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

  /** Whether the keys that the next command reads are tracked. */
  public boolean remembersReads() {
    return !broadcast && (!optIn || cachesNext) && !(optOut && cachesNext);
  }
}
