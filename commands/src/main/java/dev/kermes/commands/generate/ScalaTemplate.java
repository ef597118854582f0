package dev.kermes.commands.generate;

import dev.kermes.commands.CommandTable;
import dev.kermes.commands.generate.Plan.Parameter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Writes the commands of the Scala API: package {@code dev.kermes.scaladsl}, a method for each
 * method of the client's {@code Commands}.
 *
 * <pre>
 *   abstract class RedisCommands[K, V, F[_]](keys: Codec[K], values: Codec[V])
 *     protected def perform[T](command: Command[T]): F[T]      a Future, the command itself, any effect
 *     def get(key: K): F[Option[V]]
 *     def mget(keys: K*): F[Seq[Option[V]]]
 *     def set(key: K, value: V, options: SetOptions): F[Option[String]]
 *     def set(key: K, value: V, options: SetOptions => SetOptions): F[Option[String]]
 * </pre>
 */
final class ScalaTemplate {
  private static final Pattern OPTIONS = Pattern.compile("\\w+Options(<.*>)?");

  private static final String PACKAGE = "dev.kermes.scaladsl";
  private static final Set<String> KEYWORDS =
      Set.of("def", "export", "given", "match", "object", "then", "type", "val", "var", "with");

  private ScalaTemplate() {}

  static void write(CommandTable table, Path directory) throws IOException {
    SourceFile out = new SourceFile(PACKAGE, "RedisCommands.scala", "");
    out.line("import dev.kermes.client.*");
    out.line("import dev.kermes.client.reply.{ScanPage as _, StreamEntry as _, *}");
    out.line("import java.time.Instant");
    out.line("import scala.concurrent.duration.FiniteDuration");
    out.line("import scala.jdk.CollectionConverters.*");
    out.line("import scala.jdk.DurationConverters.*");
    out.line("");
    out.line(
        "/** The commands, each a method whose reply is an `F`: a `Future`, or the command as a value.");
    out.line("  *");
    out.line("  * @tparam K keys and the fields of hashes and streams");
    out.line("  * @tparam V values, elements and members");
    out.line("  */");
    out.line("abstract class RedisCommands[K, V, F[_]](keys: Codec[K], values: Codec[V]) {");
    out.line("private[scaladsl] val table = Commands[K, V](keys, values)");
    out.line("private val aKey = Decoders.value(keys)");
    out.line("private val aValue = Decoders.value(values)");
    out.line("");
    out.line(
        "/** Handles a command that one of the methods has built: sends it, or returns it. */");
    out.line("protected def perform[T](command: Command[T]): F[T]");
    for (List<ClientMethod> row : LanguageMethods.rows(table)) {
      for (ClientMethod method : row) {
        if (!hasVarargsTwin(method, row)) function(out, method);
      }
    }
    out.line("}");
    out.writeTo(directory);
    writeDurations(table, directory);
  }

  /**
   * Options that take Scala's durations: extension methods, because the class belongs to the
   * client.
   */
  private static void writeDurations(CommandTable table, Path directory) throws IOException {
    SourceFile out = new SourceFile(PACKAGE, "DurationOptions.scala", "");
    out.line("import dev.kermes.client.*");
    out.line("import scala.concurrent.duration.FiniteDuration");
    out.line("import scala.jdk.DurationConverters.*");
    for (OptionsClass.Setter setter : ClientCommandsTemplate.durationSetters(table)) {
      String name = name(setter.name());
      String declared = setter.list(each -> name(each.name()) + ": " + type(each.type()));
      String passed = setter.list(ScalaTemplate::argument);
      out.line("");
      out.line("extension (options: " + setter.options() + ")");
      out.line("  /** Sets `" + setter.usage() + "`. */");
      String head = "  def " + name + "(" + declared + "): " + setter.options();
      out.line(head + " = options." + name + "(" + passed + ")");
    }
    out.writeTo(directory);
  }

  /** A list in the last position becomes varargs in Scala; both would be the same method. */
  private static boolean hasVarargsTwin(ClientMethod method, List<ClientMethod> row) {
    String declaration = method.declaration().replaceAll("List<(\\w+)> (\\w+)$", "$1... $2");
    return !declaration.equals(method.declaration())
        && row.stream()
            .anyMatch(m -> m.name().equals(method.name()) && m.declaration().equals(declaration));
  }

  private static void function(SourceFile out, ClientMethod method) {
    LanguageMethods.comment(out, method.spec(), "  ");
    String name = name(method.name());
    String type = ScalaReplies.type(method.reply());
    out.line("def " + name + "(" + declaration(method) + "): F[" + type + "] =");
    String decoder = ScalaReplies.decoder(method.reply());
    out.line("  perform(table." + name + "(" + call(method) + ").decodedBy(" + decoder + "))");
    if (hasOptions(method)) withFunction(out, method, name, type);
  }

  private static boolean hasOptions(ClientMethod method) {
    List<Parameter> parameters = method.parameters();
    return !parameters.isEmpty() && OPTIONS.matcher(last(parameters).type()).matches();
  }

  private static Parameter last(List<Parameter> parameters) {
    return parameters.get(parameters.size() - 1);
  }

  /** The same method with a function that sets options instead of the options. */
  private static void withFunction(SourceFile out, ClientMethod method, String name, String type) {
    List<Parameter> parameters = method.parameters();
    String options = type(last(parameters).type());
    StringJoiner declared = new StringJoiner(", ");
    StringJoiner passed = new StringJoiner(", ");
    for (Parameter parameter : parameters.subList(0, parameters.size() - 1)) {
      declared.add(name(parameter.name()) + ": " + type(parameter.type()));
      passed.add(name(parameter.name()));
    }
    declared.add("options: " + options + " => " + options);
    passed.add("options(" + options + "())");
    LanguageMethods.comment(out, method.spec(), "  ");
    out.line("def " + name + "(" + declared + "): F[" + type + "] =");
    out.line("  " + name + "(" + passed + ")");
  }

  private static String declaration(ClientMethod method) {
    StringJoiner list = new StringJoiner(", ");
    List<Parameter> parameters = method.parameters();
    for (Parameter parameter : parameters) {
      boolean isLast = parameter.equals(parameters.get(parameters.size() - 1));
      String type = type(parameter.type());
      boolean isOpen = isLast && type.startsWith("Seq[(");
      list.add(
          name(parameter.name())
              + ": "
              + (isOpen ? type.substring(4, type.length() - 1) + "*" : type));
    }
    return list.toString();
  }

  private static String call(ClientMethod method) {
    StringJoiner list = new StringJoiner(", ");
    for (Parameter parameter : method.parameters()) {
      list.add(argument(parameter));
    }
    return list.toString();
  }

  private static String argument(Parameter parameter) {
    String name = name(parameter.name());
    String java = parameter.type();
    if (java.equals("List<ScoredValue<V>>")) return "Arguments.scored(" + name + ")";
    if (java.endsWith("...")) {
      String list = "List<" + java.replace("...", "") + ">";
      return argument(new Parameter(list, parameter.name()));
    }
    if (java.equals("Duration")) return name + ".toJava";
    if (!java.contains("<")) return name;
    return java.contains("Long")
        ? name + ".asJava.asInstanceOf[" + javaType(java) + "]"
        : name + ".asJava";
  }

  /** Converts {@code Map<Long, V>} to {@code java.util.Map[java.lang.Long, V]}. */
  private static String javaType(String java) {
    String boxed = java.replace("Long", "java.lang.Long");
    return "java.util." + boxed.replace('<', '[').replace('>', ']');
  }

  private static String name(String name) {
    return KEYWORDS.contains(name) ? "`" + name + "`" : name;
  }

  private static String type(String java) {
    if (java.equals("List<ScoredValue<V>>")) return "Seq[(V, Double)]";
    if (java.endsWith("...")) return type(java.replace("...", "")) + "*";
    return switch (java) {
      case "long" -> "Long";
      case "double" -> "Double";
      case "byte[]" -> "Array[Byte]";
      case "Duration" -> "FiniteDuration";
      default -> java.replace("List<", "Seq[").replace('<', '[').replace('>', ']');
    };
  }
}
