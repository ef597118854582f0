package dev.kermes.server.script;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaString;
import dev.kermes.resp.Decimals;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The arguments of a command that a script calls, as slices of one array. Reused. */
public final class ArgumentBuffer {

  /** 64 KiB: a longer array is kept only while calls need it. */
  private static final int KEPT_MAX = 64 * 1024;

  /** 4 MiB. To allocate an array of 1 MiB for each call takes longer than to fill it. */
  private static final int KEPT_MAX_IF_USED = 4 * 1024 * 1024;

  /** The sign and 17 digits. */
  private static final int INTEGER_LENGTH_MAX = 18;

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
    if (bytes.length > KEPT_MAX && !isUsed()) bytes = new byte[256];
    size = 0;
    count = 0;
    for (int i = 1; i <= call.count(); i++) {
      if (call.isNumber(i)) {
        add(call.number(i));
        continue;
      }
      byte[] argument = bytesOf(call.value(i));
      if (argument == null) return false;
      add(argument);
    }
    return true;
  }

  /** Whether the last call needed an array of about that length, and the next one may. */
  private boolean isUsed() {
    return size > bytes.length / 4 && bytes.length <= KEPT_MAX_IF_USED;
  }

  private static byte @Nullable [] bytesOf(@Nullable Object value) {
    return value instanceof LuaString string ? string.bytes() : null;
  }

  /** Adds a number as the shortest text that reads back the same; most are integers. */
  private void add(double number) {
    boolean isInteger = number == Math.rint(number) && Math.abs(number) < 1e17;
    if (!isInteger) {
      add(Decimals.format(number).getBytes(StandardCharsets.US_ASCII));
      return;
    }
    int start = size;
    ensureRoom(INTEGER_LENGTH_MAX);
    added(Decimals.put(bytes, start, (long) number) - start);
  }

  private void add(byte[] argument) {
    ensureRoom(argument.length);
    System.arraycopy(argument, 0, bytes, size, argument.length);
    added(argument.length);
  }

  private void ensureRoom(int length) {
    if (bytes.length - size < length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, length)));
    }
  }

  /** Counts the bytes that were put behind the others as the next argument. */
  private void added(int length) {
    if (slices.length < 2 * count + 2) slices = Arrays.copyOf(slices, 2 * slices.length);
    slices[2 * count] = size;
    slices[2 * count + 1] = length;
    size += length;
    count++;
  }
}
