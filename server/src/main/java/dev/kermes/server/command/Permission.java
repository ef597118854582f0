package dev.kermes.server.command;

import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Databases;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.acl.User;
import dev.kermes.server.client.Acl;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.Transaction;
import org.jspecify.annotations.Nullable;

/** Checks whether a client's user may make a call, and logs refusals. */
public final class Permission {

  private Permission() {}

  /** The reason why a call's client may not make it; null if it may. */
  public static @Nullable Denial denial(Call call) {
    User user = call.client().user();
    if (user.isUnrestricted()) return null;
    return user.check(call.spec(), new CallArguments(call, 0), databases(call));
  }

  /**
   * The databases of a call. A queued call uses the database that will be selected when the
   * transaction runs.
   */
  public static Databases databases(Call call) {
    Transaction transaction = call.session().transaction();
    int selected = transaction == null ? call.database().index() : transaction.database();
    return new Databases(selected, call.engine().keyspace().databases().size());
  }

  /** Tracks a queued SELECT for the commands that are queued after it. */
  public static void follow(Call select, Transaction transaction) {
    int selected = databases(select).named(new CallArguments(select, 0), 1);
    if (selected >= 0) transaction.database(selected);
  }

  /** Whether the client may read all keys, as BY and GET of SORT require. */
  public static boolean mayReadAllKeys(Call call) {
    User user = call.client().user();
    return user.mayReadAllKeys(call.spec(), new CallArguments(call, 0), databases(call));
  }

  public static void log(Call call, Denial denial, AclLog.Context context) {
    int argument = denial.argument();
    String object = argument == 0 ? call.spec().fullName() : call.text(argument);
    log(call, denial.reason(), context, object, call.client().user().name());
  }

  public static void logFailedLogin(Call call, String user) {
    boolean isQueued = call.isInTransaction();
    AclLog.Context context = isQueued ? AclLog.Context.MULTI : AclLog.Context.TOPLEVEL;
    log(call, Denial.Reason.AUTH, context, call.text(0), user);
  }

  private static void log(
      Call call, Denial.Reason reason, AclLog.Context context, String object, String user) {
    Acl access = call.engine().acl();
    Session client = call.client();
    int entriesMax = call.engine().settings().aclOptions().logMax.intValue();
    access
        .log()
        .add(
            reason,
            context,
            object,
            user,
            ClientLine.of(call, client),
            call.nowMillis(),
            entriesMax);
  }
}
