package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.NumberFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * The functions of {@code math}. Random numbers come from C's {@code drand48} generator, as in
 * Redis: the same for every script, unless the script sets the seed.
 */
public final class MathLibrary {

  private final Drand48 random = new Drand48();

  private MathLibrary() {}

  /** Defines the global {@code math}. */
  public static void open(LuaState state) {
    MathLibrary math = new MathLibrary();
    LibraryBuilder library = LibraryBuilder.global(state, "math");
    library
        .add("pi", Math.PI)
        .add("huge", Double.POSITIVE_INFINITY)
        .add("abs", of(Math::abs))
        .add("acos", of(Math::acos))
        .add("asin", of(Math::asin))
        .add("atan", of(Math::atan))
        .add("ceil", of(Math::ceil))
        .add("cos", of(Math::cos))
        .add("cosh", of(Math::cosh))
        .add("deg", of(x -> x / (Math.PI / 180)))
        .add("exp", of(Math::exp))
        .add("floor", of(Math::floor))
        .add("log", of(Math::log))
        .add("log10", of(Math::log10))
        .add("rad", of(x -> x * (Math.PI / 180)))
        .add("sin", of(Math::sin))
        .add("sinh", of(Math::sinh))
        .add("sqrt", of(Math::sqrt))
        .add("tan", of(Math::tan))
        .add("tanh", of(Math::tanh));
    library
        .add("atan2", of(Math::atan2))
        .add("fmod", of((x, y) -> x % y))
        .add("mod", of((x, y) -> x % y))
        .add("pow", of(Math::pow))
        .add("frexp", MathLibrary::frexp)
        .add("ldexp", MathLibrary::ldexp)
        .add("max", call -> call.push(extreme(call, true)))
        .add("min", call -> call.push(extreme(call, false)))
        .add("modf", MathLibrary::modf)
        .add("random", math::random)
        .add("randomseed", math::randomSeed);
  }

  private static LuaFunction of(DoubleUnaryOperator function) {
    return new NumberFunction(function);
  }

  private static LuaFunction of(DoubleBinaryOperator function) {
    return call -> {
      double y = call.number(2); // C evaluates these arguments from the right
      call.push(function.applyAsDouble(call.number(1), y));
    };
  }

  private static double extreme(LuaCall call, boolean isMax) {
    double best = call.number(1);
    for (int i = 2; i <= call.count(); i++) {
      double x = call.number(i);
      if (isMax ? x > best : x < best) best = x;
    }
    return best;
  }

  private static void frexp(LuaCall call) {
    double x = call.number(1);
    if (x == 0 || Double.isNaN(x) || Double.isInfinite(x)) {
      call.push(x);
      call.push(0.0);
      return;
    }
    boolean isSubnormal = Math.abs(x) < Double.MIN_NORMAL;
    double normal = isSubnormal ? x * 0x1p54 : x;
    int exponent = Math.getExponent(normal) + 1;
    call.push(Math.scalb(normal, -exponent));
    call.push((double) (isSubnormal ? exponent - 54 : exponent));
  }

  private static void ldexp(LuaCall call) {
    double x = call.number(1);
    long exponent = Math.clamp(call.integer(2), -3000, 3000);
    call.push(Math.scalb(x, (int) exponent));
  }

  private static void modf(LuaCall call) {
    double x = call.number(1);
    double whole = x > 0 ? Math.floor(x) : Math.ceil(x);
    call.push(whole);
    call.push(Double.isInfinite(x) ? Math.copySign(0, x) : Math.copySign(x - whole, x));
  }

  private void random(LuaCall call) {
    double r = random.next31() % 0x7fffffff / (double) 0x7fffffff;
    switch (call.count()) {
      case 0 -> call.push(r);
      case 1 -> {
        int max = (int) call.integer(1);
        if (max < 1) throw call.argumentError(1, "interval is empty");
        call.push(Math.floor(r * max) + 1);
      }
      case 2 -> {
        int min = (int) call.integer(1);
        int max = (int) call.integer(2);
        if (min > max) throw call.argumentError(2, "interval is empty");
        call.push(Math.floor(r * (max - min + 1)) + min);
      }
      default -> throw call.error("wrong number of arguments");
    }
  }

  private void randomSeed(LuaCall call) {
    random.seed((int) call.integer(1));
  }
}
