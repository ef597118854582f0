package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import dev.kermes.lua.NativeCode;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** One run of {@code string.gsub}. */
final class Substitution {

  private static final NativeCode BY_FUNCTION =
      NativeCode.of(
          """
          local step, captures, replace, result, replacement = ...
          while step() do replace(replacement(captures())) end
          return result()
          """);

  private static final NativeCode BY_TABLE =
      NativeCode.of(
          """
          local step, captures, replace, result, replacement = ...
          while step() do replace(replacement[captures()]) end
          return result()
          """);

  private final byte[] subject;
  private final byte[] pattern;
  private final long most;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LuaPattern match;
  private int at;
  private int start;
  private int end;
  private int count;
  private boolean isOver;

  private Substitution(LuaCall call) {
    subject = call.bytes(1);
    pattern = call.bytes(2);
    checkReplacement(call);
    most = (int) call.integer(4, subject.length + 1L);
    match = new LuaPattern(call, subject, pattern);
  }

  private static void checkReplacement(LuaCall call) {
    boolean isGood =
        switch (call.typeName(3)) {
          case "number", "string", "function", "table" -> true;
          default -> false;
        };
    if (!isGood) throw call.argumentError(3, "string/function/table expected");
  }

  static void gsub(LuaCall call) {
    Substitution substitution = new Substitution(call);
    Object replacement = call.value(3);
    if (LuaValues.isFunction(replacement)) {
      substitution.continueInLua(call, BY_FUNCTION);
    } else if (replacement instanceof LuaTable table) {
      if (table.metatable() != null) substitution.continueInLua(call, BY_TABLE);
      else substitution.byTable(call, table);
    } else {
      substitution.byText(call, call.bytes(3));
    }
  }

  /**
   * The replacement calls back, so the run may be suspended: the loop is Lua code, its steps are
   * Java.
   */
  private void continueInLua(LuaCall call, NativeCode code) {
    LuaFunction step = c -> c.push(step(c));
    LuaFunction captures = c -> match.pushAll(start, end);
    LuaFunction replace = c -> replace(c, c.value(1));
    LuaFunction result = this::pushResult;
    call.push(call.state().closure(code));
    call.push(step);
    call.push(captures);
    call.push(replace);
    call.push(result);
    call.pushArgument(3);
    call.tailCall();
  }

  private void byTable(LuaCall call, LuaTable table) {
    while (step(call)) replace(call, table.get(match.value(0, start, end)));
    pushResult(call);
  }

  private void byText(LuaCall call, byte[] text) {
    while (step(call)) {
      expand(call, text);
      at = end;
    }
    pushResult(call);
  }

  /** Advances to the next match, copying the text before it; returns false if there is none. */
  private boolean step(LuaCall call) {
    if (count > 0 && !isOver) skipAfterMatch();
    while (count < most && !isOver) {
      end = match.match(at);
      if (end >= 0) {
        start = at;
        count++;
        return true;
      }
      skipByte();
      if (match.isAnchored()) isOver = true;
    }
    if (out.size() > subject.length) call.state().reserveString(out.size());
    return false;
  }

  private void skipAfterMatch() {
    if (end > start) at = end;
    else skipByte();
    if (match.isAnchored()) isOver = true;
  }

  private void skipByte() {
    if (at < subject.length) out.write(subject[at++]);
    else isOver = true;
  }

  private void replace(LuaCall call, @Nullable Object value) {
    if (!LuaValues.isTrue(value)) {
      out.write(subject, start, end - start);
    } else if (value instanceof LuaString || value instanceof Double) {
      out.writeBytes(LuaValues.toLuaString(value).bytes());
    } else {
      String message = "invalid replacement value (a " + LuaValues.typeName(value) + ")";
      throw call.errorOfCaller(message);
    }
    at = end;
  }

  /** Replaces by a text in which {@code %1} means a capture. */
  private void expand(LuaCall call, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (text[i] != '%') {
        out.write(text[i]);
        continue;
      }
      int c = ++i < text.length ? text[i] : 0;
      if (c < '0' || c > '9') out.write(c);
      else if (c == '0') out.write(subject, start, end - start);
      else out.writeBytes(LuaValues.toLuaString(match.value(c - '1', start, end)).bytes());
    }
    if (out.size() > call.state().limits().memoryBytes()) call.state().reserveString(out.size());
  }

  private void pushResult(LuaCall call) {
    out.write(subject, at, subject.length - at);
    call.pushFresh(out.toByteArray());
    call.push((double) count);
  }
}
