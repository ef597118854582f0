package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Decodes MessagePack to values. */
final class MessageUnpacker {

  /** The depth that the stack of the reference implementation allows. */
  private static final int DEPTH_MAX = 2600;

  private final LuaCall call;
  private final byte[] bytes;
  private int at;
  private int depth;

  MessageUnpacker(LuaCall call, byte[] bytes, int offset) {
    this.call = call;
    this.bytes = bytes;
    at = offset;
  }

  boolean hasMore() {
    return at < bytes.length;
  }

  int position() {
    return at;
  }

  private LuaError badFormat() {
    return call.error("Bad data format in input.");
  }

  private void need(long count) {
    if (count > bytes.length - at) throw call.error("Missing bytes in input.");
  }

  private int take() {
    need(1);
    return bytes[at++] & 0xff;
  }

  private long take(int size) {
    need(size);
    long value = 0;
    for (int i = 0; i < size; i++) value = value << 8 | bytes[at++] & 0xff;
    return value;
  }

  @Nullable Object next() {
    int code = take();
    if (code < 0x80) return (double) code;
    if (code < 0x90) return map(code & 15);
    if (code < 0xa0) return array(code & 15);
    if (code < 0xc0) return string(code & 31);
    if (code >= 0xe0) return (double) (byte) code;
    return switch (code) {
      case 0xc0 -> null;
      case 0xc2 -> false;
      case 0xc3 -> true;
      case 0xca -> (double) Float.intBitsToFloat((int) take(4));
      case 0xcb -> Double.longBitsToDouble(take(8));
      case 0xcc, 0xcd, 0xce -> (double) take(1 << code - 0xcc);
      case 0xcf -> (double) take(8);
      case 0xd0 -> (double) (byte) take(1);
      case 0xd1 -> (double) (short) take(2);
      case 0xd2 -> (double) (int) take(4);
      case 0xd3 -> (double) take(8);
      case 0xd9, 0xda, 0xdb -> string(take(1 << code - 0xd9));
      case 0xdc, 0xdd -> array(take(2 << code - 0xdc));
      case 0xde, 0xdf -> map(take(2 << code - 0xde));
      default -> throw badFormat();
    };
  }

  private LuaString string(long length) {
    need(length);
    at += (int) length;
    return LuaString.of(Arrays.copyOfRange(bytes, at - (int) length, at));
  }

  private LuaTable descend() {
    call.spend(1);
    if (++depth > DEPTH_MAX) throw badFormat();
    return call.state().newTable();
  }

  private LuaTable array(long count) {
    LuaTable table = descend();
    for (long i = 1; i <= count; i++) table.put((int) i, next());
    depth--;
    return table;
  }

  private LuaTable map(long count) {
    LuaTable table = descend();
    for (long i = 0; i < count; i++) {
      Object key = next();
      Object value = next();
      if (key == null) throw new LuaError("table index is nil");
      if (key instanceof Double n && n.isNaN()) throw new LuaError("table index is NaN");
      table.put(key, value);
    }
    depth--;
    return table;
  }
}
