package dev.kermes.commands.generate;

import dev.kermes.commands.CommandArgument;
import dev.kermes.commands.CommandSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The options class of one command: a slot per option, filled by setters, written in the table's
 * order.
 *
 * <p>Adjacent options are written by one method; SORT has one such segment, a command with options
 * in two places has two.
 */
final class OptionsClass {
  private final CommandSpec spec;
  private final ArgumentPlans plans;
  private final List<List<CommandArgument>> segments = new ArrayList<>();
  private int lastPosition = -2;

  OptionsClass(CommandSpec spec, ArgumentPlans plans) {
    this.spec = spec;
    this.plans = plans;
  }

  /** Adds an option; called in the table's order, with the index among all arguments. */
  void add(CommandArgument option, int position) {
    if (position != lastPosition + 1) {
      segments.add(new ArrayList<>());
    }
    segments.get(segments.size() - 1).add(option);
    lastPosition = position;
  }

  String name() {
    return JavaNames.pascal(spec.methodName()) + "Options";
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  boolean contains(CommandArgument argument) {
    return segments.stream().anyMatch(segment -> segment.contains(argument));
  }

  /** Whether one of the arguments is required. */
  boolean isRequired() {
    return segments.stream().flatMap(List::stream).anyMatch(option -> !option.optional());
  }

  /** The statement that writes the segment which starts with an option; otherwise empty. */
  String writeCall(CommandArgument first) {
    for (int i = 0; i < segments.size(); i++) {
      if (segments.get(i).get(0).equals(first)) {
        return "options.write" + (i + 1) + "(out);";
      }
    }
    return "";
  }

  /** Whether a method's plan has a position for options. */
  static boolean isWrittenBy(Plan plan) {
    return plan.statements().stream().anyMatch(each -> each.startsWith("options.write"));
  }

  void writeTo(Path directory) throws IOException {
    SourceFile out = new SourceFile(ClientCommandsTemplate.PACKAGE, name());
    out.line("import dev.kermes.client.internal.command.Units;");
    out.line("import dev.kermes.client.reply.*;");
    out.line("import java.time.Duration;");
    out.line("import java.time.Instant;");
    if (usesLists()) out.line("import java.util.List;");
    out.line("import java.util.function.Consumer;");
    out.line("import org.jspecify.annotations.Nullable;");
    out.line("");
    out.line("/** Options of {@code " + spec.usage() + "}. Not thread-safe. */");
    out.line("public final class " + name() + " {");
    for (CommandArgument option : options()) {
      out.line("private @Nullable Consumer<CommandBuilder> " + slot(option) + ";");
    }
    out.line("");
    out.line("/** No options yet. */");
    out.line("public " + name() + "() {}");
    setters(out);
    for (int i = 0; i < segments.size(); i++) {
      write(out, i);
    }
    out.line("}");
    out.writeTo(directory);
  }

  /** A setter of {@code options}, the name of the class. */
  record Setter(String options, String usage, String name, List<Plan.Parameter> parameters) {

    /** A text for each parameter, separated by commas. */
    String list(Function<Plan.Parameter, String> text) {
      return parameters.stream().map(text).collect(Collectors.joining(", "));
    }
  }

  List<Setter> durationSetters() {
    List<Setter> setters = new ArrayList<>();
    for (CommandArgument option : options()) {
      for (Plan plan : plans.setters(option)) {
        TypedTwin twin = TypedTwin.of(spec, plan.parameters());
        if (twin == null || !twin.hasDuration()) continue;
        setters.add(
            new Setter(name(), option.usage(), setterName(option, plan), twin.parameters()));
      }
    }
    return setters;
  }

  private boolean usesLists() {
    return options().stream()
        .flatMap(option -> plans.setters(option).stream())
        .flatMap(plan -> plan.parameters().stream())
        .anyMatch(parameter -> parameter.type().startsWith("List<"));
  }

  private List<CommandArgument> options() {
    return segments.stream().flatMap(List::stream).toList();
  }

  private static String slot(CommandArgument option) {
    return JavaNames.camel(option.name()) + "Slot";
  }

  private void setters(SourceFile out) {
    Set<String> signatures = new HashSet<>();
    for (CommandArgument option : options()) {
      for (Plan plan : plans.setters(option)) {
        String name = setterName(option, plan);
        if (!signatures.add(name + types(plan))) {
          throw new IllegalStateException(spec.origin() + ": two setters " + name + types(plan));
        }
        setter(out, option, plan, name);
        TypedTwin twin = TypedTwin.of(spec, plan.parameters());
        if (twin != null) typedSetter(out, option, twin, name);
      }
    }
  }

  private String types(Plan plan) {
    StringBuilder types = new StringBuilder();
    for (Plan.Parameter parameter : plan.parameters()) {
      if (parameter.type().matches(".*\\b[KV]\\b.*")) {
        throw new IllegalStateException(spec.origin() + ": keys and values cannot be options");
      }
      types.append(' ').append(parameter.type());
    }
    return types.toString();
  }

  private static String setterName(CommandArgument option, Plan plan) {
    String hint = plan.hint();
    if (hint == null || !hint.matches("[A-Za-z][A-Za-z0-9-]*")) {
      return JavaNames.camel(option.name());
    }
    return JavaNames.camel(hint.toLowerCase(Locale.ROOT));
  }

  private void setter(SourceFile out, CommandArgument option, Plan plan, String name) {
    String slot = slot(option);
    ClientMethod method =
        new ClientMethod(spec, name, plan.parameters(), plan.statements(), spec.reply());
    out.line("");
    out.line("/** Gives {@code " + option.usage() + "}. */");
    out.line("public " + name() + " " + name + "(" + method.declaration() + ") {");
    out.line("Consumer<CommandBuilder> step = out -> {");
    plan.statements().forEach(out::line);
    out.line("};");
    out.line(
        option.multiple()
            ? "%s = %s == null ? step : %s.andThen(step);".formatted(slot, slot, slot)
            : slot + " = step;");
    out.line("return this;");
    out.line("}");
  }

  private void typedSetter(SourceFile out, CommandArgument option, TypedTwin twin, String name) {
    StringJoiner declared = new StringJoiner(", ");
    twin.parameters().forEach(parameter -> declared.add(parameter.toString()));
    out.line("");
    out.line("/** Gives {@code " + option.usage() + "}. */");
    out.line("public " + name() + " " + name + "(" + declared + ") {");
    out.line("return " + name + "(" + String.join(", ", twin.arguments()) + ");");
    out.line("}");
  }

  private void write(SourceFile out, int segment) {
    out.line("");
    out.line("void write" + (segment + 1) + "(CommandBuilder out) {");
    for (CommandArgument option : segments.get(segment)) {
      out.line("if (" + slot(option) + " != null) {");
      out.line(slot(option) + ".accept(out);");
      out.line("}");
    }
    out.line("}");
  }
}
