package dev.kermes.server.data.stream;

/** What becomes of the pending entries of consumer groups whose stream entry is deleted. */
public enum StreamReferences {
  /** They stay. */
  KEEPREF,
  /** They are forgotten. */
  DELREF,
  /** A stream entry that has any, or that a group has still to read, is not deleted. */
  ACKED
}
