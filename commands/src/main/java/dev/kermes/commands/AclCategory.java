package dev.kermes.commands;

import java.util.Locale;

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

  /** The category without its {@code @}. */
  public String label() {
    return label;
  }
}
