package dev.kermes.resp;

/** The kinds of values that a reply is made of. The three null forms of the wire are one kind. */
public enum ReplyType {
  /** {@code +OK}. */
  SIMPLE,
  /** {@code -ERR message} and RESP3's {@code !21\r\nSYNTAX …}. */
  ERROR,
  /** {@code :42}. */
  INTEGER,
  /** {@code $5\r\nhello}, also when streamed in chunks. */
  BULK,
  /** {@code *2 …}, also when streamed. */
  ARRAY,
  /** {@code _}, {@code $-1} and {@code *-1}. */
  NULL,
  /** {@code #t} and {@code #f}. */
  BOOLEAN,
  /** {@code ,1.5}, {@code ,inf}, {@code ,-inf}, {@code ,nan}. */
  DOUBLE,
  /** {@code (3492890328409238509324850943850943825024385}. */
  BIG_NUMBER,
  /** {@code =15\r\ntxt:Some string}. */
  VERBATIM,
  /** {@code %2 …}: alternating keys and values. */
  MAP,
  /** {@code ~3 …}. */
  SET,
  /** {@code >2 …}: sent by the server without a request. */
  PUSH
}
