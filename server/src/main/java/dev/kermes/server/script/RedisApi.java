package dev.kermes.server.script;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The functions of the table {@code redis}, which Valkey's scripts call {@code server}. An error
 * message names the table as the script did.
 */
final class RedisApi {

  /** The log for messages of scripts. */
  private static final Logger LOG = LoggerFactory.getLogger("dev.kermes.server.script");

  /** The number of steps that a command counts for until the next look at the clock. */
  private static final int COMMAND_WORK = 20;

  private static final int LOG_LEVEL_MAX = 3;

  /** The metamethod that rejects unknown globals. */
  static final LuaFunction UNKNOWN_GLOBAL =
      call -> {
        LuaString name = call.stringOrNull(2);
        throw call.error("Script attempted to access nonexistent global variable '" + name + "'");
      };

  private final Machine machine;
  private final LuaState state;
  private final String version;
  private final Sha1 sha1 = new Sha1();
  private final ArgumentBuffer arguments = new ArgumentBuffer();
  private final ReplyToLua replies;

  RedisApi(Machine machine, String redisVersion) {
    this.machine = machine;
    state = machine.state();
    version = redisVersion;
    replies = new ReplyToLua(state);
  }

  /** Everything that scripts may use, as a table of that name. */
  LuaTable forScripts(String name) {
    LuaTable redis = forFunctions(name);
    add(redis, "replicate_commands", call -> call.push(true));
    add(redis, "breakpoint", call -> call.push(false));
    add(redis, "debug", call -> {});
    return redis;
  }

  /** Everything that functions may use when they are called. */
  LuaTable forFunctions(String name) {
    LuaTable redis = forLibraries(name);
    add(redis, "call", call -> call(call, true));
    add(redis, "pcall", call -> call(call, false));
    add(redis, "error_reply", this::errorReply);
    add(redis, "status_reply", this::statusReply);
    add(redis, "sha1hex", this::sha1hex);
    add(redis, "setresp", call -> setResp(call, name));
    add(redis, "set_repl", call -> setReplication(call, name));
    add(redis, "acl_check_cmd", call -> checkCommand(call, name));
    redis.put("REPL_NONE", 0.0).put("REPL_AOF", 1.0).put("REPL_SLAVE", 2.0);
    return redis.put("REPL_REPLICA", 2.0).put("REPL_ALL", 3.0);
  }

  /** Everything that libraries may use while they are loaded, except for register_function. */
  LuaTable forLibraries(String name) {
    LuaTable redis = state.newTable();
    add(redis, "log", call -> log(call, name));
    redis.put("LOG_DEBUG", 0.0).put("LOG_VERBOSE", 1.0).put("LOG_NOTICE", 2.0);
    redis.put("LOG_WARNING", 3.0).put("REDIS_VERSION", LuaString.of(version));
    return redis.put("REDIS_VERSION_NUM", (double) versionNumber());
  }

  private int versionNumber() {
    int number = 0;
    for (String part : version.split("\\.")) number = number << 8 | Integer.parseInt(part);
    return number;
  }

  static void add(LuaTable table, String name, LuaFunction function) {
    table.put(name, (Object) function);
  }

  // Commands

  private void call(LuaCall call, boolean raises) {
    call.spend(COMMAND_WORK);
    String mistake = takeArguments(call);
    Object value = mistake == null ? called() : Errors.of(state, mistake);
    if (raises && Errors.isError(state, value)) throw new LuaError(value);
    call.push(value);
  }

  private @Nullable String takeArguments(LuaCall call) {
    if (call.count() == 0) return "Please specify at least one argument for this redis lib call";
    return arguments.take(call)
        ? null
        : "Lua redis lib command arguments must be strings or integers";
  }

  private @Nullable Object called() {
    ScriptHost host = machine.host();
    String refusal = host.call(machine.run(), arguments);
    return refusal == null
        ? replies.value(host.reply())
        : Errors.counted(state, LuaString.of(refusal));
  }

  private void checkCommand(LuaCall call, String table) {
    String mistake = takeArguments(call);
    if (mistake == null && !machine.host().isCommand(arguments)) {
      mistake = "Invalid command passed to " + table + ".acl_check_cmd()";
    }
    if (mistake != null) throw Errors.raised(state, mistake);
    call.push(machine.host().isAllowed(arguments));
  }

  // Replies

  private void errorReply(LuaCall call) {
    if (call.count() == 1 && call.value(1) instanceof LuaString message) {
      call.push(Errors.table(state, Errors.withCode(message)));
    } else {
      call.push(Errors.of(state, "wrong number or type of arguments"));
    }
  }

  private void statusReply(LuaCall call) {
    if (call.count() == 1 && call.value(1) instanceof LuaString status) {
      call.push(state.newTable(0, 1).put(state.intern("ok"), status));
    } else {
      call.push(Errors.of(state, "wrong number or type of arguments"));
    }
  }

  // Others

  private void sha1hex(LuaCall call) {
    if (call.count() != 1) throw Errors.raised(state, "wrong number of arguments");
    LuaString text = call.stringOrNull(1);
    call.push(LuaString.of(sha1.of(text == null ? new byte[0] : text.bytes())));
  }

  private void setResp(LuaCall call, String table) {
    if (call.count() != 1) throw Errors.raised(state, table + ".setresp() requires one argument.");
    long version = call.isNumber(1) ? call.integer(1) : 0;
    if (version != 2 && version != 3) {
      throw Errors.raised(state, "RESP version must be 2 or 3.");
    }
    machine.run().protocol((int) version);
  }

  /** Selects the readers of the write log that see the script's writes from here on. */
  private void setReplication(LuaCall call, String table) {
    if (call.count() != 1) throw Errors.raised(state, table + ".set_repl() requires one argument.");
    long flags = call.isNumber(1) ? call.integer(1) : 0;
    if ((flags & ~ScriptRun.ALL_READERS) != 0) {
      throw Errors.raised(
          state, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
    }
    machine.run().audience((int) flags);
  }

  private void log(LuaCall call, String table) {
    if (call.count() < 2) {
      throw Errors.raised(state, table + ".log() requires two arguments or more.");
    }
    if (!call.isNumber(1)) {
      throw Errors.raised(state, "First argument must be a number (log level).");
    }
    long level = call.integer(1);
    if (level < 0 || level > LOG_LEVEL_MAX) throw Errors.raised(state, "Invalid log level.");
    StringBuilder text = new StringBuilder();
    for (int i = 2; i <= call.count(); i++) {
      LuaString part = call.stringOrNull(i);
      if (part == null) continue;
      if (i > 2) text.append(' ');
      text.append(part);
    }
    log((int) level, text.toString());
  }

  private static void log(int level, String text) {
    switch (level) {
      case 0 -> LOG.trace("{}", text);
      case 1 -> LOG.debug("{}", text);
      case 2 -> LOG.info("{}", text);
      default -> LOG.warn("{}", text);
    }
  }
}
