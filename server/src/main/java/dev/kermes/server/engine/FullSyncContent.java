package dev.kermes.server.engine;

import org.jspecify.annotations.Nullable;

/** What a copy of the data has of them. */
public enum FullSyncContent {
  ALL,
  /** The libraries of functions, and no keys. */
  FUNCTIONS,
  /** The facts about the server alone. */
  NOTHING;

  /** What {@code rdb-filter-only} asks for; null for what there is not. */
  public static @Nullable FullSyncContent filtered(String words) {
    if (words.isBlank()) return NOTHING;
    for (String word : words.trim().split("\\s+")) {
      if (!word.equalsIgnoreCase("functions")) return null;
    }
    return FUNCTIONS;
  }
}
