package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaClosure;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** The functions of {@code string}, which are also methods of strings. */
public final class StringLibrary {

  private static final int SLICE_MAX = 8000;
  private static final int WORK_BYTES = 64;

  private StringLibrary() {}

  /** Defines the global {@code string}, and the metatable of strings. */
  public static void open(LuaState state) {
    LuaTable strings =
        LibraryBuilder.global(state, "string")
            .add("byte", StringLibrary::bytes)
            .add("char", StringLibrary::chars)
            .add("dump", StringLibrary::dump)
            .add("find", call -> find(call, true))
            .add("format", StringFormat::format)
            .add("gfind", StringLibrary::gmatch)
            .add("gmatch", StringLibrary::gmatch)
            .add("gsub", Substitution::gsub)
            .add("len", call -> call.push((double) call.string(1).length()))
            .add("lower", call -> map(call, c -> c >= 'A' && c <= 'Z' ? c + 32 : c))
            .add("match", call -> find(call, false))
            .add("rep", StringLibrary::repeat)
            .add("reverse", StringLibrary::reverse)
            .add("sub", StringLibrary::sub)
            .add("upper", call -> map(call, c -> c >= 'a' && c <= 'z' ? c - 32 : c))
            .table();
    LuaTable metatable = state.newTable();
    metatable.put("__index", strings);
    state.stringMetatable(metatable);
  }

  /**
   * Converts a position from the end to one from the start; a position before the start becomes 0.
   */
  private static long position(long position, int length) {
    long counted = position < 0 ? position + length + 1 : position;
    return Math.max(counted, 0);
  }

  private static void bytes(LuaCall call) {
    byte[] bytes = call.bytes(1);
    long from = position(call.integer(2, 1), bytes.length);
    long to = Math.min(position(call.integer(3, from), bytes.length), bytes.length);
    from = Math.max(from, 1);
    if (from > to) return;
    if (to - from + 1 + call.count() > SLICE_MAX) throw call.error("string slice too long");
    for (long i = from; i <= to; i++) call.push((double) (bytes[(int) i - 1] & 0xff));
  }

  private static void chars(LuaCall call) {
    byte[] bytes = new byte[call.count()];
    for (int i = 1; i <= bytes.length; i++) {
      long c = call.integer(i);
      if (c != (c & 0xff)) throw call.argumentError(i, "invalid value");
      bytes[i - 1] = (byte) c;
    }
    call.pushFresh(bytes);
  }

  /** The mark of a binary chunk without the chunk, because binary chunks are never loaded. */
  private static void dump(LuaCall call) {
    boolean isOfLua = call.function(1) instanceof LuaClosure closure && !closure.isNative();
    if (!isOfLua) throw call.error("unable to dump given function");
    call.push(LuaString.of("\033Lua"));
  }

  private static void map(LuaCall call, IntUnaryOperator function) {
    byte[] bytes = call.bytes(1).clone();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) function.applyAsInt(bytes[i] & 0xff);
    }
    call.pushFresh(bytes);
  }

  private static void repeat(LuaCall call) {
    byte[] bytes = call.bytes(1);
    long count = Math.max(0, (int) call.integer(2));
    call.state().reserveString(bytes.length * count);
    byte[] repeated = new byte[(int) (bytes.length * count)];
    for (int i = 0; i < repeated.length; i += bytes.length) {
      System.arraycopy(bytes, 0, repeated, i, bytes.length);
    }
    call.spend(repeated.length / WORK_BYTES);
    call.push(LuaString.of(repeated));
  }

  private static void reverse(LuaCall call) {
    byte[] bytes = call.bytes(1);
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) reversed[i] = bytes[bytes.length - 1 - i];
    call.pushFresh(reversed);
  }

  private static void sub(LuaCall call) {
    LuaString string = call.string(1);
    int length = string.length();
    long from = Math.max(1, position(call.integer(2), length));
    long to = Math.min(position(call.integer(3, -1), length), length);
    if (from > to) call.push(LuaString.EMPTY);
    else if (from == 1 && to == length) call.push(string);
    else call.pushFresh(Arrays.copyOfRange(string.bytes(), (int) from - 1, (int) to));
  }

  // Patterns

  private static void find(LuaCall call, boolean finds) {
    byte[] subject = call.bytes(1);
    byte[] pattern = call.bytes(2);
    long init = position(call.integer(3, 1), subject.length) - 1;
    int start = (int) Math.min(Math.max(init, 0), subject.length);
    if (finds && (call.isTrue(4) || LuaPattern.isPlain(pattern))) {
      findPlain(call, subject, pattern, start);
    } else {
      findPattern(call, new LuaPattern(call, subject, pattern), start, subject.length, finds);
    }
  }

  private static void findPlain(LuaCall call, byte[] subject, byte[] sought, int start) {
    int found = indexOf(subject, sought, start);
    call.spend(subject.length / WORK_BYTES);
    if (found < 0) {
      call.pushNil();
    } else {
      call.push(found + 1.0);
      call.push((double) found + sought.length);
    }
  }

  private static int indexOf(byte[] subject, byte[] sought, int start) {
    for (int i = start; i <= subject.length - sought.length; i++) {
      if (Arrays.equals(subject, i, i + sought.length, sought, 0, sought.length)) return i;
    }
    return -1;
  }

  private static void findPattern(
      LuaCall call, LuaPattern pattern, int from, int length, boolean finds) {
    int start = from;
    do {
      int end = pattern.match(start);
      if (end >= 0) {
        if (finds) {
          call.push(start + 1.0);
          call.push((double) end);
          for (int i = 0; i < pattern.plainCaptureCount(); i++) pattern.push(i, start, end);
        } else {
          pattern.pushAll(start, end);
        }
        return;
      }
      start++;
    } while (start <= length && !pattern.isAnchored());
    call.pushNil();
  }

  private static void gmatch(LuaCall call) {
    byte[] subject = call.bytes(1);
    byte[] pattern = call.bytes(2);
    int[] at = {0};
    LuaFunction iterator = c -> nextMatch(c, subject, pattern, at);
    call.push(iterator);
  }

  private static void nextMatch(LuaCall call, byte[] subject, byte[] text, int[] at) {
    LuaPattern pattern = new LuaPattern(call, subject, text);
    for (int start = at[0]; start <= subject.length; start++) {
      int end = pattern.matchUnanchored(start);
      if (end < 0) continue;
      at[0] = end == start ? end + 1 : end;
      pattern.pushAll(start, end);
      return;
    }
    at[0] = subject.length + 1;
  }
}
