package dev.kermes.lua.compile;

import org.jspecify.annotations.Nullable;

/** Operators with their binding strength to the left and to the right. */
enum Operator {
  ADD(6, 6, Op.ADD),
  SUB(6, 6, Op.SUB),
  MUL(7, 7, Op.MUL),
  DIV(7, 7, Op.DIV),
  MOD(7, 7, Op.MOD),
  POW(10, 9, Op.POW),
  CONCAT(5, 4, Op.CONCAT),
  EQ(3, 3, Op.JEQ),
  NE(3, 3, Op.JNE),
  LT(3, 3, Op.JLT),
  LE(3, 3, Op.JLE),
  GT(3, 3, Op.JLT),
  GE(3, 3, Op.JLE),
  AND(2, 2, Op.JF),
  OR(1, 1, Op.JT),
  NOT(8, 8, Op.NOT),
  NEGATE(8, 8, Op.UNM),
  LENGTH(8, 8, Op.LEN);

  final int left;
  final int right;
  final int op;

  Operator(int left, int right, int op) {
    this.left = left;
    this.right = right;
    this.op = op;
  }

  boolean isArithmetic() {
    return op >= Op.ADD && op <= Op.POW;
  }

  boolean isComparison() {
    return op >= Op.JEQ && op <= Op.JLE;
  }

  static @Nullable Operator unary(int token) {
    return switch (token) {
      case Token.NOT -> NOT;
      case '-' -> NEGATE;
      case '#' -> LENGTH;
      default -> null;
    };
  }

  static @Nullable Operator binary(int token) {
    return switch (token) {
      case '+' -> ADD;
      case '-' -> SUB;
      case '*' -> MUL;
      case '/' -> DIV;
      case '%' -> MOD;
      case '^' -> POW;
      case Token.CONCAT -> CONCAT;
      case Token.EQ -> EQ;
      case Token.NE -> NE;
      case '<' -> LT;
      case Token.LE -> LE;
      case '>' -> GT;
      case Token.GE -> GE;
      case Token.AND -> AND;
      case Token.OR -> OR;
      default -> null;
    };
  }

  /** Returns the result for constants, if folding is safe. */
  @Nullable Double fold(double x, double y) {
    if ((this == DIV || this == MOD) && y == 0) return null;
    double result =
        switch (this) {
          case ADD -> x + y;
          case SUB -> x - y;
          case MUL -> x * y;
          case DIV -> x / y;
          case MOD -> x - Math.floor(x / y) * y;
          case POW -> Math.pow(x, y);
          case NEGATE -> -x;
          default -> Double.NaN;
        };
    return Double.isNaN(result) ? null : (Double) result;
  }
}
