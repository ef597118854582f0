package dev.kermes.commands.generate;

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
 *     CompletionStage&lt;@Nullable V&gt; get(K key)
 *   public final class BlockingCommands&lt;K, V&gt;    new BlockingCommands&lt;&gt;(Commands&lt;K, V&gt;, BlockingSender)
 *     &#64;Nullable V get(K key)
 *   public final class SetOptions                fluent; one per command with optional arguments
 *   public enum ListSide                         one per required choice among pure tokens
 * </pre>
 *
 * A body reads {@code CommandBuilder.of(Specs.SET).key(keys, key).value(values,
 * value).token("EX").integer(10).build(Replies.ok())}; {@code Specs} is a generated package-private
 * class with one {@code CommandSpec} constant per row.
 *
 * <p><b>Written by hand in the client</b>, all in {@code dev.kermes.client}:
 *
 * <pre>
 *   interface Codec&lt;T&gt;
 *   class     Command&lt;T extends @Nullable Object&gt;
 *   interface Decoder&lt;T extends @Nullable Object&gt;
 *   interface AsyncSender     &lt;T extends @Nullable Object&gt; CompletionStage&lt;T&gt; send(Command&lt;T&gt; command)
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
 *     entry        entry(keys, values)         StreamEntry&lt;K, V&gt;
 * </pre>
 *
 * <p><b>Parameters.</b> Required arguments in table order. A key is K; a hash or stream field is K;
 * {@code value}, {@code element}, {@code member}, {@code message} and {@code pivot} are V; every
 * other string and pattern is String; integer and unix-time are long; double is double. A multiple
 * argument is a {@code List}, with a varargs twin where it comes last; pairs (field value) are a
 * {@code Map}, pairs (score member) a {@code List<ScoredValue<V>>}, each with a twin for a single
 * pair. {@code numkeys} is never a parameter: it is counted. A required choice among pure tokens is
 * an enum. Everything optional, and a required argument of any richer form, goes through the
 * command's options class, which is the last parameter; where all of it is optional there is an
 * overload without.
 *
 * <p><b>Replies that depend on an option</b> ({@code reply with} lines of the table) become methods
 * of their own instead of options: {@code zrangeWithscores}, {@code setGet}, {@code lpop(key,
 * count)}.
 *
 * <p><b>Not generated:</b> the rows on the one list of exceptions, whose replies do not answer the
 * request one to one or which change the state of a shared connection.
 */
public final class ClientCommandsTemplate {
  private ClientCommandsTemplate() {}
}
