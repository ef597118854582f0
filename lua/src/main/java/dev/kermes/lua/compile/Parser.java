package dev.kermes.lua.compile;

import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parses the statements of Lua 5.1, by recursive descent; names are resolved during parsing. */
final class Parser {

  private static final int LEVELS_MAX = 200;

  private final Lexer lexer;
  private final LuaString source;
  private final ExpressionParser expressions;
  private FunctionBody function;
  private int levels;
  private int loops;

  Parser(Lexer lexer, LuaString source) {
    this.lexer = lexer;
    this.source = source;
    function = new FunctionBody(null, source, 0);
    function.isVararg = true;
    expressions = new ExpressionParser(this, lexer);
  }

  FunctionBody parse() {
    lexer.next();
    function.block = block();
    function.lastLine = lexer.lastLine();
    expect(Token.END_OF_FILE);
    return function;
  }

  FunctionBody function() {
    return function;
  }

  // Functions for both parsers

  void enterLevel() {
    if (++levels > LEVELS_MAX) throw lexer.error("chunk has too many syntax levels");
  }

  void leaveLevel() {
    levels--;
  }

  boolean accept(int token) {
    if (lexer.token() != token) return false;
    lexer.next();
    return true;
  }

  void expect(int token) {
    if (lexer.token() != token) {
      throw lexer.syntaxError("'" + Token.text(token) + "' expected");
    }
    lexer.next();
  }

  void expectClosing(int token, int opening, int line) {
    if (lexer.token() == token) {
      lexer.next();
    } else if (line == lexer.line()) {
      expect(token);
    } else {
      String what = "'" + Token.text(token) + "' expected (to close '" + Token.text(opening);
      throw lexer.syntaxError(what + "' at line " + line + ")");
    }
  }

  LuaString name() {
    LuaString name = lexer.string();
    expect(Token.NAME);
    return name;
  }

  private void declare(Variable variable) {
    if (function.visibleCount() >= FunctionBody.LOCALS_MAX) {
      throw limit(FunctionBody.LOCALS_MAX, "local variables");
    }
    function.declare(variable);
  }

  LuaError limit(int max, String what) {
    String where = function.line == 0 ? "main function" : "function at line " + function.line;
    return lexer.error(where + " has more than " + max + " " + what);
  }

  // Blocks

  private List<Stat> block() {
    int scope = function.visibleCount();
    List<Stat> block = statements();
    function.leaveScope(scope);
    return block;
  }

  /** Parses statements up to the end of their block, whose variables stay visible. */
  private List<Stat> statements() {
    List<Stat> statements = new ArrayList<>(4);
    enterLevel();
    boolean isLast = false;
    while (!isLast && !isBlockEnd()) {
      Stat statement = statement();
      statements.add(statement);
      isLast = statement instanceof Stat.Return || statement instanceof Stat.Break;
      accept(';');
    }
    leaveLevel();
    return statements;
  }

  private boolean isBlockEnd() {
    return switch (lexer.token()) {
      case Token.ELSE, Token.ELSEIF, Token.END, Token.UNTIL, Token.END_OF_FILE -> true;
      default -> false;
    };
  }

  private List<Stat> loopBody() {
    loops++;
    List<Stat> body = block();
    loops--;
    return body;
  }

  private Stat statement() {
    int line = lexer.line();
    return switch (lexer.token()) {
      case Token.IF -> ifStatement(line);
      case Token.WHILE -> whileStatement(line);
      case Token.DO -> doStatement(line);
      case Token.FOR -> forStatement(line);
      case Token.REPEAT -> repeatStatement(line);
      case Token.FUNCTION -> functionStatement(line);
      case Token.LOCAL -> localStatement();
      case Token.RETURN -> returnStatement();
      case Token.BREAK -> breakStatement();
      default -> expressionStatement();
    };
  }

  private Stat ifStatement(int line) {
    List<Expr> conditions = new ArrayList<>(2);
    List<List<Stat>> blocks = new ArrayList<>(2);
    do {
      lexer.next();
      conditions.add(expressions.expression());
      expect(Token.THEN);
      blocks.add(block());
    } while (lexer.token() == Token.ELSEIF);
    if (accept(Token.ELSE)) blocks.add(block());
    expectClosing(Token.END, Token.IF, line);
    return new Stat.If(conditions, blocks, line);
  }

  private Stat whileStatement(int line) {
    lexer.next();
    Expr condition = expressions.expression();
    expect(Token.DO);
    List<Stat> body = loopBody();
    expectClosing(Token.END, Token.WHILE, line);
    return new Stat.While(condition, body, line);
  }

  private Stat doStatement(int line) {
    lexer.next();
    List<Stat> body = block();
    expectClosing(Token.END, Token.DO, line);
    return new Stat.Do(body);
  }

  /** The condition sees the variables of the body. */
  private Stat repeatStatement(int line) {
    lexer.next();
    int scope = function.visibleCount();
    loops++;
    List<Stat> body = statements();
    loops--;
    expectClosing(Token.UNTIL, Token.REPEAT, line);
    Expr condition = expressions.expression();
    function.leaveScope(scope);
    return new Stat.Repeat(body, condition, line);
  }

  private Stat forStatement(int line) {
    lexer.next();
    LuaString first = name();
    Stat loop =
        switch (lexer.token()) {
          case '=' -> numericFor(first, line);
          case ',', Token.IN -> genericFor(first, line);
          default -> throw lexer.syntaxError("'=' or 'in' expected");
        };
    expectClosing(Token.END, Token.FOR, line);
    return loop;
  }

  private Stat numericFor(LuaString name, int line) {
    lexer.next();
    Expr start = expressions.expression();
    expect(',');
    Expr limit = expressions.expression();
    Expr step = accept(',') ? expressions.expression() : null;
    int doLine = lexer.line();
    Variable variable = new Variable(name);
    List<Stat> body = forBody(List.of(variable));
    return new Stat.NumericFor(variable, start, limit, step, body, line, doLine);
  }

  private Stat genericFor(LuaString first, int line) {
    List<Variable> variables = new ArrayList<>(2);
    variables.add(new Variable(first));
    while (accept(',')) variables.add(new Variable(name()));
    expect(Token.IN);
    List<Expr> values = expressions.list();
    return new Stat.GenericFor(variables, values, forBody(variables), line);
  }

  private List<Stat> forBody(List<Variable> variables) {
    expect(Token.DO);
    int scope = function.visibleCount();
    variables.forEach(this::declare);
    List<Stat> body = loopBody();
    function.leaveScope(scope);
    return body;
  }

  private Stat functionStatement(int line) {
    lexer.next();
    Expr target = expressions.variable(name());
    boolean isMethod = false;
    while (!isMethod && (lexer.token() == '.' || lexer.token() == ':')) {
      isMethod = lexer.token() == ':';
      lexer.next();
      target = new Expr.Index(target, new Expr.Constant(name()), lexer.lastLine());
    }
    Expr body = functionBody(isMethod, line);
    return new Stat.Assign(List.of(target), List.of(body), line);
  }

  private Stat localStatement() {
    lexer.next();
    if (accept(Token.FUNCTION)) return localFunction();
    List<Variable> variables = new ArrayList<>(2);
    do {
      variables.add(new Variable(name()));
    } while (accept(','));
    List<Expr> values = accept('=') ? expressions.list() : List.of();
    variables.forEach(this::declare);
    return new Stat.Local(variables, values, lexer.lastLine());
  }

  private Stat localFunction() {
    Variable variable = new Variable(name());
    declare(variable);
    Expr.Function body = functionBody(false, lexer.line());
    return new Stat.LocalFunction(variable, body, lexer.lastLine());
  }

  private Stat returnStatement() {
    lexer.next();
    boolean isEmpty = isBlockEnd() || lexer.token() == ';';
    List<Expr> values = isEmpty ? List.of() : expressions.list();
    return new Stat.Return(values, lexer.lastLine());
  }

  private Stat breakStatement() {
    lexer.next();
    if (loops == 0) throw lexer.syntaxError("no loop to break");
    return new Stat.Break(lexer.lastLine());
  }

  private Stat expressionStatement() {
    Expr first = expressions.suffixed();
    if (first instanceof Expr.Call || first instanceof Expr.Method) {
      return new Stat.CallStat(first);
    }
    List<Expr> targets = new ArrayList<>(2);
    targets.add(first);
    requireVariable(first);
    while (accept(',')) {
      Expr target = expressions.suffixed();
      if (targets.size() + levels > LEVELS_MAX) {
        throw limit(LEVELS_MAX - levels, "variables in assignment");
      }
      requireVariable(target);
      targets.add(target);
    }
    expect('=');
    return new Stat.Assign(targets, expressions.list(), lexer.lastLine());
  }

  private void requireVariable(Expr e) {
    boolean isVariable =
        e instanceof Expr.Local
            || e instanceof Expr.Upvalue
            || e instanceof Expr.Global
            || e instanceof Expr.Index;
    if (!isVariable) throw lexer.syntaxError("syntax error");
  }

  // Functions

  Expr.Function functionBody(boolean isMethod, int line) {
    FunctionBody body = new FunctionBody(function, source, line);
    int outerLoops = loops;
    loops = 0;
    function = body;
    expect('(');
    if (isMethod) parameter(LuaString.of("self"));
    parameters();
    expect(')');
    body.block = block();
    body.lastLine = lexer.line();
    expectClosing(Token.END, Token.FUNCTION, line);
    FunctionBody enclosing = body.enclosing;
    function = Objects.requireNonNull(enclosing);
    loops = outerLoops;
    return new Expr.Function(body);
  }

  private void parameters() {
    if (lexer.token() == ')') return;
    do {
      if (lexer.token() == Token.NAME) {
        parameter(name());
      } else if (accept(Token.DOTS)) {
        acceptFurtherArguments();
        return;
      } else {
        throw lexer.syntaxError("<name> or '...' expected");
      }
    } while (accept(','));
  }

  private void parameter(LuaString name) {
    Variable variable = new Variable(name);
    declare(variable);
    function.parameters.add(variable);
    function.parameterCount++;
  }

  private void acceptFurtherArguments() {
    function.isVararg = true;
    function.hasArg = true;
    Variable arg = new Variable(LuaString.of("arg"));
    declare(arg);
    function.parameters.add(arg);
  }

  @Nullable LuaError captureLimit() {
    return function.captureCount() <= FunctionBody.CAPTURES_MAX
        ? null
        : limit(FunctionBody.CAPTURES_MAX, "upvalues");
  }
}
