package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function of the source: its parameters, its block, and the variables that it captures. */
final class FunctionBody {

  static final int LOCALS_MAX = 200;
  static final int CAPTURES_MAX = 60;

  private record Capture(LuaString name, @Nullable Variable local, int outer) {}

  final @Nullable FunctionBody enclosing;
  final LuaString source;
  final int line;
  final List<Variable> parameters = new ArrayList<>();
  private final List<Capture> captured = new ArrayList<>();
  private final List<Variable> visible = new ArrayList<>();
  List<Stat> block = List.of();
  int lastLine;
  int parameterCount;
  boolean isVararg;

  /** Whether {@code ...} occurs in it: then there is no {@code arg}. */
  boolean usesVararg;

  boolean hasArg;

  FunctionBody(@Nullable FunctionBody enclosing, LuaString source, int line) {
    this.enclosing = enclosing;
    this.source = source;
    this.line = line;
  }

  boolean needsArg() {
    return hasArg && !usesVararg;
  }

  // Scopes

  int visibleCount() {
    return visible.size();
  }

  void declare(Variable variable) {
    visible.add(variable);
  }

  void leaveScope(int count) {
    while (visible.size() > count) visible.remove(visible.size() - 1);
  }

  /** Resolves a name in this scope. */
  Expr resolve(LuaString name, int line) {
    Variable local = visible(name);
    if (local != null) return new Expr.Local(local);
    int capture = capture(name);
    return capture < 0 ? new Expr.Global(name, line) : new Expr.Upvalue(capture, name);
  }

  private @Nullable Variable visible(LuaString name) {
    for (int i = visible.size() - 1; i >= 0; i--) {
      if (visible.get(i).name.equals(name)) return visible.get(i);
    }
    return null;
  }

  private int capture(LuaString name) {
    if (enclosing == null) return -1;
    for (int i = 0; i < captured.size(); i++) {
      if (isCapture(captured.get(i), name)) return i;
    }
    Variable local = enclosing.visible(name);
    int outer = local == null ? enclosing.capture(name) : -1;
    if (local == null && outer < 0) return -1;
    if (local != null) local.isCaptured = true;
    captured.add(new Capture(name, local, outer));
    return captured.size() - 1;
  }

  /** A name may be declared again between two uses; these are then two captures. */
  private boolean isCapture(Capture capture, LuaString name) {
    if (!capture.name().equals(name) || enclosing == null) return false;
    Variable local = enclosing.visible(name);
    return local == null ? capture.local() == null : capture.local() == local;
  }

  int captureCount() {
    return captured.size();
  }

  int[] captures() {
    int[] places = new int[captured.size()];
    for (int i = 0; i < places.length; i++) {
      Variable local = captured.get(i).local();
      places[i] = local != null ? local.register : ~captured.get(i).outer();
    }
    return places;
  }
}
