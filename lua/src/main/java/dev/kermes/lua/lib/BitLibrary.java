package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import java.util.function.IntBinaryOperator;

/** {@code bit}: operations on 32 bits, as of BitOp 1.0.2. */
public final class BitLibrary {

  /**
   * Added to a number, it leaves the number's lower 32 bits, rounded, at the end of the mantissa.
   */
  private static final double SHIFTER = 6755399441055744.0;

  private static final String DIGITS = "0123456789abcdef0123456789ABCDEF";

  private BitLibrary() {}

  /** Defines the global {@code bit}. */
  public static void open(LuaState state) {
    LibraryBuilder.global(state, "bit")
        .add("tobit", call -> call.push((double) bits(call, 1)))
        .add("bnot", call -> call.push((double) ~bits(call, 1)))
        .add("band", of((a, b) -> a & b))
        .add("bor", of((a, b) -> a | b))
        .add("bxor", of((a, b) -> a ^ b))
        .add("lshift", shift((a, n) -> a << n))
        .add("rshift", shift((a, n) -> a >>> n))
        .add("arshift", shift((a, n) -> a >> n))
        .add("rol", shift(Integer::rotateLeft))
        .add("ror", shift(Integer::rotateRight))
        .add("bswap", call -> call.push((double) Integer.reverseBytes(bits(call, 1))))
        .add("tohex", BitLibrary::toHex);
  }

  private static int bits(LuaCall call, int i) {
    return (int) Double.doubleToRawLongBits(call.number(i) + SHIFTER);
  }

  private static LuaFunction of(IntBinaryOperator operator) {
    return call -> {
      int result = bits(call, 1);
      for (int i = 2; i <= call.count(); i++) {
        result = operator.applyAsInt(result, bits(call, i));
      }
      call.push((double) result);
    };
  }

  private static LuaFunction shift(IntBinaryOperator operator) {
    return call -> {
      int value = bits(call, 1);
      call.push((double) operator.applyAsInt(value, bits(call, 2) & 31));
    };
  }

  private static void toHex(LuaCall call) {
    int value = bits(call, 1);
    int count = call.isNone(2) ? 8 : bits(call, 2);
    int from = 0;
    if (count < 0) {
      count = -count;
      from = 16;
    }
    if (count > 8 || count < 0) count = 8;
    byte[] text = new byte[count];
    for (int i = count - 1; i >= 0; i--) {
      text[i] = (byte) DIGITS.charAt(from + (value & 15));
      value >>>= 4;
    }
    call.pushFresh(text);
  }
}
