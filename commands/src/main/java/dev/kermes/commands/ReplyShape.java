package dev.kermes.commands;

import java.util.List;

/**
 * The type of a reply, precise enough to generate a typed client method from.
 *
 * <pre>
 *   integer        bulk?        list&lt;bulk?&gt;        map&lt;key,bulk&gt;        pair&lt;key,list&lt;bulk&gt;&gt;?
 *   ^kind              ^nullable     ^elements
 *
 *   list&lt;StreamGroup&gt;    list&lt;GeoMatch&lt;bulk&gt;&gt;
 *        ^a record of the client    ^its type parameters
 * </pre>
 *
 * @param name of the record, empty for every other kind
 */
public record ReplyShape(Kind kind, String name, List<ReplyShape> elements, boolean nullable) {

  /**
   * The kind of a reply. Bulk, key, text and bytes are all bulk strings, read with different
   * codecs.
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
    /** Bytes with a meaning only for the server: a dump. */
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
    /** Fields with their values; flat in RESP2, nested in RESP3. */
    PAIRS(0),
    /** A stream entry: id and fields. */
    ENTRY(0),
    /** Stream entries, where nil marks a deleted entry. */
    ENTRIES(0),
    /** Streams with their entries, nil when there are none; pairs in RESP2, a map in RESP3. */
    STREAMS(0),
    /** A key, a member of its sorted set and the member's score in one flat array. */
    POPPED(0),
    /** A cursor and the elements of one step. */
    SCAN(1),
    /** A record of the client, by its name, with as many elements as it has type parameters. */
    RECORD(0);

    final int elementCount;

    Kind(int elementCount) {
      this.elementCount = elementCount;
    }
  }

  /**
   * The shape of the reply when an optional argument is given, or several.
   *
   * @param argument the name of the optional argument; several names separated by a blank
   */
  public record Variant(String argument, ReplyShape shape) {}
}
