package dev.kermes.commands.generate;

import dev.kermes.commands.ArgumentType;
import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same method with richer types for its numbers and texts: a time to live as a {@code
 * Duration}, a point in time as an {@code Instant}, a score's bound as a {@code double}, a rank as
 * a {@code long}. It calls the other method.
 *
 * @param arguments the arguments that it passes
 */
record TypedTwin(List<Parameter> parameters, List<String> arguments) {

  /** Returns the twin, or null for parameters that have no better type. */
  static @Nullable TypedTwin of(CommandSpec spec, List<Parameter> parameters) {
    List<Parameter> typed = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (Parameter parameter : parameters) {
      Parameter better = better(spec, parameter);
      typed.add(better == null ? parameter : better);
      arguments.add(better == null ? parameter.name() : argument(parameter, better));
    }
    return typed.equals(parameters) ? null : new TypedTwin(typed, arguments);
  }

  boolean hasDuration() {
    return parameters.stream().anyMatch(parameter -> parameter.type().equals("Duration"));
  }

  private static @Nullable Parameter better(CommandSpec spec, Parameter parameter) {
    String name = parameter.name();
    return switch (parameter.toString()) {
      case "long seconds", "long milliseconds", "long ms" -> new Parameter("Duration", "duration");
      case "long timeout", "double timeout", "long minIdleTime" -> new Parameter("Duration", name);
      case "long unixTimeSeconds", "long unixTimeMilliseconds" -> new Parameter("Instant", "time");
      case "String min", "String max" -> isScore(spec, name) ? new Parameter("double", name) : null;
      case "String start", "String stop" -> isRank(spec) ? new Parameter("long", name) : null;
      default -> null;
    };
  }

  private static String argument(Parameter parameter, Parameter better) {
    String unit =
        switch (parameter.toString()) {
          case "long seconds", "long unixTimeSeconds" -> "seconds";
          case "double timeout" -> "fractionalSeconds";
          case "String min", "String max" -> "score";
          case "String start", "String stop" -> "rank";
          default -> "milliseconds";
        };
    return "Units." + unit + "(" + better.name() + ")";
  }

  private static boolean isScore(CommandSpec spec, String name) {
    return spec.arguments().stream()
        .anyMatch(each -> each.name().equals(name) && each.type() == ArgumentType.DOUBLE);
  }

  /** ZRANGE has ranks, unless its options say otherwise; ids of streams are texts. */
  private static boolean isRank(CommandSpec spec) {
    List<CommandArgument> arguments = spec.arguments();
    return arguments.size() > 2
        && arguments.get(1).name().equals("start")
        && arguments.get(2).name().equals("stop");
  }
}
