package dev.kermes.server.execution;

import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import dev.kermes.resp.ByteText;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.script.ScriptFailure;
import dev.kermes.server.script.ScriptRun;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes the result of a script as a reply.
 *
 * <pre>
 *   'a'   $1       1.9             :1        {1, 'a', nil, 2}  *2        {ok='x'}   +x
 *   nil   null     {double=1.5}    ,1.5      {map={k=v}}       %1        {err='x'}  -x
 *   true  :1       false           null      {set={m=true}}    ~1
 * </pre>
 */
final class ScriptReply {

  /** The depth limit of the reference implementation, whose stack ends there. */
  private static final int DEPTH_MAX = 7995;

  private static final LuaString ERR = LuaString.of("err");
  private static final LuaString COUNTED = LuaString.of("ignore_error_stats_update");
  private static final LuaString OK = LuaString.of("ok");
  private static final LuaString DOUBLE = LuaString.of("double");
  private static final LuaString MAP = LuaString.of("map");
  private static final LuaString SET = LuaString.of("set");
  private static final LuaString BIG_NUMBER = LuaString.of("big_number");
  private static final LuaString VERBATIM = LuaString.of("verbatim_string");

  private final Call call;
  private final RespWriter reply;
  private final int protocol;

  /** Aggregates whose elements are being written, the innermost last. */
  private final Deque<Aggregate> open = new ArrayDeque<>();

  private ScriptReply(Call call, int protocol) {
    this.call = call;
    this.protocol = protocol;
    reply = call.reply();
  }

  /** Replies the result of a run that has ended, or its error. */
  static void write(Call call, ScriptRun run) {
    ScriptFailure failure = run.failure();
    if (failure == null) {
      write(call, run.result(), run.protocol());
    } else {
      call.scriptError(failure.reply(run.name()), !failure.isCounted());
    }
  }

  private static void write(Call call, @Nullable Object value, int protocol) {
    if (value instanceof LuaString string) {
      call.reply().bulkShared(string.bytes(), 0, string.length());
    } else {
      new ScriptReply(call, protocol).write(value);
    }
  }

  private void write(@Nullable Object value) {
    writeOne(value);
    while (!open.isEmpty()) {
      Aggregate innermost = open.getLast();
      if (innermost.advance()) writeOne(innermost.element());
      else open.removeLast();
    }
  }

  private void writeOne(@Nullable Object value) {
    if (value instanceof LuaString string) {
      reply.bulkShared(string.bytes(), 0, string.length());
    } else if (value instanceof Double number) {
      reply.integer(LuaValues.toInteger(number));
    } else if (value instanceof Boolean bool) {
      bool(bool);
    } else if (!(value instanceof LuaTable table)) {
      reply.nil();
    } else if (open.size() >= DEPTH_MAX) {
      call.error("ERR reached lua stack limit");
    } else {
      table(table);
    }
  }

  private void bool(boolean value) {
    if (protocol == 3) reply.bool(value);
    else if (value) reply.integer(1);
    else reply.nil();
  }

  private void table(LuaTable table) {
    if (table.get(ERR) instanceof LuaString error) {
      call.scriptError(shown(error), !LuaValues.isTrue(table.get(COUNTED)));
    } else if (table.get(OK) instanceof LuaString status) {
      reply.simple(shown(status));
    } else if (table.get(DOUBLE) instanceof Double number) {
      reply.decimal(number);
    } else if (table.get(MAP) instanceof LuaTable map) {
      reply.map(size(map));
      open.add(new Pairs(map, true));
    } else if (table.get(SET) instanceof LuaTable set) {
      reply.set(size(set));
      open.add(new Pairs(set, false));
    } else if (table.get(BIG_NUMBER) instanceof LuaString digits) {
      reply.bigNumber(digits.toString().replace('\r', ' ').replace('\n', ' '));
    } else if (!(table.get(VERBATIM) instanceof LuaTable text) || !verbatim(text)) {
      reply.array(itemCount(table));
      open.add(new Items(table));
    }
  }

  private static String shown(LuaString text) {
    return ByteText.of(text.bytes(), 0, text.length());
  }

  private boolean verbatim(LuaTable parts) {
    if (!(parts.get("string") instanceof LuaString text)
        || !(parts.get("format") instanceof LuaString format)) {
      return false;
    }
    reply.verbatim(format.toString(), text.toString());
    return true;
  }

  private static int size(LuaTable table) {
    int size = 0;
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) size++;
    return size;
  }

  private static int itemCount(LuaTable table) {
    int count = 0;
    while (table.get(count + 1) != null) count++;
    return count;
  }

  /** The elements of an aggregate, one after the other. */
  private interface Aggregate {

    /** Moves to the next element; false if there is none. */
    boolean advance();

    @Nullable Object element();
  }

  /** The items of a table up to the first nil. */
  private static final class Items implements Aggregate {
    private final LuaTable table;
    private int at;
    private @Nullable Object item;

    Items(LuaTable table) {
      this.table = table;
    }

    @Override
    public boolean advance() {
      item = table.get(++at);
      return item != null;
    }

    @Override
    public @Nullable Object element() {
      return item;
    }
  }

  /** The keys of a table, with or without their values. */
  private static final class Pairs implements Aggregate {
    private final LuaTable table;
    private final boolean hasValues;
    private @Nullable Object key;
    private boolean isAtValue;

    Pairs(LuaTable table, boolean hasValues) {
      this.table = table;
      this.hasValues = hasValues;
      isAtValue = hasValues;
    }

    @Override
    public boolean advance() {
      isAtValue = hasValues && !isAtValue;
      if (!isAtValue) key = table.nextKey(key);
      return key != null;
    }

    @Override
    public @Nullable Object element() {
      return isAtValue && key != null ? table.get(key) : key;
    }
  }
}
