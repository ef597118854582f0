package dev.kermes.server.persistence;

import org.jspecify.annotations.Nullable;

/** The part of the data that a full sync has. */
public enum FullSyncContent {
  ALL,
  /** The libraries of functions, and no keys. */
  FUNCTIONS,
  /** The facts about the server alone. */
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
