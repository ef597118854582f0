package dev.kermes.server.command;

import dev.kermes.server.client.Session;
import dev.kermes.server.data.Frozen;

/** Replies that are too long to be written within their turn, or to be written at all. */
public final class LongReply {

  private LongReply() {}

  /** Whether the rest of a reply may be left to the connection. */
  public static boolean mayFollow(Call call) {
    return call.execution().isOutermost(call)
        && call.session().replies() == Session.Replies.ON
        && !call.engine().weighsReplies();
  }

  /** Passes the rest of the reply to the connection; the beginning has been written. */
  public static void follow(Call call, Frozen rest) {
    call.session().output().tail(rest);
  }

  /**
   * Gives up the reply and the client if a reply of that length would exceed the client's output
   * limit; returns whether it did.
   */
  static boolean giveUpTooLong(Call call, long elements, long elementLengthMin) {
    long bytes = Math.min(elements, Long.MAX_VALUE / elementLengthMin) * elementLengthMin;
    boolean isTooLong = call.engine().clients().outputLimit(call.session()).isOverHard(bytes);
    if (call.isFromScript() || !isTooLong) return false;
    call.session().output().giveUpReply();
    return true;
  }
}
