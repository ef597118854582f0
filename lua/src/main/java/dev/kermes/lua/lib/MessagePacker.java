package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import org.jspecify.annotations.Nullable;

/** Encodes values as MessagePack. A value without an encoding becomes nil. */
final class MessagePacker {

  /** Tables nested deeper become nil. */
  private static final int DEPTH_MAX = 16;

  private final LuaCall call;
  private final ByteOutput out;

  MessagePacker(LuaCall call) {
    this.call = call;
    out = new ByteOutput(call);
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }

  void add(@Nullable Object value, int depth) {
    switch (value) {
      case LuaString string -> string(string.bytes());
      case Boolean bool -> out.add(bool ? 0xc3 : 0xc2);
      case Double number -> number(number);
      case LuaTable table when depth < DEPTH_MAX -> table(table, depth);
      case null, default -> out.add(0xc0);
    }
  }

  private void header(int count, int small, int smallMax, int code8, int code16) {
    if (count <= smallMax) {
      out.add(small | count);
    } else if (code8 != 0 && count <= 0xff) {
      out.add(code8);
      out.add(count);
    } else {
      boolean isShort = count <= 0xffff;
      out.add(isShort ? code16 : code16 + 1);
      out.addBig(count, isShort ? 2 : 4);
    }
  }

  private void string(byte[] bytes) {
    header(bytes.length, 0xa0, 31, 0xd9, 0xda);
    out.add(bytes);
  }

  private void number(double number) {
    long whole = (long) number;
    if (whole == number && whole != Long.MAX_VALUE) {
      integer(whole);
    } else if ((float) number == number) {
      out.add(0xca);
      out.addBig(Float.floatToRawIntBits((float) number), 4);
    } else {
      out.add(0xcb);
      out.addBig(Double.doubleToRawLongBits(number), 8);
    }
  }

  private void integer(long n) {
    if (n >= -32 && n <= 127) out.add((int) n);
    else if (n >= 0) unsigned(n);
    else signed(n);
  }

  private void unsigned(long n) {
    int log = n <= 0xff ? 0 : n <= 0xffff ? 1 : n <= 0xffffffffL ? 2 : 3;
    out.add(0xcc + log);
    out.addBig(n, 1 << log);
  }

  private void signed(long n) {
    int log = n == (byte) n ? 0 : n == (short) n ? 1 : n == (int) n ? 2 : 3;
    out.add(0xd0 + log);
    out.addBig(n, 1 << log);
  }

  private void table(LuaTable table, int depth) {
    call.spend(1);
    int count = 0;
    double max = 0;
    boolean isArray = true;
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) {
      count++;
      if (key instanceof Double n && n > 0 && Math.floor(n) == n) max = Math.max(max, n);
      else isArray = false;
    }
    if (isArray && max == count) array(table, count, depth);
    else map(table, count, depth);
  }

  private void array(LuaTable table, int count, int depth) {
    header(count, 0x90, 15, 0, 0xdc);
    for (int i = 1; i <= count; i++) add(table.get(i), depth + 1);
  }

  private void map(LuaTable table, int count, int depth) {
    header(count, 0x80, 15, 0, 0xde);
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) {
      add(key, depth + 1);
      add(table.get(key), depth + 1);
    }
  }
}
