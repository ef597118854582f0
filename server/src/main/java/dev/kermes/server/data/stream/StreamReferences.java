package dev.kermes.server.data.stream;

/** The treatment of a deleted stream entry's references in the pending entries of groups. */
public enum StreamReferences {
  /** The references stay. */
  KEEPREF,
  /** The references are removed. */
  DELREF,
  /** A stream entry with references, or one that a group has still to read, is not deleted. */
  ACKED
}
