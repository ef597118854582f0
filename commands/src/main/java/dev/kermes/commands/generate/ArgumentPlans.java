package dev.kermes.commands.generate;

import dev.kermes.commands.ArgumentType;
import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Turns the arguments of one command into {@link Plan}s.
 *
 * <p>A leaf is one parameter. A choice among pure tokens is an enum; any other choice is one plan
 * per alternative. A block is the sequence of its parts, with and without each optional part.
 */
final class ArgumentPlans {
  private static final Set<String> VALUES =
      Set.of("value", "element", "member", "message", "pivot", "arg");

  private final CommandSpec spec;
  private final ChoiceEnums enums;

  ArgumentPlans(CommandSpec spec, ChoiceEnums enums) {
    this.spec = spec;
    this.enums = enums;
  }

  /** The plans of a given argument, whether it is optional or not. */
  List<Plan> plans(CommandArgument argument) {
    List<Plan> bodies =
        switch (argument.type()) {
          case PURE_TOKEN -> List.of(Plan.EMPTY);
          case ONEOF -> choice(argument);
          case BLOCK -> block(argument.children());
          default -> List.of(argument.multiple() ? list(argument) : leaf(argument));
        };
    String token = argument.token();
    return token == null ? bodies : bodies.stream().map(body -> behind(token, body)).toList();
  }

  /** FILTERBY MODULE name is named after both of its tokens. */
  private static Plan behind(String token, Plan body) {
    String hint = body.hint() == null ? token : token + "-" + body.hint();
    return Plan.token(token).then(body).withHint(hint);
  }

  /** The setters of an option: like plans, but a choice among pure tokens has one plan for each. */
  List<Plan> setters(CommandArgument argument) {
    if (argument.token() == null && isEnum(argument)) {
      return alternatives(argument);
    }
    if (argument.multiple() && !argument.multipleToken() && !argument.hasChildren()) {
      String token = argument.token();
      Plan values = varargs(argument);
      return List.of(token == null ? values : Plan.token(token).then(values));
    }
    return argument.multiple() && !argument.hasChildren()
        ? Plan.product(List.of(Plan.token(tokenOf(argument))), List.of(leaf(argument)))
        : plans(argument);
  }

  private static String tokenOf(CommandArgument argument) {
    String token = argument.token();
    if (token == null) {
      throw new IllegalArgumentException("no token: argument=" + argument.name());
    }
    return token;
  }

  /** Whether an argument is a choice among pure tokens. */
  static boolean isEnum(CommandArgument argument) {
    return argument.type() == ArgumentType.ONEOF
        && argument.children().stream().allMatch(c -> c.type() == ArgumentType.PURE_TOKEN);
  }

  /**
   * The only free text among the alternatives if all others are pure tokens: an id or {@code *}.
   */
  static boolean isTextOrToken(CommandArgument argument) {
    return argument.type() == ArgumentType.ONEOF
        && argument.children().stream()
            .allMatch(c -> c.type() == ArgumentType.PURE_TOKEN || isPlainText(c))
        && argument.children().stream().filter(ArgumentPlans::isPlainText).count() == 1;
  }

  private static boolean isPlainText(CommandArgument argument) {
    return argument.type() == ArgumentType.STRING && argument.token() == null;
  }

  private List<Plan> choice(CommandArgument argument) {
    if (isEnum(argument)) {
      String name = JavaNames.camel(argument.name());
      Parameter parameter = new Parameter(enums.typeOf(spec, argument), name);
      return List.of(
          new Plan(List.of(parameter), List.of("out.token(" + name + ".token());"), null));
    }
    if (isTextOrToken(argument)) {
      return argument.children().stream()
          .filter(ArgumentPlans::isPlainText)
          .map(child -> leaf(child))
          .toList();
    }
    return alternatives(argument);
  }

  private List<Plan> alternatives(CommandArgument argument) {
    List<Plan> plans = new ArrayList<>();
    for (CommandArgument child : argument.children()) {
      for (Plan plan : plans(child)) {
        plans.add(plan.hint() == null ? plan.withHint(word(child)) : plan);
      }
    }
    return plans;
  }

  /** The word that distinguishes an alternative from the others: BYRADIUS, else its name. */
  private static String word(CommandArgument alternative) {
    String token = alternative.hasChildren() ? alternative.children().get(0).token() : null;
    return token == null ? alternative.name() : token;
  }

  private List<Plan> block(List<CommandArgument> parts) {
    List<Plan> plans = List.of(Plan.EMPTY);
    for (int i = 0; i < parts.size(); i++) {
      boolean isNumberOfPoints = i + 1 < parts.size() && Pairs.isPoints(parts.get(i + 1));
      plans = Plan.product(plans, isNumberOfPoints ? ahead(parts.get(i)) : part(parts.get(i)));
    }
    return plans;
  }

  /** The token of a number that is written together with the counted items. */
  private static List<Plan> ahead(CommandArgument count) {
    String token = count.token();
    return List.of(token == null ? Plan.EMPTY : Plan.token(token).withHint(null));
  }

  private List<Plan> part(CommandArgument part) {
    if (Pairs.isPoints(part)) return List.of(Pairs.ofPoints(part, this));
    boolean names = part.type() == ArgumentType.ONEOF && !isEnum(part);
    List<Plan> plans = new ArrayList<>();
    if (part.optional()) {
      plans.add(Plan.EMPTY);
    }
    for (Plan plan : plans(part)) {
      plans.add(names ? plan : plan.withHint(null));
    }
    return plans;
  }

  /** A single value. */
  Plan leaf(CommandArgument argument) {
    String name = JavaNames.camel(argument.name());
    return new Plan(
        List.of(new Parameter(type(argument), name)), List.of(write(argument, name)), null);
  }

  /** A list of values; the parameter's name ends in s. */
  Plan list(CommandArgument argument) {
    String name = plural(argument);
    List<String> statements = new ArrayList<>();
    statements.add("for (%s each : %s) {".formatted(type(argument), name));
    statements.add(write(argument, "each"));
    statements.add("}");
    Parameter parameter = new Parameter("List<" + boxed(type(argument)) + ">", name);
    return new Plan(List.of(parameter), statements, null);
  }

  private Plan varargs(CommandArgument argument) {
    Plan list = list(argument);
    Parameter parameter = new Parameter(type(argument) + "...", plural(argument));
    return new Plan(List.of(parameter), list.statements(), null);
  }

  static String plural(CommandArgument argument) {
    return JavaNames.camel(argument.name()) + "s";
  }

  /** The statement that writes one value. */
  String write(CommandArgument argument, String expression) {
    return switch (type(argument)) {
      case "K" -> writeKey(argument, expression);
      case "V" -> "out.value(valueCodec, " + expression + ");";
      case "long" -> "out.integer(" + expression + ");";
      case "double" -> "out.decimal(" + expression + ");";
      case "byte[]" -> "out.value(Codec.bytes(), " + expression + ");";
      default -> "out.text(" + expression + ");";
    };
  }

  private static String writeKey(CommandArgument argument, String expression) {
    String method = argument.type() == ArgumentType.KEY ? "key" : "value";
    return "out." + method + "(keyCodec, " + expression + ");";
  }

  /** The Java type of a leaf. */
  String type(CommandArgument argument) {
    String name = argument.name();
    return switch (argument.type()) {
      case KEY -> "K";
      // A cursor is an unsigned 64-bit number, and the page of a scan holds it as text.
      case INTEGER -> name.equals("cursor") ? "String" : "long";
      case UNIX_TIME -> "long";
      // Bounds may be exclusive or infinite: (1, -inf.
      case DOUBLE -> name.equals("min") || name.equals("max") ? "String" : "double";
      case STRING -> textType(name);
      default -> "String";
    };
  }

  private String textType(String name) {
    if (name.equals("field")) {
      return "K";
    }
    if (name.equals("serialized-value")) {
      return "byte[]";
    }
    if (name.equals("min-idle-time")) {
      return "long"; // milliseconds, which the table declares as a string, as Redis does
    }
    boolean isUserData = name.equals("message") || !spec.keySpecs().isEmpty();
    return isUserData && VALUES.contains(name) ? "V" : "String";
  }

  static String boxed(String type) {
    return switch (type) {
      case "long" -> "Long";
      case "double" -> "Double";
      default -> type;
    };
  }
}
