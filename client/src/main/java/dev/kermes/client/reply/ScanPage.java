package dev.kermes.client.reply;

import java.util.List;

/**
 * One step of a SCAN.
 *
 * @param cursor where the next step starts; {@code "0"} when this was the last one
 * @param elements the elements found by this step, possibly none
 */
public record ScanPage<T>(String cursor, List<T> elements) {
  /** Whether the scan is complete. */
  public boolean isLast() {
    return cursor.equals("0");
  }
}
