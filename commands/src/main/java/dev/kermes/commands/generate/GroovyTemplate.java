package dev.kermes.commands.generate;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.commands.generate.LanguageMethods.FaceMethod;
import dev.kermes.commands.generate.Plan.Parameter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Writes the commands of the Groovy API, in Java: package {@code dev.kermes.groovydsl}, a method
 * for each method of the client's {@code Commands}. Keys, values and texts accept any object;
 * options come first, where Groovy passes named arguments.
 *
 * <pre>
 *   public class BlockingCommands&lt;K, V&gt;
 *     &#64;Nullable V get(Object key)
 *     &#64;Nullable String set(Object key, Object value)
 *     Boolean expire(Map&lt;String, ?&gt; options, Object key, long seconds)
 *     R set(Map&lt;String, ?&gt; options, Object key, Object value)   R, for GET changes the reply
 *   public class AsyncCommands&lt;K, V&gt;
 *     RedisFuture&lt;@Nullable V&gt; get(Object key)
 * </pre>
 */
final class GroovyTemplate {
  private static final String PACKAGE = "dev.kermes.groovydsl";

  private GroovyTemplate() {}

  static void write(CommandTable table, Path directory) throws IOException {
    view(table, "BlockingCommands", "BlockingSender", "call", "%s").writeTo(directory);
    view(table, "AsyncCommands", "AsyncSender", "send", "RedisFuture<%s>").writeTo(directory);
  }

  private static SourceFile view(
      CommandTable table, String name, String sender, String send, String type) {
    SourceFile out = new SourceFile(PACKAGE, name);
    out.line("import dev.kermes.client.*;");
    out.line("import dev.kermes.client.reply.*;");
    out.line("import java.time.Duration;");
    out.line("import java.time.Instant;");
    out.line("import java.util.*;");
    out.line("import java.util.Map.Entry;");
    out.line("import org.jspecify.annotations.Nullable;");
    out.line("");
    out.line("/**");
    out.line(" * The commands, sent by a {@link " + sender + "}.");
    out.line(" *");
    out.line(" * @param <K> type of keys and of the fields of hashes and streams in replies");
    out.line(" * @param <V> type of values, elements and members in replies");
    out.line(" */");
    out.line("public class " + name + "<K, V> {");
    out.line("private final Commands<K, V> commands;");
    out.line("private final " + sender + " sender;");
    out.line("");
    out.line("/** The commands of one set of codecs over one sender. */");
    out.line("public " + name + "(Commands<K, V> commands, " + sender + " sender) {");
    out.line("this.commands = commands;");
    out.line("this.sender = sender;");
    out.line("}");
    List<FaceMethod> methods = LanguageMethods.all(table);
    for (FaceMethod method : methods) {
      List<FaceMethod> variants = variants(method, methods);
      String reply = type.formatted(method.method().type());
      if (!method.needsOptions()) method(out, method, false, reply, send);
      if (!variants.isEmpty()) {
        methodOfVariants(out, method, variants, type.formatted("R"), send);
      } else if (method.options() != null) {
        method(out, method, true, reply, send);
      }
    }
    out.line("}");
    return out;
  }

  /** The variants that take the same arguments and an option that changes the reply. */
  private static List<FaceMethod> variants(FaceMethod method, List<FaceMethod> all) {
    CommandSpec spec = method.method().spec();
    if (!method.method().name().equals(spec.methodName())) return List.of();
    return all.stream()
        .filter(other -> other.method().spec() == spec)
        .filter(other -> !other.method().name().equals(spec.methodName()))
        .filter(other -> other.parameters().equals(method.parameters()))
        .sorted(Comparator.comparingInt(other -> -words(method, other).size()))
        .toList();
  }

  /**
   * The words that change the reply, after which a variant is named: {@code withcoord, withdist}.
   */
  private static List<String> words(FaceMethod method, FaceMethod variant) {
    String words = variant.method().name().substring(method.method().name().length());
    return List.of(words.replaceAll("(?<=.)([A-Z])", " $1").toLowerCase(Locale.ROOT).split(" "));
  }

  /**
   * {@code zrange(key, start, stop, withscores: true)}, which has the reply of zrangeWithscores.
   */
  private static void methodOfVariants(
      SourceFile out, FaceMethod method, List<FaceMethod> variants, String reply, String send) {
    String name = method.method().name();
    StringJoiner declared = new StringJoiner(", ").add("Map<String, ?> options");
    StringJoiner names = new StringJoiner(", ");
    StringJoiner passed = new StringJoiner(", ");
    for (Parameter parameter : method.parameters()) {
      declared.add(type(parameter.type()) + " " + parameter.name());
      names.add(parameter.name());
      passed.add(argument(parameter));
    }
    ClientCommandsTemplate.comment(out, method.method().spec());
    out.line("@SuppressWarnings({\"unchecked\", \"TypeParameterUnusedInFormals\"})");
    out.line("public <R extends @Nullable Object> " + reply + " " + name + "(" + declared + ") {");
    for (FaceMethod variant : variants) {
      String words = "\"" + String.join("\", \"", words(method, variant)) + "\"";
      String others = "NamedOptions.without(options, " + words + ")";
      out.line("if (NamedOptions.has(options, " + words + ")) {");
      if (variant.options() == null) out.line("NamedOptions.refuse(" + others + ");");
      String first = variant.options() == null ? "" : others + ", ";
      String call = variant.method().name() + "(" + first + names + ")";
      out.line("return (" + reply + ") (Object) " + call + ";");
      out.line("}");
    }
    if (method.options() == null) out.line("NamedOptions.refuse(options);");
    if (method.options() != null) passed.add(filled(method));
    String call = "sender." + send + "(commands." + name + "(" + passed + "))";
    out.line("return (" + reply + ") (Object) " + call + ";");
    out.line("}");
  }

  private static String filled(FaceMethod method) {
    return "NamedOptions.fill(new " + method.options() + "(), options)";
  }

  private static void method(
      SourceFile out, FaceMethod method, boolean withOptions, String reply, String send) {
    String name = method.method().name();
    StringJoiner declared = new StringJoiner(", ");
    StringJoiner passed = new StringJoiner(", ");
    if (withOptions) declared.add("Map<String, ?> options");
    for (Parameter parameter : method.parameters()) {
      declared.add(type(parameter.type()) + " " + parameter.name());
      passed.add(argument(parameter));
    }
    if (withOptions) passed.add(filled(method));
    ClientCommandsTemplate.comment(out, method.method().spec());
    out.line("public " + reply + " " + name + "(" + declared + ") {");
    out.line("return sender." + send + "(commands." + name + "(" + passed + "));");
    out.line("}");
  }

  private static String type(String java) {
    return switch (java) {
      case "long" -> "long";
      case "double" -> "Number";
      case "byte[]", "Duration", "Instant" -> java;
      case "K...", "V...", "String...", "Long..." -> "Object...";
      case "List<ScoredValue<V>>", "List<GeoMember<V>>" -> "Map<?, ?>";
      default ->
          java.startsWith("List<")
              ? "Collection<?>"
              : java.startsWith("Map<") ? "Map<?, ?>" : "Object";
    };
  }

  private static String argument(Parameter parameter) {
    String name = parameter.name();
    return switch (parameter.type()) {
      case "K", "V" -> "Arguments.<" + parameter.type() + ">any(" + name + ")";
      case "String" -> "Arguments.text(" + name + ")";
      case "long", "byte[]", "Duration", "Instant" -> name;
      case "Long" -> "Arguments.number(" + name + ")";
      case "double" -> name + ".doubleValue()";
      case "K..." -> "Arguments.<K>list(Arrays.asList(" + name + "))";
      case "V..." -> "Arguments.<V>list(Arrays.asList(" + name + "))";
      case "String..." -> "Arguments.texts(Arrays.asList(" + name + "))";
      case "Long..." -> "Arguments.numbers(Arrays.asList(" + name + "))";
      case "List<K>" -> "Arguments.<K>list(" + name + ")";
      case "List<V>" -> "Arguments.<V>list(" + name + ")";
      case "List<String>" -> "Arguments.texts(" + name + ")";
      case "List<Long>" -> "Arguments.numbers(" + name + ")";
      case "List<ScoredValue<V>>" -> "Arguments.scored(" + name + ")";
      case "List<GeoMember<V>>" -> "Arguments.placed(" + name + ")";
      case "Map<K, V>" -> "Arguments.map(" + name + ")";
      case "Map<K, String>" -> "Arguments.textsByKey(" + name + ")";
      case "Map<String, String>" -> "Arguments.texts(" + name + ")";
      case "Map<Long, V>" -> "Arguments.byNumber(" + name + ")";
      case "Map<Long, Long>" -> "Arguments.numbers(" + name + ")";
      default -> "Arguments.choice(" + parameter.type() + ".class, " + name + ")";
    };
  }
}
