package dev.kermes.server.command.scripting;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.engine.SuspendedScript;
import dev.kermes.server.script.Libraries;
import dev.kermes.server.script.Library;
import dev.kermes.server.script.LibraryFunction;
import dev.kermes.server.script.ScriptException;
import dev.kermes.server.script.ScriptFlag;
import dev.kermes.server.script.ScriptRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Functions: FCALL, FCALL_RO, and FUNCTION with its libraries. */
public final class FunctionCommands {

  private FunctionCommands() {}

  /** FCALL function numkeys [key ...] [arg ...]: replies the result of the function. */
  public static void fcall(Call call) {
    fcall(call, false);
  }

  /** FCALL_RO: the same for a function that changes nothing. */
  public static void fcallRo(Call call) {
    fcall(call, true);
  }

  private static void fcall(Call call, boolean isReadOnly) {
    LibraryFunction function = libraries(call).function(call.utf8(1));
    if (function == null) {
      call.error("ERR Function not found");
      return;
    }
    int keys = ScriptingCommands.keyCount(call, "ERR Bad number of keys provided");
    if (keys < 0 || !ScriptingCommands.admit(call, function.flags(), isReadOnly)) return;
    ScriptRun run =
        call.engine()
            .scripting()
            .start(
                function,
                isReadOnly,
                ScriptingCommands.strings(call, 3, 3 + keys),
                ScriptingCommands.strings(call, 3 + keys, call.argc()));
    call.execution().runScript(call, run);
  }

  private static Libraries libraries(Call call) {
    return call.engine().scripting().libraries();
  }

  // FUNCTION

  /** FUNCTION LOAD [REPLACE] code: creates a library; replies its name. */
  public static void functionLoad(Call call) {
    int code = call.argc() - 1;
    for (int i = 2; i < code; i++) {
      if (call.is(i, "REPLACE")) continue;
      call.error("ERR Unknown option given: " + call.shown(i));
      return;
    }
    try {
      Library library = libraries(call).load(call.arg(code), code > 2);
      call.engine().keyspace().addDirty(1);
      call.reply().bulk(library.name());
    } catch (ScriptException e) {
      call.error(e.reply());
    }
  }

  /** FUNCTION DELETE library-name. */
  public static void functionDelete(Call call) {
    Library library = libraries(call).library(call.utf8(2));
    if (library == null) {
      call.error("ERR Library not found");
      return;
    }
    libraries(call).delete(library);
    call.engine().keyspace().addDirty(1);
    call.reply().ok();
  }

  /** FUNCTION FLUSH [ASYNC|SYNC]: deletes all libraries. */
  public static void functionFlush(Call call) {
    if (call.argc() > 3) {
      Arguments.subcommandMistake(call);
      return;
    }
    boolean isKnown =
        call.argc() == 2 || call.argc() == 3 && (call.is(2, "SYNC") || call.is(2, "ASYNC"));
    if (!isKnown) {
      call.error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
      return;
    }
    call.engine().scripting().flushLibraries();
    call.engine().keyspace().addDirty(1);
    call.reply().ok();
  }

  /** FUNCTION DUMP: replies all libraries in one string. */
  public static void functionDump(Call call) {
    call.reply().bulk(libraries(call).dump());
  }

  /** FUNCTION RESTORE dump [FLUSH|APPEND|REPLACE]: loads the dump's libraries, all or none. */
  public static void functionRestore(Call call) {
    if (call.argc() > 4) {
      Arguments.subcommandMistake(call);
      return;
    }
    Libraries.Policy policy = call.argc() == 3 ? Libraries.Policy.APPEND : policy(call, 3);
    if (policy == null) {
      call.error(
          "ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
      return;
    }
    try {
      libraries(call).restore(call.arg(2), policy);
      call.engine().keyspace().addDirty(1);
      call.reply().ok();
    } catch (ScriptException e) {
      call.error(e.reply());
    }
  }

  private static Libraries.@Nullable Policy policy(Call call, int i) {
    for (Libraries.Policy policy : Libraries.Policy.values()) {
      if (call.is(i, policy.name())) return policy;
    }
    return null;
  }

  /** FUNCTION LIST [LIBRARYNAME pattern] [WITHCODE]: replies libraries and their functions. */
  public static void functionList(Call call) {
    byte @Nullable [] pattern = null;
    boolean withCode = false;
    for (int i = 2; i < call.argc(); i++) {
      if (call.is(i, "WITHCODE") && !withCode) {
        withCode = true;
      } else if (call.is(i, "LIBRARYNAME") && pattern == null) {
        if (i == call.argc() - 1) {
          call.error("ERR library name argument was not given");
          return;
        }
        pattern = lowerCase(call.text(++i));
      } else {
        call.error("ERR Unknown argument " + call.shown(i));
        return;
      }
    }
    Glob glob = new Glob(pattern == null ? lowerCase("*") : pattern);
    List<Library> shown =
        libraries(call).all().stream()
            .filter(library -> glob.matches(lowerCase(library.name())))
            .toList();
    call.reply().array(shown.size());
    for (Library library : shown) replyLibrary(call.reply(), library, withCode);
  }

  private static byte[] lowerCase(String text) {
    return text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void replyLibrary(RespWriter reply, Library library, boolean withCode) {
    reply.map(withCode ? 4 : 3);
    reply.bulk("library_name");
    reply.bulk(library.name());
    reply.bulk("engine");
    reply.bulk("LUA");
    reply.bulk("functions");
    reply.array(library.functions().size());
    for (LibraryFunction function : library.functions()) replyFunction(reply, function);
    if (!withCode) return;
    reply.bulk("library_code");
    reply.bulk(library.code());
  }

  private static void replyFunction(RespWriter reply, LibraryFunction function) {
    reply.map(3);
    reply.bulk("name");
    reply.bulk(function.name());
    reply.bulk("description");
    if (function.description() == null) reply.nil();
    else reply.bulk(function.description());
    reply.bulk("flags");
    reply.set(function.flags().size());
    for (ScriptFlag flag : function.flags()) reply.simple(flag.label());
  }

  /** FUNCTION STATS: replies the running function, or null, and how many functions there are. */
  public static void functionStats(Call call) {
    RespWriter reply = call.reply();
    reply.map(2);
    reply.bulk("running_script");
    SuspendedScript running = call.engine().suspended();
    if (running == null) reply.nil();
    else replyRunning(call, running);
    reply.bulk("engines");
    reply.map(1);
    reply.bulk("LUA");
    reply.map(2);
    reply.bulk("libraries_count");
    reply.integer(libraries(call).all().size());
    reply.bulk("functions_count");
    reply.integer(libraries(call).functionCount());
  }

  private static void replyRunning(Call call, SuspendedScript running) {
    RespWriter reply = call.reply();
    reply.map(3);
    reply.bulk("name");
    reply.bulk(running.run().name());
    reply.bulk("command");
    List<byte[]> arguments = running.arguments();
    reply.array(arguments.size());
    for (byte[] argument : arguments) reply.bulk(argument);
    reply.bulk("duration_ms");
    reply.integer((call.engine().keyspace().clock().nanos() - running.startNanos()) / 1_000_000);
  }

  /** FUNCTION KILL: ends the running function, as SCRIPT KILL ends a script. */
  public static void functionKill(Call call) {
    ScriptingCommands.kill(call, true);
  }

  /** FUNCTION HELP: the subcommands. */
  public static void functionHelp(Call call) {
    Help.reply(call);
  }
}
