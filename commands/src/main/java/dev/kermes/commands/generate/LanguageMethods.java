package dev.kermes.commands.generate;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The client's methods for a language that has default arguments: of two methods that differ only
 * in their options, one is left.
 */
final class LanguageMethods {
  /** Rows that a language API implements by hand under the command's name. */
  private static final Set<String> SERVED_BY_FACES = Set.of("MONITOR");

  /**
   * A method of a language API.
   *
   * @param method the client's method that it calls: the one with a list if it has a varargs itself
   * @param parameters its parameters without the options
   * @param options the type of the options that follow, or null
   * @param needsOptions whether the options are required
   */
  record FaceMethod(
      ClientMethod method,
      List<Parameter> parameters,
      @Nullable String options,
      boolean needsOptions) {}

  private final List<ClientMethod> methods;

  private LanguageMethods(List<ClientMethod> methods) {
    this.methods = methods;
  }

  /** All methods, in the table's order. */
  static List<FaceMethod> all(CommandTable table) {
    return rows(table).stream().flatMap(row -> new LanguageMethods(row).merged().stream()).toList();
  }

  /** The client's methods, row by row, of all rows that a language API generates. */
  static List<List<ClientMethod>> rows(CommandTable table) {
    return ClientCommandsTemplate.methods(table).stream()
        .filter(row -> !SERVED_BY_FACES.contains(row.get(0).spec().name()))
        .toList();
  }

  /**
   * The description of a command (effect, parameters, cost), for languages whose comments are
   * Markdown.
   *
   * @param indent the text before the asterisk of each further line
   */
  static void comment(SourceFile out, CommandSpec spec, String indent) {
    out.line("");
    out.line("/** " + spec.summary());
    out.line(indent + "*");
    out.line(indent + "* `" + spec.usage() + "`");
    out.line(indent + "*");
    out.line(indent + "* Cost: `" + spec.complexity() + "`. Since Redis " + spec.since() + ".");
    if (spec.replacedBy() != null) {
      String since = spec.deprecatedSince();
      out.line(indent + "* Superseded by " + spec.replacedBy() + " in Redis " + since + ".");
    }
    out.line(indent + "*/");
  }

  private List<FaceMethod> merged() {
    List<FaceMethod> merged = new ArrayList<>();
    for (ClientMethod method : methods) {
      if (hasOptions(method)) {
        if (!isSingleOfVarargs(method)) merged.add(withOptions(method));
      } else if (isVarargs(method)) {
        merged.add(new FaceMethod(method, method.parameters(), optionsOfList(method), false));
      } else if (find(method.name(), method.parameters(), true) == null) {
        merged.add(new FaceMethod(method, method.parameters(), null, false));
      }
    }
    return merged;
  }

  private FaceMethod withOptions(ClientMethod method) {
    List<Parameter> parameters = withoutLast(method.parameters());
    boolean needsOptions = find(method.name(), parameters, false) == null;
    return new FaceMethod(method, parameters, last(method).type(), needsOptions);
  }

  /** The options of the method when it is called with a list instead of its varargs. */
  private @Nullable String optionsOfList(ClientMethod varargs) {
    List<Parameter> parameters = new ArrayList<>(withoutLast(varargs.parameters()));
    String element = ArgumentPlans.boxed(elementOf(varargs));
    parameters.add(new Parameter("List<" + element + ">", last(varargs).name()));
    ClientMethod twin = find(varargs.name(), parameters, true);
    return twin == null ? null : last(twin).type();
  }

  /** Whether a method takes one element and options; the one with varargs covers it. */
  private boolean isSingleOfVarargs(ClientMethod method) {
    List<Parameter> parameters = withoutLast(method.parameters());
    if (!method.delegates() || parameters.isEmpty()) return false;
    Parameter single = parameters.get(parameters.size() - 1);
    List<Parameter> own = new ArrayList<>(withoutLast(parameters));
    own.add(new Parameter(single.type() + "...", single.name() + "s"));
    return find(method.name(), own, false) != null;
  }

  private @Nullable ClientMethod find(String name, List<Parameter> own, boolean withOptions) {
    for (ClientMethod method : methods) {
      List<Parameter> found = method.parameters();
      List<Parameter> compared = withOptions ? withoutLast(found) : found;
      if (method.name().equals(name) && hasOptions(method) == withOptions && compared.equals(own)) {
        return method;
      }
    }
    return null;
  }

  private static boolean hasOptions(ClientMethod method) {
    return !method.parameters().isEmpty() && last(method).name().equals("options");
  }

  private static boolean isVarargs(ClientMethod method) {
    return !method.parameters().isEmpty() && last(method).type().endsWith("...");
  }

  private static String elementOf(ClientMethod varargs) {
    return last(varargs).type().replace("...", "");
  }

  private static Parameter last(ClientMethod method) {
    return method.parameters().get(method.parameters().size() - 1);
  }

  private static List<Parameter> withoutLast(List<Parameter> parameters) {
    return parameters.isEmpty() ? parameters : parameters.subList(0, parameters.size() - 1);
  }
}
