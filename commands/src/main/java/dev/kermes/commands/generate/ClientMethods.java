package dev.kermes.commands.generate;

import dev.kermes.commands.ArgumentType;
import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.ReplyShape;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The generated methods of one command, and its options.
 *
 * <p>There is one method for the plain reply, and one for each optional argument that changes the
 * reply or has no token, or for several such arguments that the table names together. Each exists
 * with and without options, and has twins for varargs and single pairs.
 */
final class ClientMethods {
  private final CommandSpec spec;
  private final ArgumentPlans plans;
  private final OptionsClass options;
  private final Map<String, ReplyShape> variants = new LinkedHashMap<>();
  private final List<ClientMethod> methods = new ArrayList<>();
  private final Set<String> signatures = new HashSet<>();
  private int position;

  ClientMethods(CommandSpec spec, ChoiceEnums enums) {
    this.spec = spec;
    this.plans = new ArgumentPlans(spec, enums);
    this.options = new OptionsClass(spec, plans);
    for (ReplyShape.Variant variant : spec.replyVariants()) {
      variants.put(variant.argument(), variant.shape());
    }
    for (CommandArgument argument : spec.arguments()) {
      if (isPositional(argument)) {
        variants.putIfAbsent(argument.name(), spec.reply());
      }
    }
    spec.arguments().forEach(this::collectOption);
    add(spec.methodName(), List.of(), spec.reply());
    variants.forEach(this::addVariant);
  }

  List<ClientMethod> methods() {
    return methods;
  }

  OptionsClass options() {
    return options;
  }

  /** An optional single value without a token: LPOP key [count]. */
  private static boolean isPositional(CommandArgument argument) {
    return argument.optional()
        && argument.token() == null
        && !argument.hasChildren()
        && !argument.multiple();
  }

  /** An optional list at the end: it may be empty, and needs no options class. */
  private static boolean isOpenEnd(CommandArgument argument) {
    return argument.multiple() && argument.token() == null && !argument.hasChildren();
  }

  private void collectOption(CommandArgument argument) {
    position++;
    if (isOption(argument)) {
      options.add(argument, position);
    } else if (argument.type() == ArgumentType.BLOCK && isVariant(argument)) {
      argument.children().forEach(this::collectPart);
    }
  }

  /** The optional parts of a block with its own method are options of that method. */
  private void collectPart(CommandArgument part) {
    position++;
    if (part.optional() && !isVariant(part)) {
      options.add(part, position);
    }
  }

  /** Whether an optional argument, or a part of it, changes the reply or has no token. */
  private boolean isVariant(CommandArgument argument) {
    return variants.containsKey(argument.name())
        || (argument.optional() && argument.children().stream().anyMatch(this::isVariant));
  }

  private boolean isOption(CommandArgument argument) {
    if (isVariant(argument)) {
      return false;
    }
    return argument.optional() ? !isOpenEnd(argument) : isRich(argument);
  }

  /** A required argument that is more than a leaf, an enum or a list of pairs. */
  private boolean isRich(CommandArgument argument) {
    if (!argument.hasChildren() || ArgumentPlans.isTextOrToken(argument)) {
      return false;
    }
    boolean isPlain = ArgumentPlans.isEnum(argument) || isPlainBlock(argument);
    return !isPlain && !Pairs.isPairs(argument);
  }

  /** A block of single values, lists and pairs, all required: STREAMS key... id... */
  private static boolean isPlainBlock(CommandArgument argument) {
    return argument.type() == ArgumentType.BLOCK
        && !argument.multiple()
        && !argument.optional()
        && argument.children().stream().noneMatch(CommandArgument::optional)
        && argument.children().stream().allMatch(c -> !c.hasChildren() || Pairs.isPairs(c));
  }

  private void addVariant(String arguments, ReplyShape shape) {
    List<String> selected = List.of(arguments.split(" "));
    StringBuilder name = new StringBuilder(spec.methodName());
    for (String argument : selected) {
      String token = tokenOf(spec.arguments(), argument);
      name.append(token.isEmpty() ? "" : JavaNames.pascal(token));
    }
    add(name.toString(), selected, shape);
  }

  /** The token in lower case; empty for an argument without one. */
  private String tokenOf(List<CommandArgument> arguments, String name) {
    CommandArgument argument = find(arguments, name);
    if (argument == null) {
      throw new IllegalArgumentException(spec.origin() + ": reply with unknown " + name);
    }
    String token = argument.token();
    return token == null ? "" : token.toLowerCase(Locale.ROOT);
  }

  /** Whether an argument, or a part of it, is selected. */
  private static boolean isSelected(CommandArgument argument, List<String> selected) {
    return selected.stream().anyMatch(name -> find(List.of(argument), name) != null);
  }

  private static @Nullable CommandArgument find(List<CommandArgument> arguments, String name) {
    for (CommandArgument argument : arguments) {
      CommandArgument found =
          argument.name().equals(name) ? argument : find(argument.children(), name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private void add(String name, List<String> selected, ReplyShape reply) {
    if (!options.isRequired()) {
      add(name, selected, false, reply);
    }
    if (!options.isEmpty()) {
      add(name, selected, true, reply);
    }
  }

  private void add(String name, List<String> selected, boolean withOptions, ReplyShape reply) {
    Plan plan = start();
    List<CommandArgument> arguments = spec.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      plan = plan.then(step(i, selected, withOptions));
    }
    if (withOptions && !OptionsClass.isWrittenBy(plan)) return;
    List<Parameter> parameters = new ArrayList<>(plan.parameters());
    if (withOptions) {
      parameters.add(new Parameter(options.name(), "options"));
    }
    addMethod(new ClientMethod(spec, name, parameters, plan.statements(), reply));
    addTwins(name, parameters, reply);
  }

  private Plan start() {
    CommandSpec container = spec.container();
    String first = container == null ? spec.name() : container.name();
    Plan start =
        new Plan(
            List.of(), List.of("CommandBuilder out = CommandBuilder.of(\"" + first + "\");"), null);
    return container == null ? start : start.then(Plan.token(spec.shortName()));
  }

  private Plan step(int index, List<String> selected, boolean withOptions) {
    CommandArgument argument = spec.arguments().get(index);
    if (options.contains(argument)) {
      return option(argument, withOptions);
    }
    if (isVariant(argument) && !isSelected(argument, selected)) {
      return Plan.EMPTY;
    }
    if (argument.optional() && argument.type() == ArgumentType.BLOCK) {
      return selectedBlock(argument, selected, withOptions);
    }
    if (argument.optional() && argument.type() == ArgumentType.ONEOF) {
      return selectedAlternative(argument, selected);
    }
    return given(spec.arguments(), index);
  }

  private Plan option(CommandArgument option, boolean isGiven) {
    String write = options.writeCall(option);
    return isGiven && !write.isEmpty() ? new Plan(List.of(), List.of(write), null) : Plan.EMPTY;
  }

  /** A block with its required parts, its options and the selected part. */
  private Plan selectedBlock(CommandArgument block, List<String> selected, boolean withOptions) {
    Plan plan = Plan.EMPTY;
    for (CommandArgument part : block.children()) {
      if (options.contains(part)) {
        plan = plan.then(option(part, withOptions));
      } else if (!part.optional() || selected.contains(part.name())) {
        plan = plan.then(plans.plans(part).get(0));
      }
    }
    return plan;
  }

  private Plan selectedAlternative(CommandArgument choice, List<String> selected) {
    for (CommandArgument alternative : choice.children()) {
      if (isSelected(alternative, selected)) {
        return plans.plans(alternative).get(0);
      }
    }
    return plans.plans(choice).get(0);
  }

  private Plan given(List<CommandArgument> arguments, int index) {
    CommandArgument argument = arguments.get(index);
    if (isCount(arguments, index)) {
      return Plan.EMPTY;
    }
    boolean counted = index > 0 && isCount(arguments, index - 1);
    if (Pairs.isPairs(argument)) {
      return counted(counted, JavaNames.camel(argument.name())).then(Pairs.of(argument, plans));
    }
    if (argument.multiple() && !argument.hasChildren()) {
      Plan count = counted(counted, ArgumentPlans.plural(argument));
      return count.then(plans.list(argument));
    }
    return isPlainBlock(argument) ? wholeBlock(argument) : plans.plans(argument).get(0);
  }

  private static Plan counted(boolean counted, String collection) {
    String statement = "out.integer(" + collection + ".size());";
    return counted ? new Plan(List.of(), List.of(statement), null) : Plan.EMPTY;
  }

  private Plan wholeBlock(CommandArgument block) {
    String token = block.token();
    Plan plan = token == null ? Plan.EMPTY : Plan.token(token);
    if (Pairs.isColumns(block)) {
      return plan.then(Pairs.ofColumns(block, plans));
    }
    for (int i = 0; i < block.children().size(); i++) {
      plan = plan.then(given(block.children(), i));
    }
    return plan;
  }

  /** Whether an argument states the number of others that follow. */
  private static boolean isCount(List<CommandArgument> arguments, int index) {
    return arguments.get(index).name().startsWith("num")
        && index + 1 < arguments.size()
        && arguments.get(index + 1).multiple();
  }

  private void addTwins(String name, List<Parameter> parameters, ReplyShape reply) {
    int last = parameters.size() - 1;
    for (int i = 0; i <= last; i++) {
      Parameter parameter = parameters.get(i);
      Parameter[] single = Pairs.single(parameter, spec);
      if (single.length > 0) {
        addTwin(name, parameters, i, List.of(single), Pairs.collect(parameter, single), reply);
      } else if (isSimpleList(parameter)) {
        Parameter element = i == last ? varargs(parameter) : element(parameter);
        String list = "Arrays.asList(" + element.name() + ")";
        addTwin(name, parameters, i, List.of(element), list, reply);
      }
    }
  }

  private static Parameter varargs(Parameter list) {
    return new Parameter(element(list).type() + "...", list.name());
  }

  /** One element of a list, for commands whose list is not the last parameter. */
  private static Parameter element(Parameter list) {
    String type = list.type().substring("List<".length(), list.type().length() - 1);
    return new Parameter(type, list.name().substring(0, list.name().length() - 1));
  }

  private static boolean isSimpleList(Parameter parameter) {
    return parameter.type().matches("List<\\w+>");
  }

  private void addTwin(
      String name,
      List<Parameter> parameters,
      int at,
      List<Parameter> replacement,
      String expression,
      ReplyShape reply) {
    List<Parameter> own = new ArrayList<>(parameters);
    own.remove(at);
    own.addAll(at, replacement);
    List<String> call = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      call.add(i == at ? expression : parameters.get(i).name());
    }
    String body = "return " + name + "(" + String.join(", ", call) + ");";
    addMethod(new ClientMethod(spec, name, own, List.of(body), reply));
  }

  private void addMethod(ClientMethod method) {
    StringBuilder signature = new StringBuilder(method.name());
    method.parameters().forEach(parameter -> signature.append(' ').append(parameter.type()));
    if (!signatures.add(signature.toString())) {
      throw new IllegalStateException(spec.origin() + ": two methods " + signature);
    }
    methods.add(method);
    TypedTwin twin = TypedTwin.of(spec, method.parameters());
    if (twin != null) {
      String body = "return " + method.name() + "(" + String.join(", ", twin.arguments()) + ");";
      methods.add(
          new ClientMethod(spec, method.name(), twin.parameters(), List.of(body), method.reply()));
    }
  }
}
