package dev.kermes.server.command;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.script.ScriptFailure;
import dev.kermes.server.script.ScriptRun;
import org.jspecify.annotations.Nullable;

/**
 * What a script returned, as a reply.
 *
 * <pre>
 *   'a'   $1       1.9             :1        {1, 'a', nil, 2}  *2        {ok='x'}   +x
 *   nil   null     {double=1.5}    ,1.5      {map={k=v}}       %1        {err='x'}  -x
 *   true  :1       false           null      {set={m=true}}    ~1
 * </pre>
 */
final class ScriptReply {

  /** Deeper than this the stack of the reference implementation does not reach. */
  private static final int DEPTH_MAX = 1990;

  private final Call call;
  private final RespWriter reply;
  private final int protocol;

  private ScriptReply(Call call, int protocol) {
    this.call = call;
    this.protocol = protocol;
    reply = call.reply();
  }

  /** Replies the result of a run that has ended, or its error. */
  static void write(Call call, ScriptRun run) {
    ScriptFailure failure = run.failure();
    if (failure == null) {
      new ScriptReply(call, run.protocol()).write(run.result(), 0);
    } else {
      call.error(failure.reply(run.name()), !failure.isCounted());
    }
  }

  private void write(@Nullable Object value, int depth) {
    if (value instanceof LuaString string) {
      reply.bulkShared(string.bytes(), 0, string.length());
    } else if (value instanceof Double number) {
      reply.integer(LuaCall.toInteger(number));
    } else if (value instanceof Boolean bool) {
      bool(bool);
    } else if (value instanceof LuaTable table) {
      if (depth > DEPTH_MAX) call.error("ERR reached lua stack limit");
      else table(table, depth + 1);
    } else {
      reply.nil();
    }
  }

  private void bool(boolean value) {
    if (protocol == 3) reply.bool(value);
    else if (value) reply.integer(1);
    else reply.nil();
  }

  private void table(LuaTable table, int depth) {
    if (table.get("err") instanceof LuaString error) {
      call.error(error.toString(), !LuaValues.isTrue(table.get("ignore_error_stats_update")));
    } else if (table.get("ok") instanceof LuaString status) {
      reply.simple(status.toString());
    } else if (table.get("double") instanceof Double number) {
      reply.decimal(number);
    } else if (table.get("map") instanceof LuaTable map) {
      map(map, depth);
    } else if (table.get("set") instanceof LuaTable set) {
      set(set, depth);
    } else if (table.get("big_number") instanceof LuaString digits) {
      reply.bigNumber(digits.toString().replace('\r', ' ').replace('\n', ' '));
    } else if (!(table.get("verbatim_string") instanceof LuaTable text) || !verbatim(text)) {
      array(table, depth);
    }
  }

  private boolean verbatim(LuaTable parts) {
    if (!(parts.get("string") instanceof LuaString text)
        || !(parts.get("format") instanceof LuaString format)) {
      return false;
    }
    reply.verbatim(format.toString(), text.toString());
    return true;
  }

  private void map(LuaTable map, int depth) {
    reply.map(size(map));
    for (Object key = map.nextKey(null); key != null; key = map.nextKey(key)) {
      write(key, depth);
      write(map.get(key), depth);
    }
  }

  private void set(LuaTable set, int depth) {
    reply.set(size(set));
    for (Object key = set.nextKey(null); key != null; key = set.nextKey(key)) write(key, depth);
  }

  private static int size(LuaTable table) {
    int size = 0;
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) size++;
    return size;
  }

  /** The items up to the first nil. */
  private void array(LuaTable table, int depth) {
    int count = 0;
    while (table.get(count + 1) != null) count++;
    reply.array(count);
    for (int i = 1; i <= count; i++) write(table.get(i), depth);
  }
}
