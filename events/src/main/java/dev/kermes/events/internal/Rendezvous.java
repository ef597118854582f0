package dev.kermes.events.internal;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Rendezvous hashing: which member is first for a partition. When a member comes or goes, only the
 * partitions change for which it is first. A hint only: members that know different lists disagree,
 * and the lease decides.
 */
public final class Rendezvous {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Rendezvous() {}

  /** The member with the greatest score; empty if there is no member. */
  public static String first(int partition, Collection<String> members) {
    String best = "";
    long bestScore = Long.MIN_VALUE;
    for (String member : members) {
      long score = score(member + "/" + partition);
      if (best.isEmpty() || score > bestScore || score == bestScore && member.compareTo(best) < 0) {
        best = member;
        bestScore = score;
      }
    }
    return best;
  }

  /** FNV-1a, mixed as in MurmurHash, since similar names must have independent scores. */
  private static long score(String text) {
    long hash = FNV_OFFSET;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) hash = (hash ^ each) * FNV_PRIME;
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
