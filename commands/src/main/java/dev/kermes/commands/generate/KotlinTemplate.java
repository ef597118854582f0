package dev.kermes.commands.generate;

import dev.kermes.commands.CommandTable;
import dev.kermes.commands.generate.LanguageMethods.FaceMethod;
import dev.kermes.commands.generate.Plan.Parameter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Writes the commands of the Kotlin API: package {@code dev.kermes.kotlindsl}, a suspending
 * function for each method of the client's {@code Commands}.
 *
 * <pre>
 *   public open class SuspendingCommands&lt;K : Any, V : Any&gt;(commands: Commands&lt;K, V&gt;, sender: AsyncSender)
 *     suspend fun get(key: K): V?
 *     suspend fun mget(vararg keys: K): List&lt;V?&gt;
 *     suspend fun set(key: K, value: V, options: SetOptions.() -&gt; Unit = {}): String?
 * </pre>
 */
final class KotlinTemplate {
  private static final String PACKAGE = "dev.kermes.kotlindsl";
  private static final Set<String> KEYWORDS =
      Set.of(
          "as", "fun", "in", "interface", "is", "null", "object", "typeof", "val", "var", "when");

  private KotlinTemplate() {}

  static void write(CommandTable table, Path directory) throws IOException {
    SourceFile out = new SourceFile(PACKAGE, "SuspendingCommands.kt", "");
    out.line("import dev.kermes.client.*");
    out.line("import dev.kermes.client.reply.*");
    out.line("import kotlin.time.Duration");
    out.line("import kotlin.time.toJavaDuration");
    out.line("");
    out.line("/**");
    out.line(" * The commands as functions that suspend until the reply arrives.");
    out.line(" *");
    out.line(" * @param K keys and the fields of hashes and streams");
    out.line(" * @param V values, elements and members");
    out.line(" * @property commands the same commands as values, for batches and transactions");
    out.line(" */");
    out.line("@Suppress(\"DEPRECATION\", \"LongParameterList\", \"TooManyFunctions\")");
    out.line("public open class SuspendingCommands<K : Any, V : Any>(");
    out.line("  public val commands: Commands<K, V>,");
    out.line("  private val sender: AsyncSender,");
    out.line(") {");
    for (FaceMethod method : LanguageMethods.all(table)) {
      function(out, method);
    }
    out.line("}");
    out.writeTo(directory);
    writeDurations(table, directory);
  }

  /**
   * Options that take Kotlin's durations: extension functions, because the class belongs to the
   * client.
   */
  private static void writeDurations(CommandTable table, Path directory) throws IOException {
    SourceFile out = new SourceFile(PACKAGE, "DurationOptions.kt", "");
    out.line("import dev.kermes.client.*");
    out.line("import kotlin.time.Duration");
    out.line("import kotlin.time.toJavaDuration");
    for (OptionsClass.Setter setter : ClientCommandsTemplate.durationSetters(table)) {
      String name = name(setter.name());
      String declared = setter.list(each -> name(each.name()) + ": " + type(each.type()));
      String passed = setter.list(KotlinTemplate::passed);
      out.line("");
      out.line("/** Sets `" + setter.usage() + "`. */");
      String head = "public fun " + setter.options() + "." + name + "(" + declared + "): ";
      out.line(head + setter.options() + " =");
      out.line("  " + name + "(" + passed + ")");
    }
    out.writeTo(directory);
  }

  private static String passed(Parameter parameter) {
    boolean isDuration = parameter.type().equals("Duration");
    return name(parameter.name()) + (isDuration ? ".toJavaDuration()" : "");
  }

  private static void function(SourceFile out, FaceMethod method) {
    LanguageMethods.comment(out, method.method().spec(), " ");
    String name = name(method.method().name());
    String type = type(method.method().type());
    out.line("public suspend fun " + name + "(" + declaration(method) + "): " + type + " =");
    out.line("  sender.await(commands." + name + "(" + call(method) + "))");
  }

  private static String declaration(FaceMethod method) {
    StringJoiner list = new StringJoiner(", ");
    for (Parameter parameter : method.parameters()) {
      boolean isVarargs = parameter.type().endsWith("...");
      String type = type(parameter.type().replace("...", ""));
      list.add((isVarargs ? "vararg " : "") + name(parameter.name()) + ": " + type);
    }
    if (method.options() != null) {
      String otherwise = method.needsOptions() ? "" : " = {}";
      list.add("options: " + method.options() + ".() -> Unit" + otherwise);
    }
    return list.toString();
  }

  private static String call(FaceMethod method) {
    StringJoiner list = new StringJoiner(", ");
    for (Parameter parameter : method.parameters()) {
      boolean isVarargs = parameter.type().endsWith("...");
      list.add(isVarargs ? name(parameter.name()) + ".asList()" : passed(parameter));
    }
    if (method.options() != null) {
      list.add(method.options() + "().apply(options)");
    }
    return list.toString();
  }

  private static String name(String name) {
    return KEYWORDS.contains(name) ? "`" + name + "`" : name;
  }

  /** Converts {@code @Nullable Entry<K, List<V>>} to {@code Map.Entry<K, List<V>>?}. */
  private static String type(String java) {
    if (java.equals("byte @Nullable []")) return "ByteArray?";
    if (java.startsWith("@Nullable ")) return type(java.substring("@Nullable ".length())) + "?";
    int open = java.indexOf('<');
    if (open < 0) return simple(java);
    StringJoiner elements = new StringJoiner(", ", "<", ">");
    for (String element : JavaNames.typeArguments(java)) elements.add(type(element));
    return simple(java.substring(0, open)) + elements;
  }

  private static String simple(String java) {
    return switch (java) {
      case "long" -> "Long";
      case "double" -> "Double";
      case "byte[]" -> "ByteArray";
      case "Object" -> "Any";
      case "Entry" -> "Map.Entry";
      case "Instant" -> "java.time.Instant";
      default -> java;
    };
  }
}
