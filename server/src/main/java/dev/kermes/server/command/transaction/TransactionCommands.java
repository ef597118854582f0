package dev.kermes.server.command.transaction;

import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.client.Transaction;
import dev.kermes.server.command.Call;
import java.util.List;

/** Transactions: MULTI queues commands, EXEC runs them as one, WATCH makes them conditional. */
public final class TransactionCommands {

  private TransactionCommands() {}

  /** MULTI: begins a transaction. O(1). An error inside a transaction. */
  public static void multi(Call call) {
    if (call.session().transaction() != null) {
      call.error("ERR MULTI calls can not be nested");
      return;
    }
    call.session().begin();
    call.reply().ok();
  }

  /**
   * EXEC: runs the queued commands; replies their replies, or a null array if a watched key
   * changed.
   */
  public static void exec(Call call) {
    Session session = call.session();
    Transaction transaction = session.transaction();
    if (transaction == null) {
      call.error("ERR EXEC without MULTI");
      return;
    }
    boolean isBroken = session.watches().isBroken(call.nowMillis());
    session.endTransaction();
    if (transaction.hasFailed()) {
      call.error("EXECABORT Transaction discarded because of previous errors.");
    } else if (isBroken) {
      call.reply().nilArray();
    } else {
      List<StoredCommand> commands = transaction.commands();
      call.execution().runTransaction(call, commands);
    }
  }

  /** DISCARD: drops the queued commands and all watches. O(N). */
  public static void discard(Call call) {
    if (call.session().transaction() == null) {
      call.error("ERR DISCARD without MULTI");
      return;
    }
    call.session().endTransaction();
    call.reply().ok();
  }

  /** WATCH key [key ...]: lets the next EXEC run only if no such key changes. O(1) per key. */
  public static void watch(Call call) {
    if (call.session().transaction() != null) {
      call.error("ERR WATCH inside MULTI is not allowed");
      return;
    }
    Session session = call.session();
    for (int i = 1; i < call.argc(); i++) session.watches().add(session.database(), call.arg(i));
    call.reply().ok();
  }

  /** UNWATCH: drops all watches. O(1). */
  public static void unwatch(Call call) {
    call.session().watches().clear();
    call.reply().ok();
  }
}
