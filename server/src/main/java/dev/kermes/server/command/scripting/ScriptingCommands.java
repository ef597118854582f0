package dev.kermes.server.command.scripting;

import dev.kermes.lua.LuaString;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.script.LibraryFunction;
import dev.kermes.server.script.Script;
import dev.kermes.server.script.ScriptCache;
import dev.kermes.server.script.ScriptException;
import dev.kermes.server.script.ScriptFlag;
import dev.kermes.server.script.ScriptRun;
import dev.kermes.server.script.Scripting;
import dev.kermes.server.script.Sha1;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Scripts: EVAL and its variants, and SCRIPT. */
public final class ScriptingCommands {

  private ScriptingCommands() {}

  /** EVAL script numkeys [key ...] [arg ...]: replies the result of the script. */
  public static void eval(Call call) {
    eval(call, false);
  }

  /** EVAL_RO: the same for a script that changes nothing. */
  public static void evalRo(Call call) {
    eval(call, true);
  }

  private static void eval(Call call, boolean isReadOnly) {
    int keys = keyCount(call, "ERR value is not an integer or out of range");
    if (keys < 0) return;
    try {
      ScriptCache scripts = call.engine().scripting().scripts();
      Script script = scripts.forEval(call.slice(1));
      run(call, script, isReadOnly, keys);
    } catch (ScriptException e) {
      call.error(e.reply());
    }
  }

  /** EVALSHA sha1 numkeys [key ...] [arg ...]: the same by the digest; NOSCRIPT if unknown. */
  public static void evalsha(Call call) {
    evalsha(call, false);
  }

  /** EVALSHA_RO: the same for a script that changes nothing. */
  public static void evalshaRo(Call call) {
    evalsha(call, true);
  }

  private static void evalsha(Call call, boolean isReadOnly) {
    int keys = keyCount(call, "ERR value is not an integer or out of range");
    if (keys < 0) return;
    Script script = find(call, 1);
    if (script == null) call.error("NOSCRIPT No matching script. Please use EVAL.");
    else run(call, script, isReadOnly, keys);
  }

  private static @Nullable Script find(Call call, int i) {
    if (call.length(i) != Sha1.LENGTH) return null;
    return call.engine().scripting().scripts().find(call.text(i));
  }

  /** Whether it calls a script or function that declares to change nothing. */
  public static boolean isMarkedReadOnly(Call call) {
    return switch (call.spec().name()) {
      case "EVAL", "EVALSHA" -> {
        Script script = call.spec().name().equals("EVAL") ? compiled(call) : find(call, 1);
        yield script != null && script.flags().contains(ScriptFlag.NO_WRITES);
      }
      case "FCALL" -> {
        LibraryFunction function = call.engine().scripting().libraries().function(call.text(1));
        yield function != null && function.flags().contains(ScriptFlag.NO_WRITES);
      }
      default -> false;
    };
  }

  /**
   * Whether it calls a function, or a script with flags, that does not declare to change nothing.
   */
  public static boolean mayWrite(Call call) {
    return switch (call.spec().name()) {
      case "EVAL", "EVALSHA" -> {
        Script script = call.spec().name().equals("EVAL") ? compiled(call) : find(call, 1);
        yield script != null && script.hasShebang() && !isMarkedReadOnly(call);
      }
      case "FCALL" -> {
        LibraryFunction function = call.engine().scripting().libraries().function(call.text(1));
        yield function != null && !isMarkedReadOnly(call);
      }
      default -> false;
    };
  }

  private static @Nullable Script compiled(Call call) {
    ScriptCache scripts = call.engine().scripting().scripts();
    try {
      return scripts.forEval(call.slice(1));
    } catch (ScriptException e) {
      return null; // EVAL will reply the error
    }
  }

  /** The number of keys in argument 2; -1 after replying an error. */
  static int keyCount(Call call, String notANumber) {
    long keys = call.integer(2, notANumber);
    if (call.failed()) return -1;
    if (keys > call.argc() - 3) {
      call.error("ERR Number of keys can't be greater than number of args");
    } else if (keys < 0) {
      call.error("ERR Number of keys can't be negative");
    }
    return call.failed() ? -1 : (int) keys;
  }

  private static void run(Call call, Script script, boolean isReadOnly, int keys) {
    boolean mayStart = !script.hasShebang() || admit(call, script.flags(), isReadOnly);
    if (!mayStart) return;
    Scripting scripting = call.engine().scripting();
    List<LuaString> keyList = strings(call, 3, 3 + keys);
    List<LuaString> arguments = strings(call, 3 + keys, call.argc());
    ScriptRun run = scripting.start(script, isReadOnly, keyList, arguments);
    call.execution().runScript(call, run);
  }

  /** Replies an error if a script's flags do not allow it to run now; returns whether they do. */
  static boolean admit(Call call, Set<ScriptFlag> flags, boolean isReadOnly) {
    boolean writes = !flags.contains(ScriptFlag.NO_WRITES);
    Replication replication = call.engine().replication();
    String noWrites = replication.whyNoWrites();
    if (call.engine().cluster() != null && flags.contains(ScriptFlag.NO_CLUSTER)) {
      call.error("ERR Can not run script on cluster, 'no-cluster' flag is set.");
    } else if (writes && isReadOnly) {
      call.error("ERR Can not execute a script with write flag using *_ro command.");
    } else if (writes && noWrites != null && !call.engine().keyspace().isReplaying()) {
      call.error(
          replication.isReplica()
              ? "READONLY You can not run script with write flag on readonly replica."
              : noWrites);
    } else if (writes && !flags.contains(ScriptFlag.ALLOW_OOM)) {
      refuseWithoutRoom(call);
    }
    return !call.failed();
  }

  private static void refuseWithoutRoom(Call call) {
    String exceeded = call.engine().eviction().makeRoomOrExceed();
    if (exceeded == null) return;
    call.error(
        "OOM allow-oom flag is not set on the script, can not run it when used memory > "
            + exceeded);
  }

  static List<LuaString> strings(Call call, int from, int end) {
    if (from == end) return List.of();
    List<LuaString> strings = new ArrayList<>(end - from);
    for (int i = from; i < end; i++) strings.add(LuaString.of(call.arg(i)));
    return strings;
  }

  // SCRIPT

  /** SCRIPT LOAD script: stores a script; replies its digest. O(N) bytes. */
  public static void scriptLoad(Call call) {
    try {
      call.reply().bulk(call.engine().scripting().scripts().load(call.arg(2)).sha1());
    } catch (ScriptException e) {
      call.error(e.reply());
    }
  }

  /** SCRIPT EXISTS sha1 [sha1 ...]: replies 1 or 0 for each. */
  public static void scriptExists(Call call) {
    call.reply().array(call.argc() - 2);
    ScriptCache scripts = call.engine().scripting().scripts();
    for (int i = 2; i < call.argc(); i++) {
      call.reply().integer(scripts.contains(call.text(i)) ? 1 : 0);
    }
  }

  /** SCRIPT SHOW sha1: replies the text; NOSCRIPT if unknown. */
  public static void scriptShow(Call call) {
    Script script = find(call, 2);
    if (script == null) call.error("NOSCRIPT No matching script. Please use EVAL.");
    else call.reply().bulk(script.text());
  }

  /** SCRIPT FLUSH [ASYNC|SYNC]: deletes all scripts. */
  public static void scriptFlush(Call call) {
    boolean isKnown =
        call.argc() == 2 || call.argc() == 3 && (call.is(2, "SYNC") || call.is(2, "ASYNC"));
    if (!isKnown) {
      call.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
      return;
    }
    call.engine().scripting().flushScripts();
    call.reply().ok();
  }

  /**
   * SCRIPT KILL: ends the running script; NOTBUSY if there is none, UNKILLABLE if it has written.
   */
  public static void scriptKill(Call call) {
    kill(call, false);
  }

  static void kill(Call call, boolean isFunction) {
    ScriptRun run = call.engine().scripting().run();
    if (run == null) {
      call.error("NOTBUSY No scripts in execution right now.");
    } else if (run.hasWritten()) {
      call.error(
          "UNKILLABLE Sorry the script already executed write commands against the dataset. You can"
              + " either wait the script termination or kill the server in a hard way using the"
              + " SHUTDOWN NOSAVE command.");
    } else if (run.isFunction() != isFunction) {
      call.error(run.busyError());
    } else {
      run.kill();
      call.reply().ok();
    }
  }

  /**
   * SCRIPT DEBUG YES|SYNC|NO: NO has no effect; the others are errors, since there is no debugger.
   */
  public static void scriptDebug(Call call) {
    if (call.is(2, "NO")) call.reply().ok();
    else if (call.is(2, "YES") || call.is(2, "SYNC")) call.error("ERR there is no script debugger");
    else call.error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
  }

  /** SCRIPT HELP: the subcommands. */
  public static void scriptHelp(Call call) {
    Help.reply(call);
  }
}
