package dev.kermes.commands.generate;

import dev.kermes.commands.ArgumentType;
import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.List;

/** Repeated blocks of two: fields with values are a map, scores with members a list. */
final class Pairs {
  private static final String SCORED = "List<ScoredValue<V>>";

  private Pairs() {}

  /** Whether an argument is a required, repeated block of two single values. */
  static boolean isPairs(CommandArgument argument) {
    return argument.type() == ArgumentType.BLOCK
        && argument.multiple()
        && !argument.optional()
        && argument.children().size() == 2
        && argument.children().stream().noneMatch(CommandArgument::hasChildren);
  }

  static Plan of(CommandArgument pairs, ArgumentPlans plans) {
    CommandArgument first = pairs.children().get(0);
    CommandArgument second = pairs.children().get(1);
    String name = JavaNames.camel(pairs.name());
    String type = "%s, %s".formatted(plans.type(first), plans.type(second));
    boolean scored = first.type() == ArgumentType.DOUBLE;
    String each = scored ? "ScoredValue<V> each : " + name : each(type, name);
    return new Plan(
        List.of(new Parameter(scored ? SCORED : "Map<" + type + ">", name)),
        List.of(
            "for (" + each + ") {",
            plans.write(first, scored ? "each.score()" : "each.getKey()"),
            plans.write(second, scored ? "each.value()" : "each.getValue()"),
            "}"),
        null);
  }

  private static String each(String type, String name) {
    return "Entry<%s> each : %s.entrySet()".formatted(type, name);
  }

  /** The two parameters of the twin that takes a single pair; none for any other parameter. */
  static Parameter[] single(Parameter parameter, CommandSpec spec) {
    if (parameter.type().equals(SCORED)) {
      return new Parameter[] {new Parameter("double", "score"), new Parameter("V", "member")};
    }
    if (!parameter.type().startsWith("Map<")) {
      return new Parameter[0];
    }
    for (CommandArgument argument : spec.arguments()) {
      if (isPairs(argument)) {
        return parametersOf(parameter, argument);
      }
    }
    return new Parameter[0];
  }

  private static Parameter[] parametersOf(Parameter map, CommandArgument pairs) {
    int comma = map.type().indexOf(", ");
    String first = map.type().substring("Map<".length(), comma);
    String second = map.type().substring(comma + 2, map.type().length() - 1);
    return new Parameter[] {
      new Parameter(first, JavaNames.camel(pairs.children().get(0).name())),
      new Parameter(second, JavaNames.camel(pairs.children().get(1).name()))
    };
  }

  /** The expression that makes the whole parameter out of a single pair. */
  static String collect(Parameter parameter, Parameter[] single) {
    return parameter.type().equals(SCORED)
        ? "List.of(new ScoredValue<>(member, score))"
        : "Collections.singletonMap(%s, %s)".formatted(single[0].name(), single[1].name());
  }
}
