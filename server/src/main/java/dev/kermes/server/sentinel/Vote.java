package dev.kermes.server.sentinel;

/**
 * The last vote for the leader of a failover. Immutable.
 *
 * @param leader the id of the sentinel; empty before the first vote
 */
public record Vote(String leader, long epoch) {

  /** No vote. */
  public static final Vote NONE = new Vote("", 0);

  public boolean isGiven() {
    return !leader.isEmpty();
  }
}
