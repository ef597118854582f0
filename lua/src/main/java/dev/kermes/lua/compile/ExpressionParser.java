package dev.kermes.lua.compile;

import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import java.util.ArrayList;
import java.util.List;

/** Parses the expressions of Lua 5.1. */
final class ExpressionParser {

  private static final Object NO_NUMBER = new Object();

  private final Parser parser;
  private final Lexer lexer;

  ExpressionParser(Parser parser, Lexer lexer) {
    this.parser = parser;
    this.lexer = lexer;
  }

  List<Expr> list() {
    List<Expr> expressions = new ArrayList<>(2);
    expressions.add(expression());
    while (parser.accept(',')) expressions.add(expression());
    return expressions;
  }

  Expr expression() {
    return operation(0);
  }

  /** Parses operands with operators that bind tighter than {@code limit}. */
  private Expr operation(int limit) {
    parser.enterLevel();
    Expr left = operand();
    Operator operator = Operator.binary(lexer.token());
    while (operator != null && operator.left > limit) {
      lexer.next();
      Expr right = operation(operator.right);
      left = binary(operator, left, right);
      operator = Operator.binary(lexer.token());
    }
    parser.leaveLevel();
    return left;
  }

  private Expr operand() {
    Operator operator = Operator.unary(lexer.token());
    if (operator == null) return simple();
    lexer.next();
    Expr operand = operation(operator.right);
    if (operator == Operator.NEGATE && number(operand) instanceof Double x) {
      Double folded = operator.fold(x, 0);
      if (folded != null) return new Expr.Constant(folded);
    }
    return new Expr.Unary(operator, operand, lexer.lastLine());
  }

  private Expr binary(Operator operator, Expr left, Expr right) {
    if (operator.isArithmetic()
        && number(left) instanceof Double x
        && number(right) instanceof Double y) {
      Double folded = operator.fold(x, y);
      if (folded != null) return new Expr.Constant(folded);
    }
    return new Expr.Binary(operator, left, right, lexer.lastLine());
  }

  /** Returns the number of a constant, otherwise a node that is not a constant. */
  private static Object number(Expr e) {
    Expr inner = e instanceof Expr.Paren paren ? paren.inner() : e;
    return inner instanceof Expr.Constant(Object value) && value instanceof Double
        ? value
        : NO_NUMBER;
  }

  private Expr simple() {
    Expr constant =
        switch (lexer.token()) {
          case Token.NUMBER -> new Expr.Constant(lexer.number());
          case Token.STRING -> new Expr.Constant(lexer.string());
          case Token.NIL -> new Expr.Constant(null);
          case Token.TRUE -> new Expr.Constant(true);
          case Token.FALSE -> new Expr.Constant(false);
          case Token.DOTS -> vararg();
          default -> null;
        };
    if (constant != null) {
      lexer.next();
      return constant;
    }
    return switch (lexer.token()) {
      case '{' -> table();
      case Token.FUNCTION -> function();
      default -> suffixed();
    };
  }

  private Expr vararg() {
    FunctionBody function = parser.function();
    if (!function.isVararg) {
      throw lexer.syntaxError("cannot use '...' outside a vararg function");
    }
    function.usesVararg = true;
    return new Expr.Vararg();
  }

  private Expr function() {
    int line = lexer.line();
    lexer.next();
    return parser.functionBody(false, line);
  }

  // Tables

  private Expr table() {
    int line = lexer.line();
    List<Expr.Field> fields = new ArrayList<>();
    parser.expect('{');
    while (lexer.token() != '}') {
      fields.add(field());
      if (!parser.accept(',') && !parser.accept(';')) break;
    }
    parser.expectClosing('}', '{', line);
    return new Expr.Table(fields, line);
  }

  private Expr.Field field() {
    if (lexer.token() == '[') {
      Expr key = bracketed();
      return keyed(key);
    }
    if (lexer.token() == Token.NAME && lexer.peek() == '=') {
      return keyed(new Expr.Constant(parser.name()));
    }
    Expr value = expression();
    return new Expr.Field(null, value, lexer.lastLine());
  }

  private Expr.Field keyed(Expr key) {
    parser.expect('=');
    Expr value = expression();
    return new Expr.Field(key, value, lexer.lastLine());
  }

  private Expr bracketed() {
    lexer.next();
    Expr key = expression();
    parser.expect(']');
    return key;
  }

  // Variables and calls

  Expr variable(LuaString name) {
    Expr resolved = parser.function().resolve(name, lexer.lastLine());
    LuaError tooMany = parser.captureLimit();
    if (tooMany != null) throw tooMany;
    return resolved;
  }

  private Expr primary() {
    if (lexer.token() == Token.NAME) return variable(parser.name());
    if (lexer.token() != '(') throw lexer.syntaxError("unexpected symbol");
    int line = lexer.line();
    lexer.next();
    Expr inner = expression();
    parser.expectClosing(')', '(', line);
    return new Expr.Paren(inner);
  }

  /** Parses a variable or parenthesis with the fields and calls that follow it. */
  Expr suffixed() {
    Expr e = primary();
    for (; ; ) {
      switch (lexer.token()) {
        case '.' -> {
          lexer.next();
          e = new Expr.Index(e, new Expr.Constant(parser.name()), lexer.lastLine());
        }
        case '[' -> e = new Expr.Index(e, bracketed(), lexer.lastLine());
        case ':' -> {
          lexer.next();
          LuaString name = parser.name();
          int line = lexer.line();
          e = new Expr.Method(e, name, arguments(), line);
        }
        case '(', Token.STRING, '{' -> {
          int line = lexer.line();
          e = new Expr.Call(e, arguments(), line);
        }
        default -> {
          return e;
        }
      }
    }
  }

  private List<Expr> arguments() {
    return switch (lexer.token()) {
      case '(' -> argumentList();
      case '{' -> List.of(table());
      case Token.STRING -> {
        Expr text = new Expr.Constant(lexer.string());
        lexer.next();
        yield List.of(text);
      }
      default -> throw lexer.syntaxError("function arguments expected");
    };
  }

  private List<Expr> argumentList() {
    int line = lexer.line();
    if (line != lexer.lastLine()) {
      throw lexer.syntaxError("ambiguous syntax (function call x new statement)");
    }
    lexer.next();
    List<Expr> list = lexer.token() == ')' ? List.of() : list();
    parser.expectClosing(')', '(', line);
    return list;
  }
}
