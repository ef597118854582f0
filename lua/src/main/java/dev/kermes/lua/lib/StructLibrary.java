package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code struct}: C structures to strings and back, as in Roberto Ierusalimschy's struct 0.2. */
public final class StructLibrary {

  private StructLibrary() {}

  /** Defines the global {@code struct}. */
  public static void open(LuaState state) {
    LibraryBuilder.global(state, "struct")
        .add("pack", StructLibrary::pack)
        .add("unpack", StructLibrary::unpack)
        .add("size", StructLibrary::size);
  }

  private static void pack(LuaCall call) {
    StructFormat format = new StructFormat(call);
    ByteOutput out = new ByteOutput(call);
    int argument = 2;
    while (format.next(out.length())) {
      if (argument > call.count()) needNone(call, argument, format);
      for (int i = format.padding(); i > 0; i--) out.add(0);
      switch (format.option()) {
        case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I' ->
            integer(out, call.number(argument++), format);
        case 'x' -> out.add(0);
        case 'f' -> bytes(out, Float.floatToRawIntBits((float) call.number(argument++)), 4, format);
        case 'd' -> bytes(out, Double.doubleToRawLongBits(call.number(argument++)), 8, format);
        case 'c', 's' -> string(call, out, argument++, format);
        default -> format.control();
      }
    }
    call.pushFresh(out.toByteArray());
  }

  private static void needNone(LuaCall call, int argument, StructFormat format) {
    if (!format.isItem() || format.option() == 'x') return;
    boolean isString = format.option() == 'c' || format.option() == 's';
    String expected = isString ? "string" : "number";
    throw call.argumentError(argument, expected + " expected, got nil");
  }

  private static void integer(ByteOutput out, double number, StructFormat format) {
    long value =
        number >= 0x1p63 ? (long) (number - 0x1p63) ^ Long.MIN_VALUE : LuaValues.toInteger(number);
    bytes(out, value, format.size(), format);
  }

  private static void bytes(ByteOutput out, long value, int size, StructFormat format) {
    for (int i = 0; i < size; i++) {
      int place = format.isLittle() ? i : size - 1 - i;
      out.add(place < 8 ? (int) (value >>> 8 * place) : 0);
    }
  }

  private static void string(LuaCall call, ByteOutput out, int argument, StructFormat format) {
    byte[] bytes = call.bytes(argument);
    int size = format.size() == 0 ? bytes.length : format.size();
    if (bytes.length < size) throw call.argumentError(argument + 1, "string too short");
    out.add(Arrays.copyOf(bytes, size));
    if (format.option() == 's') out.add(0);
  }

  private static void unpack(LuaCall call) {
    StructFormat format = new StructFormat(call);
    byte[] data = call.bytes(2);
    long start = call.integer(3, 1);
    if (start == 0) throw call.argumentError(3, "offset must be 1 or greater");
    long at = start > 0 ? start - 1 : Integer.MAX_VALUE;
    List<Object> values = new ArrayList<>();
    while (format.next((int) at)) {
      at += format.padding();
      int size = format.size();
      need(call, data, at, size);
      int from = (int) at;
      switch (format.option()) {
        case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I' -> values.add(integer(data, from, format));
        case 'x' -> {}
        case 'f' ->
            values.add((double) Float.intBitsToFloat((int) unsigned(data, from, 4, format)));
        case 'd' -> values.add(Double.longBitsToDouble(unsigned(data, from, 8, format)));
        case 'c' -> {
          if (size == 0) size = previousSize(call, values);
          need(call, data, at, size);
          values.add(LuaString.of(Arrays.copyOfRange(data, from, from + size)));
        }
        case 's' -> {
          int end = from;
          while (end < data.length && data[end] != 0) end++;
          if (end == data.length) throw call.error("unfinished string in data");
          values.add(LuaString.of(Arrays.copyOfRange(data, from, end)));
          size = end + 1 - from;
        }
        default -> format.control();
      }
      at += size;
    }
    values.forEach(call::push);
    call.push(at + 1.0);
  }

  private static void need(LuaCall call, byte[] data, long at, long size) {
    boolean isThere = size >= 0 && size <= data.length && at <= data.length - size;
    if (!isThere) throw call.argumentError(2, "data string too short");
  }

  private static int previousSize(LuaCall call, List<Object> values) {
    if (values.isEmpty() || !(values.getLast() instanceof Double size)) {
      throw call.error("format 'c0' needs a previous size");
    }
    values.removeLast();
    return (int) (double) size;
  }

  private static long unsigned(byte[] data, int from, int size, StructFormat format) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      int place = format.isLittle() ? size - 1 - i : i;
      value = value << 8 | data[from + place] & 0xff;
    }
    return value;
  }

  private static Double integer(byte[] data, int from, StructFormat format) {
    long value = unsigned(data, from, format.size(), format);
    if (format.option() < 'a') {
      return value >= 0 ? (double) value : ((value >>> 1) | (value & 1)) * 2.0;
    }
    long mask = -1L << (format.size() * 8 - 1);
    return (double) ((value & mask) != 0 ? value | mask : value);
  }

  private static void size(LuaCall call) {
    StructFormat format = new StructFormat(call);
    long total = 0;
    while (format.next((int) total)) {
      total += format.padding();
      if (format.option() == 's') throw call.argumentError(1, "option 's' has no fixed size");
      if (format.option() == 'c' && format.size() == 0) {
        throw call.argumentError(1, "option 'c0' has no fixed size");
      }
      if (!format.isItem()) format.control();
      total += format.size();
    }
    call.push((double) total);
  }
}
