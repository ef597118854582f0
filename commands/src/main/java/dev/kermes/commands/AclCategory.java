package dev.kermes.commands;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A category of commands that an ACL rule can allow or deny as a whole: {@code +@read}. */
public enum AclCategory {
  KEYSPACE,
  READ,
  WRITE,
  SET,
  SORTEDSET,
  LIST,
  HASH,
  STRING,
  BITMAP,
  HYPERLOGLOG,
  GEO,
  STREAM,
  ARRAY,
  PUBSUB,
  ADMIN,
  FAST,
  SLOW,
  BLOCKING,
  DANGEROUS,
  CONNECTION,
  TRANSACTION,
  SCRIPTING;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** Returns the category with a label in any case; null if there is none. */
  public static @Nullable AclCategory find(String label) {
    for (AclCategory category : values()) {
      if (category.label.equalsIgnoreCase(label)) {
        return category;
      }
    }
    return null;
  }

  /** The category without its {@code @}. */
  public String label() {
    return label;
  }
}
