package dev.kermes.server.execution;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.Session;
import org.jspecify.annotations.Nullable;

/** Drops the replies that a client does not want: CLIENT REPLY. */
final class UnwantedReplies {

  private final RespWriter out;

  /**
   * Whether EXEC itself has dropped the replies that the client does not want, since a command
   * inside may have changed that setting.
   */
  private boolean areDropped;

  UnwantedReplies(RespWriter out) {
    this.out = out;
  }

  /** Notes whether EXEC has dropped them. */
  void areDropped(boolean byExec) {
    areDropped = byExec;
  }

  /** Drops the reply that begins at {@code mark} if the client does not want it. */
  void drop(Session session, @Nullable CommandSpec spec, int mark) {
    // A subscription is confirmed by a message, not by a reply.
    if (spec != null && spec.has(CommandFlag.MESSAGES)) return;
    if (areDropped) {
      areDropped = false;
      return;
    }
    switch (session.replies()) {
      case ON -> {}
      case OFF -> out.truncate(mark);
      case SKIP -> {
        if (spec != null && spec.fullName().equals("client|reply")) return;
        out.truncate(mark);
        session.replies(Session.Replies.ON);
      }
    }
  }
}
