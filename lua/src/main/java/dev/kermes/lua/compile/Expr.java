package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression of the source. */
sealed interface Expr {

  /** nil, a Boolean, a Double or a LuaString. */
  record Constant(@Nullable Object value) implements Expr {}

  record Local(Variable variable) implements Expr {}

  record Upvalue(int index, LuaString name) implements Expr {}

  record Global(LuaString name, int line) implements Expr {}

  record Vararg() implements Expr {}

  record Function(FunctionBody body) implements Expr {}

  record Index(Expr object, Expr key, int line) implements Expr {}

  record Call(Expr function, List<Expr> arguments, int line) implements Expr {}

  record Method(Expr object, LuaString name, List<Expr> arguments, int line) implements Expr {}

  record Unary(Operator operator, Expr operand, int line) implements Expr {}

  record Binary(Operator operator, Expr left, Expr right, int line) implements Expr {}

  /** An expression in parentheses: one value. */
  record Paren(Expr inner) implements Expr {}

  record Table(List<Field> fields, int line) implements Expr {}

  /** A field of a table; without a key, an item of its list. */
  record Field(@Nullable Expr key, Expr value, int line) {}

  /** Whether it may have any number of values. */
  default boolean isMulti() {
    return this instanceof Call || this instanceof Method || this instanceof Vararg;
  }
}
