package dev.kermes.client.reply;

import java.util.List;

/**
 * One step of XAUTOCLAIM.
 *
 * @param cursor where the next step starts; {@code "0-0"} when this was the last one
 * @param elements the claimed entries, or their ids with JUSTID
 * @param deletedIds entries that were pending and no longer exist; empty before Redis 7
 */
public record ClaimPage<T>(String cursor, List<T> elements, List<String> deletedIds) {
  /** Whether all pending entries have been looked at. */
  public boolean isLast() {
    return cursor.equals("0-0");
  }
}
