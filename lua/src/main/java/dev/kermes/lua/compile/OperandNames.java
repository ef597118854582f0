package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The names of operands in the source: {@code global 'x'}, {@code field 'y'}. */
public final class OperandNames {

  /**
   * A name.
   *
   * @param kind local, upvalue, global, field or method
   */
  public record Name(String kind, LuaString text) {}

  private static final LuaString UNKNOWN = LuaString.of("?");

  private int[] places = new int[8];
  private Expr[] expressions = new Expr[8];
  private int count;

  /** Records the operand of an instruction, if it has a name. */
  void note(int pc, int operand, Expr expression) {
    Expr named = expression instanceof Expr.Paren paren ? paren.inner() : expression;
    if (!isNamed(named)) return;
    if (count == places.length) {
      places = Arrays.copyOf(places, 2 * count);
      expressions = Arrays.copyOf(expressions, 2 * count);
    }
    places[count] = pc << 8 | operand;
    expressions[count++] = named;
  }

  private static boolean isNamed(Expr e) {
    return e instanceof Expr.Local
        || e instanceof Expr.Upvalue
        || e instanceof Expr.Global
        || e instanceof Expr.Index
        || e instanceof Expr.Method;
  }

  @Nullable Name find(int pc, int operand) {
    for (int i = 0; i < count; i++) {
      if (places[i] == (pc << 8 | operand)) return nameOf(expressions[i]);
    }
    return null;
  }

  private static @Nullable Name nameOf(Expr expression) {
    return switch (expression) {
      case Expr.Local e -> new Name("local", e.variable().name);
      case Expr.Upvalue e -> new Name("upvalue", e.name());
      case Expr.Global e -> new Name("global", e.name());
      case Expr.Method e -> new Name("method", e.name());
      case Expr.Index e -> new Name("field", constantKey(e.key()));
      default -> null;
    };
  }

  private static LuaString constantKey(Expr key) {
    return key instanceof Expr.Constant c && c.value() instanceof LuaString s ? s : UNKNOWN;
  }
}
