package dev.kermes.commands.generate;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The client's methods as a language sees them that has default arguments: of two methods that
 * differ in their options only, one is left.
 */
final class FaceMethods {
  /** Rows that a face serves by a method of its own under the command's name. */
  private static final Set<String> SERVED_BY_FACES = Set.of("MONITOR");

  /**
   * A method of a face.
   *
   * @param method what it calls: with a list where it has a varargs itself
   * @param parameters its parameters but the options
   * @param options the type of the options that follow, or null
   * @param needsOptions whether they must be given
   */
  record FaceMethod(
      ClientMethod method,
      List<Parameter> parameters,
      @Nullable String options,
      boolean needsOptions) {}

  private final List<ClientMethod> methods;

  private FaceMethods(List<ClientMethod> methods) {
    this.methods = methods;
  }

  /** All of them, in the table's order. */
  static List<FaceMethod> all(CommandTable table) {
    return rows(table).stream().flatMap(row -> new FaceMethods(row).merged().stream()).toList();
  }

  /** The client's own methods, row by row, of all rows that a face generates. */
  static List<List<ClientMethod>> rows(CommandTable table) {
    return ClientCommandsTemplate.methods(table).stream()
        .filter(row -> !SERVED_BY_FACES.contains(row.get(0).spec().name()))
        .toList();
  }

  /**
   * What a command does, takes and costs, for languages whose comments are in Markdown.
   *
   * @param indent what stands before the asterisk of each further line
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

  /** The options that the method has when it is called with a list in place of its varargs. */
  private @Nullable String optionsOfList(ClientMethod varargs) {
    List<Parameter> parameters = new ArrayList<>(withoutLast(varargs.parameters()));
    String element = ArgumentPlans.boxed(elementOf(varargs));
    parameters.add(new Parameter("List<" + element + ">", last(varargs).name()));
    ClientMethod twin = find(varargs.name(), parameters, true);
    return twin == null ? null : last(twin).type();
  }

  /** Whether a method takes one element and options, which the one with varargs does as well. */
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
