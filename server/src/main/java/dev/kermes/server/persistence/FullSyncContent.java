package dev.kermes.server.persistence;

import org.jspecify.annotations.Nullable;

/** The part of the data that a full sync contains. */
public enum FullSyncContent {
  ALL,
  /** The function libraries without any keys. */
  FUNCTIONS,
  /** Only the facts about the server. */
  NOTHING;

  /** The content that {@code rdb-filter-only} asks for; null if it is unknown. */
  public static @Nullable FullSyncContent filtered(String words) {
    if (words.isBlank()) return NOTHING;
    for (String word : words.trim().split("\\s+")) {
      if (!word.equalsIgnoreCase("functions")) return null;
    }
    return FUNCTIONS;
  }
}
