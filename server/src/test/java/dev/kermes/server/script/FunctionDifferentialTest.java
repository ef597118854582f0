package dev.kermes.server.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.testing.comparison.ReplyComparison;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Libraries and functions on our server and on a redis-server: the same replies. */
final class FunctionDifferentialTest {

  private static final String LIBRARY =
      """
      #!lua name=mylib
      local calls = 0
      local function count() calls = calls + 1 return calls end
      redis.register_function('taken', function(keys, args) return {keys[1], args[1], #keys, #args} end)
      redis.register_function('count', count)
      redis.register_function('writes', function() return redis.call('set', 'a', 1) end)
      redis.register_function{function_name='readonly', flags={'no-writes'},
          callback=function() return redis.call('set', 'a', 1) end}
      redis.register_function('global', function() foo = 1 end)
      redis.register_function('unknown', function() return KEYS end)
      redis.register_function('late', function() return redis.register_function('x', count) end)
      redis.register_function('fails', function() error('bad') end)
      redis.register_function('native', redis.log)
      redis.register_function('usesLibraries', function() return cjson.encode({string.len('abc')}) end)
      redis.register_function('noDebugger', function() return redis.breakpoint == nil end)
      redis.register_function('unknownField', function() return redis.foo == nil end)
      redis.register_function('setsGlobal', function() _G.x = 1 end)
      redis.register_function('setsMetatable', function() setmetatable(_G, {}) end)
      redis.register_function('unknownCommand', function() return {redis.pcall('nosuch')} end)
      redis.register_function('raises', function() return redis.call('incr') end)
      redis.register_function('changesKeys', function(keys) keys[1] = 5 return keys end)
      redis.register_function('resp3', function() redis.setresp(3) return redis.call('hgetall', 'h') end)
      """;

  private static final List<String> FUNCTIONS =
      List.of(
          "taken",
          "TAKEN",
          "count",
          "count",
          "writes",
          "readonly",
          "global",
          "unknown",
          "late",
          "fails",
          "native",
          "usesLibraries",
          "noDebugger",
          "unknownField",
          "setsGlobal",
          "setsMetatable",
          "unknownCommand",
          "raises",
          "changesKeys",
          "resp3",
          "nosuch",
          "single",
          "other");

  private static RedisServer ours;
  private static RealRedis theirs;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    ours = TestServers.with().start();
    theirs = RealRedis.start();
  }

  @AfterAll
  static void stop() {
    ours.close();
    theirs.close();
  }

  private static List<List<String>> commands() throws IOException {
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("FUNCTION", "FLUSH"));
    commands.add(List.of("FUNCTION", "LOAD", LIBRARY));
    try (InputStream in = FunctionDifferentialTest.class.getResourceAsStream("libraries.txt")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), ISO_8859_1);
      for (String line : all.lines().toList()) {
        commands.add(List.of("FUNCTION", "LOAD", line.replace('|', '\n')));
      }
    }
    for (String name : List.of("FCALL", "FCALL_RO")) {
      for (String function : FUNCTIONS) {
        commands.add(List.of(name, function, "1", "k", "a"));
        commands.add(List.of(name, function, "0"));
      }
    }
    for (String line : OTHERS) commands.add(List.of(line.split(" ")));
    return commands;
  }

  private static final List<String> OTHERS =
      List.of(
          "FUNCTION RESTORE x",
          "FUNCTION RESTORE x y",
          "FUNCTION RESTORE x y z",
          "FCALL taken -1 a",
          "FCALL taken 2 a",
          "FCALL taken x a",
          "FUNCTION STATS",
          "FUNCTION LIST LIBRARYNAME C",
          "FUNCTION LIST LIBRARYNAME c WITHCODE",
          "FUNCTION LIST WITHCODE LIBRARYNAME d",
          "FUNCTION LIST LIBRARYNAME none",
          "FUNCTION LIST LIBRARYNAME",
          "FUNCTION LIST LIBRARYNAME a LIBRARYNAME b",
          "FUNCTION LIST WITHCODE WITHCODE",
          "FUNCTION LIST x",
          "FUNCTION LOAD x y",
          "FUNCTION LOAD REPLACE x",
          "FUNCTION LOAD REPLACE",
          "FUNCTION LOAD REPLACE REPLACE x",
          "FUNCTION DELETE none",
          "FUNCTION DELETE c",
          "FUNCTION DELETE c",
          "FCALL single 0",
          "FUNCTION KILL",
          "FUNCTION FLUSH x",
          "FUNCTION FLUSH ASYNC",
          "FCALL taken 0",
          "FUNCTION STATS",
          "FUNCTION LIST",
          "SCRIPT KILL",
          "SCRIPT FLUSH x",
          "SCRIPT FLUSH ASYNC",
          "SCRIPT LOAD return",
          "SCRIPT LOAD return(",
          "SCRIPT EXISTS 63143B6F8007B98C53CA2149822777B3566F9241 x 63143b6f8007b98c53ca2149822777b3566f9241",
          "EVALSHA 63143b6f8007b98c53ca2149822777b3566f9241 0",
          "EVALSHA 63143B6F8007B98C53CA2149822777B3566F9241 0",
          "EVALSHA_RO 63143b6f8007b98c53ca2149822777b3566f9241 0",
          "EVALSHA x 0",
          "EVALSHA xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 0",
          "SCRIPT FLUSH",
          "EVALSHA 63143b6f8007b98c53ca2149822777b3566f9241 0",
          "EVAL return",
          "EVAL return x",
          "EVAL return -1",
          "EVAL return 5 a",
          "SCRIPT x");

  @Test
  void dumps_areUnderstoodByBoth() throws IOException {
    String library = LIBRARY + "-- " + "repeated ".repeat(3000);
    try (RespSocket our = new RespSocket(ours.port());
        RespSocket their = new RespSocket(theirs.port())) {
      for (List<RespSocket> pair : List.of(List.of(our, their), List.of(their, our))) {
        RespSocket from = pair.get(0);
        RespSocket to = pair.get(1);
        from.call("FUNCTION", "FLUSH");
        to.call("FUNCTION", "FLUSH");
        from.call("FUNCTION", "LOAD", library);
        String reply = from.call("FUNCTION", "DUMP").text();
        String dump = reply.substring(reply.indexOf(':') + 1);
        assertThat(to.call("FUNCTION", "RESTORE", dump)).hasToString("+OK");
        assertThat(to.call("FCALL", "taken", "1", "k", "a")).hasToString("*4[$1:k, $1:a, :1, :1]");
        assertThat(to.call("FUNCTION", "RESTORE", dump))
            .hasToString("-ERR Library mylib already exists");
        assertThat(to.call("FUNCTION", "RESTORE", dump, "REPLACE")).hasToString("+OK");
        assertThat(to.call("FUNCTION", "RESTORE", dump, "flush")).hasToString("+OK");
        to.call("FUNCTION", "FLUSH");
        to.call(
            "FUNCTION", "LOAD", "#!lua name=o\nredis.register_function('count', function() end)");
        assertThat(to.call("FUNCTION", "RESTORE", dump))
            .hasToString("-ERR Function count already exists");
        assertThat(to.call("FUNCTION", "LIST").elements()).hasSize(1);
        assertThat(to.call("FUNCTION", "RESTORE", dump + "x"))
            .hasToString("-ERR DUMP payload version or checksum are wrong");
      }
    }
  }

  @ParameterizedTest(name = "RESP{0}")
  @ValueSource(strings = {"2", "3"})
  void functions_replyAsInRedis(String protocol) throws IOException {
    try (ReplyComparison comparison = new ReplyComparison(ours, theirs)) {
      comparison.prepare("FLUSHALL");
      comparison.prepare("HELLO", protocol);
      comparison.prepare("HSET", "h", "f", "v");
      for (List<String> command : commands()) comparison.compare(command);
      comparison.assertSame();
    }
  }
}
