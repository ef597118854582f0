package dev.kermes.testkit;

import java.time.Duration;

/**
 * A fault that befalls one command or push.
 *
 * @param reply the bytes that replace the server's reply; used by {@code REPLACE} only
 * @param delay the time before the reply is passed on; used by {@code DELAY} only
 */
record Fault(Kind kind, byte[] reply, Duration delay) {

  /** The kinds of faults, with the words of the report. */
  enum Kind {
    DELAY("delayed"),
    /** The command is not executed, and its client gets another reply. */
    REPLACE("replaced"),
    /** The client gets nothing any more, but stays connected. */
    SILENCE("reply lost"),
    CLOSE_BEFORE("disconnected before the reply"),
    CLOSE_AFTER("disconnected after the reply"),
    CLOSE_HALFWAY("disconnected after half of the reply"),
    DUPLICATE("duplicated");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private static final byte[] NOTHING = {};

  static Fault of(Kind kind) {
    return new Fault(kind, NOTHING, Duration.ZERO);
  }

  static Fault replace(byte[] reply) {
    return new Fault(Kind.REPLACE, reply, Duration.ZERO);
  }

  static Fault delay(Duration time) {
    return new Fault(Kind.DELAY, NOTHING, time);
  }

  boolean isExecuted() {
    return kind != Kind.REPLACE;
  }
}
