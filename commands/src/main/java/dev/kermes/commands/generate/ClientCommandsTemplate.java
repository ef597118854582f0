package dev.kermes.commands.generate;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes the typed commands of the client from the table: package {@code dev.kermes.client}, one
 * method per row.
 *
 * <p><b>Generated.</b>
 *
 * <pre>
 *   public final class Commands&lt;K, V&gt;            new Commands&lt;&gt;(Codec&lt;K&gt; keys, Codec&lt;V&gt; values)
 *     Command&lt;@Nullable V&gt; get(K key)               a method returns a value; nothing is sent
 *   public final class AsyncCommands&lt;K, V&gt;       new AsyncCommands&lt;&gt;(Commands&lt;K, V&gt;, AsyncSender)
 *     RedisFuture&lt;@Nullable V&gt; get(K key)
 *   public final class BlockingCommands&lt;K, V&gt;    new BlockingCommands&lt;&gt;(Commands&lt;K, V&gt;, BlockingSender)
 *     &#64;Nullable V get(K key)
 *   public final class SetOptions                fluent; one per command with optional arguments
 *   public enum ListSide                         one per required choice among pure tokens
 * </pre>
 *
 * A body reads {@code CommandBuilder.of(Specs.SET).key(keys, key).value(values,
 * value).token("EX").integer(10).build(Replies.ok())}; {@code Specs} is a generated package-private
 * class with one {@code CommandSpec} constant per row. A command without arguments whose reply
 * needs no codec is itself a constant.
 *
 * <p><b>Written by hand in the client</b>, in {@code dev.kermes.client} and, the last three, in
 * {@code dev.kermes.client.reply}:
 *
 * <pre>
 *   interface Codec&lt;T&gt;
 *   class     Command&lt;T extends @Nullable Object&gt;
 *   interface Decoder&lt;T extends @Nullable Object&gt;
 *   interface AsyncSender     &lt;T extends @Nullable Object&gt; RedisFuture&lt;T&gt; send(Command&lt;T&gt; command)
 *   interface BlockingSender  &lt;T extends @Nullable Object&gt; T call(Command&lt;T&gt; command)
 *   record    ScoredValue&lt;V&gt;(V value, double score)
 *   class     ScanPage&lt;T&gt;              cursor (String) and the elements of one SCAN step
 *   class     StreamEntry&lt;K, V&gt;        id (String) and the fields of one stream entry
 *
 *   CommandBuilder.of(String)           writes the name, one word in upper case
 *     .key(Codec&lt;T&gt;, T)                 an argument that is a key of the command (routing looks at it)
 *     .value(Codec&lt;T&gt;, T)               any other encoded argument: values, members, hash fields
 *     .token(String)                    a literal word of the table
 *     .text(String)                     a free argument in UTF-8: patterns, channels, ids, names
 *     .integer(long)  .decimal(double)
 *     .build(Decoder&lt;T&gt;)                -&gt; Command&lt;T&gt;; the other methods return the builder
 *
 *   Replies, by the table's reply shape (Decoder&lt;T&gt;, T on the right):
 *     ok       ok()                   String          bulk     value(codec)            V
 *     simple   simple()               String          bulk?    bulk(codec)             @Nullable V
 *     text     text()                 String          key      value(keys)             K
 *     integer  integer()              Long            X?       optional(x)             @Nullable X
 *     boolean  bool()                 Boolean         list&lt;X&gt;  list(x)                 List&lt;X&gt;
 *     double   decimal()              Double          set&lt;X&gt;   set(x)                  Set&lt;X&gt;
 *     any      any()                  @Nullable Object
 *     map&lt;A,B&gt;     map(a, b)                   Map&lt;A, B&gt;           flat array in RESP2
 *     pair&lt;A,B&gt;    pair(a, b)                  Map.Entry&lt;A, B&gt;     an array of exactly two
 *     scored       scored(values)              List&lt;ScoredValue&lt;V&gt;&gt;  flat in RESP2, nested in RESP3
 *     scan&lt;X&gt;      page(x)                     ScanPage&lt;X&gt;
 *     scan&lt;pairs&gt;  pageOfPairs(keys, values)   ScanPage&lt;Map.Entry&lt;K, V&gt;&gt;
 *     scan&lt;scored&gt; pageOfScored(values)        ScanPage&lt;ScoredValue&lt;V&gt;&gt;
 *     pairs        pairs(keys, values)         List&lt;Map.Entry&lt;K, V&gt;&gt;   flat in RESP2, nested in RESP3
 *     popped       popped(key, member)         Map.Entry&lt;K, ScoredValue&lt;V&gt;&gt;
 *     entry        entry(keys, values)         StreamEntry&lt;K, V&gt;
 *     entries      entries(keys, values)       List&lt;StreamEntry&lt;K, V&gt;&gt;   without those that are nil
 *     streams      streams(keys, values)       Map&lt;K, List&lt;StreamEntry&lt;K, V&gt;&gt;&gt;   empty for nil
 *     GeoPoint     Records.geoPoint()          the record of that name
 *     GeoMatch&lt;X&gt;  Records.geoMatch(x)         GeoMatch&lt;X&gt;
 * </pre>
 *
 * <p><b>Parameters.</b> Required arguments in table order. A key is K; a hash or stream field is K;
 * {@code value}, {@code element}, {@code member}, {@code message} and {@code pivot} are V; every
 * other string and pattern is String; integer and unix-time are long; double is double. Times,
 * ranks and scores have a twin with their own types, see {@link TypedTwin}. A multiple argument is
 * a {@code List}, with a varargs twin where it comes last; pairs (field value) are a {@code Map},
 * pairs (score member) a {@code List<ScoredValue<V>>}, places (longitude latitude member) a {@code
 * List<GeoMember<V>>}, each with a twin for a single one. {@code numkeys} is never a parameter: it
 * is counted. A required choice among pure tokens is an enum; cursors, score bounds ("(1", "-inf")
 * and stream ids are String. Everything optional, and a required argument of any richer form, goes
 * through the command's options class, which is the last parameter; where all of it is optional
 * there is an overload without.
 *
 * <p><b>Replies that depend on an option</b> ({@code reply with} lines of the table) become
 * separate methods instead of options: {@code zrangeWithscores}, {@code setGet}, {@code lpop(key,
 * count)}.
 *
 * <p><b>Not generated:</b> the rows in {@link #SERVED_BY_HAND}, whose replies do not answer the
 * request one to one or which change the state of a shared connection; and commands for the nodes
 * of a cluster, which the client sends by itself.
 */
public final class ClientCommandsTemplate {
  static final String PACKAGE = "dev.kermes.client";

  /** The named exceptions: rows without a generated method. */
  static final Set<String> SERVED_BY_HAND =
      Set.of(
          "AUTH",
          "CLIENT REPLY",
          "DISCARD",
          "EXEC",
          "HELLO",
          "MULTI",
          "PSUBSCRIBE",
          "PUNSUBSCRIBE",
          "QUIT",
          "RESET",
          "SELECT",
          "SHUTDOWN",
          "SSUBSCRIBE",
          "SUBSCRIBE",
          "SUNSUBSCRIBE",
          "UNSUBSCRIBE",
          "UNWATCH",
          "WATCH");

  private final List<ClientMethod> methods = new ArrayList<>();
  private final List<OptionsClass> options = new ArrayList<>();
  private final ChoiceEnums enums = new ChoiceEnums();

  private ClientCommandsTemplate(CommandTable table) {
    for (CommandSpec spec : table.all()) {
      if (isGenerated(spec)) {
        ClientMethods own = new ClientMethods(spec, enums);
        methods.addAll(own.methods());
        if (!own.options().isEmpty()) {
          options.add(own.options());
        }
      }
    }
  }

  private static boolean isGenerated(CommandSpec spec) {
    return spec.isCallable() && spec.isForClients() && !SERVED_BY_HAND.contains(spec.name());
  }

  /** The generated methods of every row, row by row; the language APIs are built from them. */
  static List<List<ClientMethod>> methods(CommandTable table) {
    ChoiceEnums enums = new ChoiceEnums();
    return table.all().stream()
        .filter(ClientCommandsTemplate::isGenerated)
        .map(spec -> new ClientMethods(spec, enums).methods())
        .toList();
  }

  /** The setters of options that take durations, for which a language may have its own type. */
  static List<OptionsClass.Setter> durationSetters(CommandTable table) {
    return new ClientCommandsTemplate(table)
        .options.stream().flatMap(options -> options.durationSetters().stream()).toList();
  }

  /** Writes the classes below a source directory. */
  public static void write(CommandTable table, Path directory) throws IOException {
    ClientCommandsTemplate template = new ClientCommandsTemplate(table);
    template.commands().writeTo(directory);
    template.view("AsyncCommands", "AsyncSender", "send", "RedisFuture<%s>").writeTo(directory);
    template.view("BlockingCommands", "BlockingSender", "call", "%s").writeTo(directory);
    for (OptionsClass options : template.options) {
      options.writeTo(directory);
    }
    // Last, because the enums are known only when all setters have been written.
    template.enums.writeTo(directory);
  }

  private SourceFile commands() {
    SourceFile out = start("Commands", "The commands as values: a method builds, nothing is sent.");
    for (ClientMethod method : methods) {
      if (method.isConstant()) {
        String type = "Command<" + method.type() + ">";
        out.line("private static final " + type + " " + constant(method) + " =");
        out.line("    " + method.chain() + ".build(" + ReplyTypes.decoder(method.reply()) + ");");
      }
    }
    out.line("");
    out.line("private final Codec<K> keyCodec;");
    out.line("private final Codec<V> valueCodec;");
    out.line("");
    out.line("/** Commands whose keys and values are encoded by these codecs. */");
    out.line("public Commands(Codec<K> keys, Codec<V> values) {");
    out.line("this.keyCodec = keys;");
    out.line("this.valueCodec = values;");
    out.line("}");
    for (ClientMethod method : methods) {
      head(out, method, "Command<" + method.type() + ">");
      if (method.isConstant()) {
        out.line("return " + constant(method) + ";");
      } else {
        method.statements().forEach(out::line);
      }
      if (!method.isConstant() && !method.delegates()) {
        out.line("return out.build(" + ReplyTypes.decoder(method.reply()) + ");");
      }
      out.line("}");
    }
    out.line("}");
    return out;
  }

  private static String constant(ClientMethod method) {
    return method.name().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  /** Writes a class that sends the commands that the methods of Commands build. */
  private SourceFile view(String name, String sender, String send, String type) {
    SourceFile out = start(name, "The commands, sent by a {@link " + sender + "}.");
    out.line("private final Commands<K, V> commands;");
    out.line("private final " + sender + " sender;");
    out.line("");
    out.line("/** The commands of one set of codecs over one sender. */");
    out.line("public " + name + "(Commands<K, V> commands, " + sender + " sender) {");
    out.line("this.commands = commands;");
    out.line("this.sender = sender;");
    out.line("}");
    for (ClientMethod method : methods) {
      head(out, method, type.formatted(method.type()));
      String command = "commands." + method.name() + "(" + method.call() + ")";
      out.line("return sender." + send + "(" + command + ");");
      out.line("}");
    }
    out.line("}");
    return out;
  }

  private static SourceFile start(String name, String sentence) {
    SourceFile out = new SourceFile(PACKAGE, name);
    out.line("import dev.kermes.client.internal.command.Units;");
    out.line("import dev.kermes.client.reply.*;");
    out.line("import java.time.Duration;");
    out.line("import java.time.Instant;");
    out.line("import java.util.Arrays;");
    out.line("import java.util.Collections;");
    out.line("import java.util.List;");
    out.line("import java.util.Map;");
    out.line("import java.util.Map.Entry;");
    out.line("import java.util.Set;");
    out.line("import org.jspecify.annotations.Nullable;");
    out.line("");
    out.line("/**");
    out.line(" * " + sentence);
    out.line(" *");
    out.line(" * @param <K> keys and the fields of hashes and streams");
    out.line(" * @param <V> values, elements and members");
    out.line(" */");
    out.line("public final class " + name + "<K, V> {");
    return out;
  }

  private static void head(SourceFile out, ClientMethod method, String type) {
    comment(out, method.spec());
    if (method.isGenericVarargs()) {
      out.line("@SafeVarargs");
      out.line("@SuppressWarnings(\"varargs\") // the array is only read");
    }
    String modifiers = method.isGenericVarargs() ? "public final " : "public ";
    out.line(modifiers + type + " " + method.name() + "(" + method.declaration() + ") {");
  }

  /** The description of a command: effect, parameters and cost. */
  static void comment(SourceFile out, CommandSpec spec) {
    out.line("");
    out.line("/**");
    out.line(" * " + spec.summary());
    out.line(" *");
    out.line(" * <p>{@code " + spec.usage() + "}");
    out.line(" *");
    out.line(" * <p>Cost: {@code " + spec.complexity() + "}. Since Redis " + spec.since() + ".");
    if (spec.replacedBy() != null) {
      String since = spec.deprecatedSince();
      out.line(" * Superseded by " + spec.replacedBy() + " in Redis " + since + ".");
    }
    out.line(" */");
  }
}
