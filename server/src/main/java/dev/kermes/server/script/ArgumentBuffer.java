package dev.kermes.server.script;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaString;
import dev.kermes.resp.Decimals;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The arguments of a command that a script calls, as slices of one array. Reused. */
public final class ArgumentBuffer {

  private static final int KEPT_MAX = 64 * 1024;

  private byte[] bytes = new byte[256];
  private int[] slices = new int[16];
  private int size;
  private int count;

  public byte[] bytes() {
    return bytes;
  }

  /** The offset and length of each argument, in pairs. */
  public int[] slices() {
    return slices;
  }

  public int count() {
    return count;
  }

  /** Takes all arguments of a call; false if one is neither a string nor a number. */
  boolean take(LuaCall call) {
    size = 0;
    count = 0;
    if (bytes.length > KEPT_MAX) bytes = new byte[256];
    for (int i = 1; i <= call.count(); i++) {
      byte[] argument = call.isNumber(i) ? text(call.number(i)) : bytesOf(call.value(i));
      if (argument == null) return false;
      add(argument);
    }
    return true;
  }

  private static byte @Nullable [] bytesOf(@Nullable Object value) {
    return value instanceof LuaString string ? string.bytes() : null;
  }

  /** A number as the shortest text that reads back the same; most are integers. */
  private static byte[] text(double number) {
    boolean isInteger = number == Math.rint(number) && Math.abs(number) < 1e17;
    String text = isInteger ? Long.toString((long) number) : Decimals.format(number);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void add(byte[] argument) {
    int length = argument.length;
    if (bytes.length - size < length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, length)));
    }
    if (slices.length < 2 * count + 2) slices = Arrays.copyOf(slices, 2 * slices.length);
    System.arraycopy(argument, 0, bytes, size, length);
    slices[2 * count] = size;
    slices[2 * count + 1] = length;
    size += length;
    count++;
  }
}
