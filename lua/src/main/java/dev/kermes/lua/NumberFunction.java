package dev.kermes.lua;

import java.util.function.DoubleUnaryOperator;

/** A function of one number, such as {@code math.floor}; compiled code calls the operator. */
public final class NumberFunction implements LuaFunction {

  final DoubleUnaryOperator operator;

  /** A function that replies the operator's result. */
  public NumberFunction(DoubleUnaryOperator operator) {
    this.operator = operator;
  }

  @Override
  public void call(LuaCall call) {
    call.push(operator.applyAsDouble(call.number(1)));
  }
}
