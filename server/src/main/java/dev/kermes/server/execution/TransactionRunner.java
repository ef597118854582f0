package dev.kermes.server.execution;

import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.StoredCommand;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Permission;
import java.util.List;

/**
 * Runs the queued commands of EXEC, each with its reply. There is one per executor; the caller of
 * every method holds the keyspace lock.
 */
final class TransactionRunner {

  private final CommandExecutor executor;
  private final UnwantedReplies unwanted;
  private final ScriptRunner scripts;
  private final Call call;

  /**
   * Creates it.
   *
   * @param call the call that shows one queued command at a time
   */
  TransactionRunner(
      CommandExecutor executor, ScriptRunner scripts, UnwantedReplies unwanted, Call call) {
    this.executor = executor;
    this.scripts = scripts;
    this.unwanted = unwanted;
    this.call = call;
  }

  void run(Call exec, List<StoredCommand> commands) {
    Session session = exec.session();
    call.session(session);
    call.partOf(exec.spec());
    boolean isSkipped = session.replies() == Session.Replies.SKIP;
    if (session.replies() != Session.Replies.OFF) exec.reply().array(commands.size());
    runAll(call, commands);
    unwanted.areDropped(!isSkipped && session.replies() != Session.Replies.ON);
  }

  /** Runs commands; if a script among them is suspended, the rest waits for it. */
  void runAll(Call each, List<StoredCommand> commands) {
    for (int i = 0; i < commands.size(); i++) {
      each.load(commands.get(i));
      Denial denial = Permission.denial(each);
      if (denial != null) {
        Permission.log(each, denial, AclLog.Context.MULTI);
        each.error(denial.errorInTransaction());
        continue;
      }
      int mark = each.reply().size();
      executor.run(each, each.spec());
      if (each.session().replies() == Session.Replies.OFF) each.reply().truncate(mark);
      if (each.isUnfinished()) {
        scripts.runAfterwards(commands.subList(i + 1, commands.size()));
        return;
      }
    }
  }
}
