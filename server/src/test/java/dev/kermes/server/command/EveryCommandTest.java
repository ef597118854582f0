package dev.kermes.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.commands.CommandFlag;
import dev.kermes.commands.CommandSpec;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.testing.random.TableCommands;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every command of the table is implemented: it does something when it is called as the table says,
 * and the commands that COMMAND lists can be called.
 */
final class EveryCommandTest {

  private static final int TRIES = 1000;

  private static final String STUB =
      "(?si).*(unknown (sub)?command|implemented|unsupported|no support|internal error).*";

  /** A value of every type, under the keys that random commands use. */
  private static final List<List<String>> DATA =
      List.of(
          List.of("FLUSHALL"),
          List.of("SET", "k", "1"),
          List.of("RPUSH", "l", "a", "b", "1"),
          List.of("SADD", "m", "a", "b", "1"),
          List.of("ZADD", "n", "1", "a", "2", "b"),
          List.of("HSET", "o", "a", "1", "b", "2"),
          List.of("XADD", "", "5-1", "a", "b"),
          List.of("XGROUP", "CREATE", "", "a", "0"),
          List.of("XADD", "s", "5-1", "a", "b"),
          List.of("XGROUP", "CREATE", "s", "g", "0"),
          List.of("GEOADD", "key with blanks", "1", "1", "a", "2", "2", "b"));

  private static final String SHA = "930269f31393d0be681588b6ab08dccee7d6bb67";

  private static final String LIBRARY =
      "#!lua~name=x\nredis.register_function{function_name='f',flags={'no-writes'},"
          + "callback=function()return~1~end}";

  /**
   * Calls that random commands hardly ever produce, each after the calls that it depends on, and
   * calls whose effect would disturb other commands. A tilde is a blank inside a word.
   */
  private static final Map<String, String> CALLS =
      Map.ofEntries(
          Map.entry("argrep", "ARSET a 0 x ; ARGREP a 0 5 EXACT x"),
          Map.entry("arinfo", "ARSET a 0 x ; ARINFO a"),
          Map.entry("auth", "AUTH default x"),
          Map.entry("client|caching", "CLIENT TRACKING ON OPTIN ; CLIENT CACHING YES"),
          Map.entry("client|import-source", "CLIENT IMPORT-SOURCE OFF"),
          Map.entry("client|reply", "CLIENT REPLY ON"),
          Map.entry("command|getkeys", "COMMAND GETKEYS GET k"),
          Map.entry("command|getkeysandflags", "COMMAND GETKEYSANDFLAGS GET k"),
          Map.entry("discard", "MULTI ; DISCARD"),
          Map.entry("evalsha", "SCRIPT LOAD return(1) ; EVALSHA " + SHA + " 0"),
          Map.entry("evalsha_ro", "SCRIPT LOAD return(1) ; EVALSHA_RO " + SHA + " 0"),
          Map.entry("exec", "MULTI ; EXEC"),
          Map.entry("fcall", "FUNCTION LOAD REPLACE " + LIBRARY + " ; FCALL f 0"),
          Map.entry("fcall_ro", "FUNCTION LOAD REPLACE " + LIBRARY + " ; FCALL_RO f 0"),
          Map.entry("function|delete", "FUNCTION LOAD REPLACE " + LIBRARY + " ; FUNCTION DELETE x"),
          Map.entry("function|load", "FUNCTION LOAD REPLACE " + LIBRARY),
          Map.entry("hotkeys|start", "HOTKEYS START METRICS 1 CPU"),
          Map.entry("himport|set", "HIMPORT PREPARE f a b ; HIMPORT SET h f 1 2"),
          Map.entry(
              "latency|graph",
              "CONFIG SET latency-monitor-threshold 1 ; DEBUG SLEEP 0.01 ; LATENCY GRAPH command"),
          Map.entry("pfdebug", "PFADD h a ; PFDEBUG ENCODING h"),
          Map.entry("replconf", "REPLCONF"),
          Map.entry("script|debug", "SCRIPT DEBUG NO"),
          Map.entry("script|show", "SCRIPT LOAD return(1) ; SCRIPT SHOW " + SHA),
          Map.entry("xcfgset", "XCFGSET s IDMP-DURATION 10"),
          Map.entry("xgroup|delconsumer", "XGROUP DELCONSUMER s g c"),
          Map.entry("xgroup|destroy", "XGROUP DESTROY s g"),
          Map.entry("xinfo|groups", "XINFO GROUPS s"),
          Map.entry("xinfo|stream", "XINFO STREAM s"),
          Map.entry("xpending", "XPENDING s g"),
          Map.entry("xrange", "XRANGE s - +"),
          Map.entry("xreadgroup", "XREADGROUP GROUP g c STREAMS s >"),
          Map.entry("xsetid", "XSETID s 9-9"),
          Map.entry("xtrim", "XTRIM s MAXLEN 1"),
          Map.entry("xautoclaim", "XAUTOCLAIM s g c 0 0"),
          Map.entry("xclaim", "XCLAIM s g c 0 5-1"),
          Map.entry("xgroup|createconsumer", "XGROUP CREATECONSUMER s g c"),
          Map.entry("xgroup|setid", "XGROUP SETID s g 0"),
          Map.entry("xidmprecord", "XIDMPRECORD s p i 5-1"),
          Map.entry("xinfo|consumers", "XINFO CONSUMERS s g"),
          Map.entry("xnack", "XREADGROUP GROUP g c STREAMS s > ; XNACK s g SILENT IDS 1 5-1"),
          Map.entry("xread", "XREAD STREAMS s 0"),
          Map.entry("zrange", "ZRANGE n 0 -1"),
          Map.entry("zrangebylex", "ZRANGEBYLEX n - +"),
          Map.entry("zrangestore", "ZRANGESTORE d n 0 -1"),
          Map.entry("zrevrangebylex", "ZREVRANGEBYLEX n + -"));

  /**
   * Commands that never succeed here. Some need a payload, a folder, or a running script, and are
   * tested elsewhere. Others are always refused, as there are no modules. Cluster commands are left
   * out.
   */
  private static final List<String> UNCALLED =
      List.of(
          "bgrewriteaof",
          "bgsave",
          "function|kill",
          "function|restore",
          "module|load",
          "module|loadex",
          "module|unload",
          "restore",
          "restore-asking",
          "save",
          "script|kill");

  private static final Pattern OF_CLUSTERS = Pattern.compile("ASKING|CLUSTER .*|READ(ONLY|WRITE)");

  private final RedisServer server = TestServers.with().start();
  private RespSocket control;

  @Test
  void everyCommand_doesSomething() throws IOException {
    TableCommands commands = new TableCommands(new Random(1));
    TreeSet<String> idle = new TreeSet<>();
    for (CommandSpec spec : commands.specs()) {
      boolean isOfClusters = OF_CLUSTERS.matcher(spec.name()).matches();
      if (!isOfClusters && !succeeds(spec, commands)) idle.add(spec.fullName());
    }
    assertThat(idle).containsExactlyElementsOf(UNCALLED);
  }

  @BeforeEach
  void connect() throws IOException {
    control = new RespSocket(server.port());
  }

  @AfterEach
  void close() throws IOException {
    control.close();
    server.close();
  }

  private boolean succeeds(CommandSpec spec, TableCommands commands) throws IOException {
    String known = CALLS.get(spec.fullName());
    for (int i = 0; i < TRIES; i++) {
      if (i % 20 == 0) for (List<String> command : DATA) control.call(command);
      List<List<String>> calls = known == null ? List.of(commands.next(spec)) : calls(spec, known);
      RespReply reply = last(spec, calls);
      if (reply.type() != '-') return true;
      assertThat(reply.text()).as("%s", calls).doesNotMatch(STUB);
      if (known != null) return false;
    }
    return false;
  }

  private static List<List<String>> calls(CommandSpec spec, String text) {
    List<List<String>> calls = new ArrayList<>();
    for (String call : text.split(" ; ")) {
      calls.add(Stream.of(call.split(" ")).map(word -> word.replace('~', ' ')).toList());
    }
    String name = String.join("|", calls.getLast()).toLowerCase(Locale.ROOT);
    assertThat(name).startsWith(spec.fullName());
    return calls;
  }

  /**
   * Returns the reply to the last of some calls, which are made on a new connection. A blocking
   * command is called in a transaction, where it does not wait.
   */
  private RespReply last(CommandSpec spec, List<List<String>> calls) throws IOException {
    boolean isBlocking = spec.flags().contains(CommandFlag.BLOCKING);
    try (RespSocket client = new RespSocket(server.port())) {
      for (List<String> before : calls.subList(0, calls.size() - 1)) client.call(before);
      if (!isBlocking) return client.call(calls.getLast());
      client.call("MULTI");
      client.call(calls.getLast());
      RespReply replies = client.call("EXEC");
      return replies.type() == '-' ? replies : replies.elements().getFirst();
    }
  }

  @Test
  void commandCount_isThatOfWhatCanBeCalled() throws IOException {
    List<RespReply> all = control.call("COMMAND").elements();
    assertThat(control.call("COMMAND", "COUNT")).hasToString(":" + all.size());
    assertThat(control.call("COMMAND", "DOCS").elements()).hasSize(2 * all.size());
    List<String> names = new ArrayList<>();
    for (RespReply name : control.call("COMMAND", "LIST").elements()) {
      names.add(name.text().substring(name.text().indexOf(':') + 1));
    }
    assertThat(names.stream().filter(name -> !name.contains("|"))).hasSize(all.size());
    for (String name : names) {
      List<String> words = List.of(name.toUpperCase(Locale.ROOT).split("\\|"));
      if (words.contains("SHUTDOWN")) continue;
      try (RespSocket client = new RespSocket(server.port())) {
        String reply = client.call(words).toString();
        assertThat(reply).as(name).doesNotMatch("(?s)-.*unknown (sub)?command.*");
      }
    }
  }
}
