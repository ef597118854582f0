package dev.kermes.commands;

import java.util.List;

/**
 * The type of a reply, precise enough to generate a typed client method from.
 *
 * <pre>
 *   integer        bulk?        list&lt;bulk?&gt;        map&lt;key,bulk&gt;        pair&lt;key,list&lt;bulk&gt;&gt;?
 *   ^kind              ^nullable     ^elements
 * </pre>
 */
public record ReplyShape(Kind kind, List<ReplyShape> elements, boolean nullable) {

  /**
   * What a reply is. Bulk, key, text and bytes are all bulk strings, read with different codecs.
   */
  public enum Kind {
    OK(0),
    SIMPLE(0),
    INTEGER(0),
    /** An integer 0 or 1. */
    BOOLEAN(0),
    DOUBLE(0),
    /** A value of the user. */
    BULK(0),
    /** A key or the field of a hash. */
    KEY(0),
    /** A string of the server. */
    TEXT(0),
    /** Bytes that mean something to the server alone: a dump. */
    BYTES(0),
    /** Depends on the options or on the arguments. */
    ANY(0),
    LIST(1),
    SET(1),
    MAP(2),
    /** An array of exactly two. */
    PAIR(2),
    /** Members with their scores; flat in RESP2, nested in RESP3. */
    SCORED(0),
    /** Fields with their values in one flat array. */
    PAIRS(0),
    /** A stream entry: id and fields. */
    ENTRY(0),
    /** A cursor and the elements of one step. */
    SCAN(1);

    final int elementCount;

    Kind(int elementCount) {
      this.elementCount = elementCount;
    }
  }

  /**
   * The shape that a command replies instead when an optional argument is given.
   *
   * @param argument the name of the optional argument
   */
  public record Variant(String argument, ReplyShape shape) {}
}
