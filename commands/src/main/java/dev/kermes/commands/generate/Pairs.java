package dev.kermes.commands.generate;

import dev.kermes.commands.ArgumentType;
import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.List;

/**
 * Repeated blocks of two or three single values, and parallel lists. Fields with values are a map,
 * scores with members a list. Longitudes and latitudes with members are a list, too. Two lists of
 * one length, all firsts before all seconds (STREAMS key... id...), are a map.
 */
final class Pairs {
  private static final String SCORED = "List<ScoredValue<V>>";
  private static final String PLACED = "List<GeoMember<V>>";

  private Pairs() {}

  /**
   * Whether an argument is a required, repeated block of two single values, or of a position with
   * its member.
   */
  static boolean isPairs(CommandArgument argument) {
    return argument.type() == ArgumentType.BLOCK
        && argument.multiple()
        && !argument.optional()
        && (argument.children().size() == 2 || isPlace(argument))
        && argument.children().stream().noneMatch(CommandArgument::hasChildren);
  }

  private static boolean isPlace(CommandArgument argument) {
    List<CommandArgument> parts = argument.children();
    return parts.size() == 3
        && parts.get(0).type() == ArgumentType.DOUBLE
        && parts.get(1).type() == ArgumentType.DOUBLE;
  }

  /** Whether an argument is two parallel lists of single values. */
  static boolean isColumns(CommandArgument argument) {
    return argument.type() == ArgumentType.BLOCK
        && !argument.multiple()
        && argument.children().size() == 2
        && argument.children().stream().allMatch(c -> c.multiple() && !c.hasChildren());
  }

  static Plan ofColumns(CommandArgument columns, ArgumentPlans plans) {
    CommandArgument first = columns.children().get(0);
    CommandArgument second = columns.children().get(1);
    String name = JavaNames.camel(columns.name());
    String types = plans.type(first) + ", " + plans.type(second);
    return new Plan(
        List.of(new Parameter("Map<" + types + ">", name)),
        List.of(
            "for (" + plans.type(first) + " each : " + name + ".keySet()) {",
            plans.write(first, "each"),
            "}",
            "for (" + plans.type(second) + " each : " + name + ".values()) {",
            plans.write(second, "each"),
            "}"),
        null);
  }

  static Plan of(CommandArgument pairs, ArgumentPlans plans) {
    if (isPlace(pairs)) return ofPlaces(pairs, plans);
    CommandArgument first = pairs.children().get(0);
    CommandArgument second = pairs.children().get(1);
    String name = JavaNames.camel(pairs.name());
    String type =
        "%s, %s"
            .formatted(
                ArgumentPlans.boxed(plans.type(first)), ArgumentPlans.boxed(plans.type(second)));
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

  /** Whether an argument is repeated points, of a longitude and a latitude each. */
  static boolean isPoints(CommandArgument argument) {
    return argument.type() == ArgumentType.BLOCK
        && argument.multiple()
        && argument.children().size() == 2
        && argument.children().stream().allMatch(c -> c.type() == ArgumentType.DOUBLE);
  }

  /** A list of points, after their number. */
  static Plan ofPoints(CommandArgument points, ArgumentPlans plans) {
    String name = JavaNames.camel(points.name());
    return new Plan(
        List.of(new Parameter("List<GeoPoint>", name)),
        List.of(
            "out.integer(" + name + ".size());",
            "for (GeoPoint each : " + name + ") {",
            plans.write(points.children().get(0), "each.longitude()"),
            plans.write(points.children().get(1), "each.latitude()"),
            "}"),
        null);
  }

  private static Plan ofPlaces(CommandArgument places, ArgumentPlans plans) {
    String name = JavaNames.camel(places.name());
    return new Plan(
        List.of(new Parameter(PLACED, name)),
        List.of(
            "for (GeoMember<V> each : " + name + ") {",
            plans.write(places.children().get(0), "each.longitude()"),
            plans.write(places.children().get(1), "each.latitude()"),
            plans.write(places.children().get(2), "each.value()"),
            "}"),
        null);
  }

  private static String each(String type, String name) {
    return "Entry<%s> each : %s.entrySet()".formatted(type, name);
  }

  /** The parameters of the twin that takes a single pair; none for any other parameter. */
  static Parameter[] single(Parameter parameter, CommandSpec spec) {
    if (parameter.type().equals(SCORED)) {
      return new Parameter[] {new Parameter("double", "score"), new Parameter("V", "member")};
    }
    if (parameter.type().equals(PLACED)) {
      return new Parameter[] {
        new Parameter("double", "longitude"),
        new Parameter("double", "latitude"),
        new Parameter("V", "member")
      };
    }
    if (!parameter.type().startsWith("Map<")) {
      return new Parameter[0];
    }
    for (CommandArgument argument : spec.arguments()) {
      if (isPairs(argument) || isColumns(argument)) {
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

  /** The expression that builds the whole parameter from a single pair. */
  static String collect(Parameter parameter, Parameter[] single) {
    if (parameter.type().equals(PLACED)) {
      return "List.of(new GeoMember<>(member, longitude, latitude))";
    }
    return parameter.type().equals(SCORED)
        ? "List.of(new ScoredValue<>(member, score))"
        : "Collections.singletonMap(%s, %s)".formatted(single[0].name(), single[1].name());
  }
}
