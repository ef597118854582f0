package dev.kermes.lua;

import java.util.Random;

/**
 * A program generated from a seed. Most of it fails at run time, so that messages are compared as
 * well as values. It terminates, and prints nothing that depends on addresses.
 */
final class RandomProgram {

  private static final String[] NAMES = {"a", "b", "c", "d", "e", "t", "u", "f", "g"};
  private static final String[] NUMBERS = {
    "0", "1", "2", "3", "-1", "0.5", "7", "10", "1e3", "255", "-2.25", "1e15", "1/0", "3.0", "100"
  };
  private static final String[] STRINGS = {
    "'a'", "'hello world'", "'10'", "''", "'x=1, y=2'", "'0x1F'", "'aXbXc'", "'%d+'", "'  pad '"
  };
  private static final String[] PATTERNS = {
    "'%w+'", "'(%a)(%d)'", "'[a-m]'", "'X'", "'.-'", "'^%s*(.-)%s*$'", "'()'", "'%f[%w]'", "'l+'"
  };
  private static final String[] FORMATS = {
    "%d", "%5.2f", "%s", "%x", "%g", "%q", "%-8s|", "%+.3e", "%05d", "%c", "%i", "%.3s"
  };
  private static final String[] BINARY = {
    "+", "-", "*", "/", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or"
  };

  private final Random random;
  private final StringBuilder out = new StringBuilder();
  private int depth;
  private boolean isVararg = true;

  private RandomProgram(long seed) {
    random = new Random(seed);
  }

  static String of(long seed) {
    RandomProgram program = new RandomProgram(seed);
    program.prelude();
    for (int i = 0; i < 12; i++) program.attempt();
    return program.out.toString();
  }

  private String pick(String... options) {
    return options[random.nextInt(options.length)];
  }

  private void prelude() {
    out.append(
        """
        local function show(...)
          local s = {}
          for i = 1, select('#', ...) do
            local v = (select(i, ...))
            local t = type(v)
            if t == 'table' then
              local keys = {}
              for k, w in pairs(v) do
                if type(k) == 'table' or type(k) == 'function' then keys = {'unordered'} break end
                local w = tostring(w)
                keys[#keys + 1] = tostring(k) .. '=' .. (w:find('0x') and 'address' or w)
              end
              s[i] = '{' .. table.concat(keys, ' ') .. '}#' .. #v
            elseif t == 'function' or t == 'thread' or t == 'userdata' then s[i] = t
            else local w = tostring(v) s[i] = t:sub(1, 1) .. ":" .. (w:find("0x") and "address" or w) end
          end
          print(table.concat(s, ' ; '))
        end
        local meta = {__index = function(t, k) return k end, __add = function(x, y) return 'added' end,
          __call = function(self, ...) return ... end, __lt = function() return true end,
          __concat = function(x, y) return 'joined' end, __eq = function() return true end}
        local function id(...) return ... end
        local a, b, c, d, e = 1, 'two', 3.5, nil, true
        local t, u = {10, 20, 30, x = 1, y = 'why'}, setmetatable({5}, meta)
        local function f(p, q) return q, p end
        local g = function(...) local n = select('#', ...) return n, ... end
        """);
  }

  private void attempt() {
    out.append("show(pcall(function(...)\n");
    block(2 + random.nextInt(4));
    out.append("return ").append(list(2)).append("\nend, ").append(simple()).append(", 1))\n");
  }

  private void block(int statements) {
    depth++;
    for (int i = 0; i < statements; i++) statement();
    depth--;
  }

  private void statement() {
    switch (random.nextInt(depth > 4 ? 5 : 16)) {
      case 0 -> line("local " + name() + ", " + name() + " = " + list(2));
      case 1 -> line(name() + " = " + expression(2));
      case 2 -> line(target() + ", " + target() + " = " + list(2));
      case 3 -> line("show(" + list(3) + ")");
      case 4 -> line("id(" + list(2) + ")");
      case 5 -> ifStatement();
      case 6 -> loop("for " + name() + " = " + small() + ", " + small() + " do");
      case 7 -> loop("for " + name() + ", " + name() + " in pairs(" + table() + ") do");
      case 8 -> loop("for " + name() + ", " + name() + " in ipairs(" + table() + ") do");
      case 9 -> loop("do");
      case 10 -> function();
      case 11 -> coroutine();
      case 12 ->
          line("table.sort(" + table() + pick("", ", function(x, y) return x > y end") + ")");
      case 13 ->
          loop("for w, v in string.gmatch(" + expression(0) + ", " + pick(PATTERNS) + ") do");
      case 14 -> line(target() + " = " + expression(3));
      default -> line("error(" + expression(1) + pick("", ", 0", ", 1", ", 2") + ")", true);
    }
  }

  private void line(String text, boolean rarely) {
    if (!rarely || random.nextInt(4) == 0) line(text);
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private void ifStatement() {
    line("if " + expression(2) + " then");
    block(2);
    if (random.nextBoolean()) {
      line(pick("else", "elseif " + expression(1) + " then"));
      block(1);
    }
    line("end");
  }

  private void loop(String head) {
    line(head);
    block(2);
    if (!head.equals("do") && random.nextInt(5) == 0) line("break");
    line("end");
  }

  private void function() {
    boolean outer = isVararg;
    boolean vararg = random.nextBoolean();
    line(
        "local function "
            + pick("f", "g")
            + "("
            + name()
            + pick(", q", "")
            + (vararg ? ", ..." : "")
            + ")");
    isVararg = vararg;
    block(2);
    line("return " + list(2));
    line("end");
    isVararg = outer;
  }

  private void coroutine() {
    boolean outer = isVararg;
    isVararg = true;
    line("local co = coroutine." + pick("wrap", "create") + "(function(...)");
    block(1);
    line(name() + " = coroutine.yield(" + list(2) + ")");
    block(1);
    line("end)");
    isVararg = outer;
    line(
        "show("
            + pick("coroutine.resume(co, 1)", "co(2)", "pcall(co, 3)", "coroutine.status(co)")
            + ")");
    line("show(pcall(coroutine.resume, co, 'again'))");
  }

  // Expressions

  private String name() {
    return pick(NAMES);
  }

  private String small() {
    return pick("1", "3", "2", "5", "-1", "0");
  }

  private String target() {
    return pick(
        name(),
        name(),
        "t." + name(),
        "t[" + expression(1) + "]",
        "u." + name(),
        name() + "." + name(),
        "global" + name());
  }

  private String table() {
    return pick("t", "t", "u", "{3, 1, 2}", "{" + list(3) + "}", name());
  }

  private String list(int most) {
    StringBuilder list = new StringBuilder(expression(2));
    for (int i = random.nextInt(most); i > 0; i--) list.append(", ").append(expression(2));
    if (isVararg && random.nextInt(6) == 0) list.append(", ...");
    return list.toString();
  }

  private String expression(int levels) {
    if (levels <= 0) return simple();
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> simple();
      case 3, 4, 5 -> expression(levels - 1) + " " + pick(BINARY) + " " + expression(levels - 1);
      case 6 -> "(" + expression(levels - 1) + ")";
      case 7 -> pick("not ", "-", "#") + simple();
      case 8 -> "t[" + expression(levels - 1) + "]";
      case 9 -> name() + pick(".x", ".y", "[1]", "[2]", ":rep(2)");
      case 10 ->
          pick("id", "f", "g", "select", "tostring", "tonumber", "type", "u", name())
              + "("
              + list(2)
              + ")";
      case 11 -> stringCall();
      case 12 ->
          "{"
              + pick("", "x = ", "[" + expression(0) + "] = ")
              + expression(levels - 1)
              + ", "
              + list(2)
              + "}";
      default -> lambda();
    };
  }

  private String lambda() {
    boolean outer = isVararg;
    isVararg = random.nextBoolean();
    String head = "(function(" + (isVararg ? "..." : pick("", "a")) + ") return ";
    String results = simple() + ", " + simple() + " end)(";
    isVararg = outer;
    return head + results + simple() + ")";
  }

  private String stringCall() {
    return switch (random.nextInt(8)) {
      case 0 ->
          "string.format('"
              + pick(FORMATS)
              + " "
              + pick(FORMATS)
              + "', "
              + expression(0)
              + ", "
              + expression(0)
              + ")";
      case 1 ->
          "string.gsub("
              + expression(0)
              + ", "
              + pick(PATTERNS)
              + ", "
              + pick("'<%0>'", "'%1'", "t", "f", "string.upper", "''")
              + ")";
      case 2 ->
          "string.find("
              + expression(0)
              + ", "
              + pick(PATTERNS)
              + pick("", ", 2", ", -3", ", 1, true")
              + ")";
      case 3 -> "string.sub(" + expression(0) + ", " + pick(NUMBERS) + ", " + pick(NUMBERS) + ")";
      case 4 -> "string.match(" + expression(0) + ", " + pick(PATTERNS) + ")";
      case 5 ->
          pick("string.upper", "string.len", "string.reverse", "string.byte")
              + "("
              + expression(0)
              + ")";
      case 6 ->
          pick("math.floor", "math.max", "math.abs", "math.fmod", "unpack", "table.concat", "next")
              + "("
              + list(2)
              + ")";
      default ->
          "table."
              + pick("insert", "remove", "getn", "maxn", "concat")
              + "("
              + pick("t", "{1, 2}", name())
              + pick("", ", 1", ", 'v'")
              + ")";
    };
  }

  private String simple() {
    return switch (random.nextInt(isVararg ? 8 : 7)) {
      case 0, 1, 2 -> name();
      case 3, 4 -> pick(NUMBERS);
      case 5 -> pick(STRINGS);
      case 6 -> pick("nil", "true", "false", "t.x", "t[2]", "u[1]", "global" + name());
      default -> "...";
    };
  }
}
