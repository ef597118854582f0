package dev.kermes.commands.generate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to give an argument: the parameters it takes and the statements that write it to the
 * builder {@code out}.
 *
 * @param hint a name for a method that gives the argument this way, or null
 */
record Plan(List<Parameter> parameters, List<String> statements, @Nullable String hint) {

  /** A parameter of a generated method. */
  record Parameter(String type, String name) {
    @Override
    public String toString() {
      return type + " " + name;
    }
  }

  static final Plan EMPTY = new Plan(List.of(), List.of(), null);

  static Plan token(String token) {
    return new Plan(List.of(), List.of("out.token(\"" + token + "\");"), token);
  }

  /** Returns this plan followed by another one; the first hint wins. */
  Plan then(Plan next) {
    return new Plan(
        join(parameters, next.parameters),
        join(statements, next.statements),
        hint == null ? next.hint : hint);
  }

  Plan withHint(@Nullable String other) {
    return new Plan(parameters, statements, other);
  }

  /** Returns every plan of one list, each followed by every plan of another. */
  static List<Plan> product(List<Plan> firsts, List<Plan> seconds) {
    List<Plan> plans = new ArrayList<>();
    for (Plan first : firsts) {
      for (Plan second : seconds) {
        plans.add(first.then(second));
      }
    }
    return plans;
  }

  private static <T> List<T> join(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return List.copyOf(all);
  }
}
