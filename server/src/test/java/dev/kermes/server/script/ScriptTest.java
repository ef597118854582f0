package dev.kermes.server.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Interactions of scripts with the rest of the server. */
final class ScriptTest {

  private final RedisServer server = TestServers.with().start();
  private RespSocket client;
  private RespSocket other;

  @BeforeEach
  void connect() throws IOException {
    client = new RespSocket(server.port());
    other = new RespSocket(server.port());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    other.close();
    server.close();
  }

  private RespReply eval(String script) throws IOException {
    return client.call("EVAL", script, "0");
  }

  /** Loads a script; returns its digest. */
  private String digest(String script) throws IOException {
    return client.call("SCRIPT", "LOAD", script).text().substring("40:".length());
  }

  @Test
  void eval_returnsTableInItself_asDeepAsRedis() throws IOException {
    byte[] command = RespSocket.encode(List.of("EVAL", "local a = {} a[1] = a return a", "0"));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(command);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      for (int i = 0; i < 7995; i++) assertThat(in.readLine()).isEqualTo("*1");
      assertThat(in.readLine()).isEqualTo("-ERR reached lua stack limit");
    }
  }

  @Test
  void eval_beyondTheMemoryLimit_failsAndLeavesRoomForTheNext() throws IOException {
    try (RedisServer small = TestServers.with().option("script-memory-limit", "8mb").start();
        RespSocket socket = new RespSocket(small.port())) {
      String greedy = "local t = {} for i = 1, 1e6 do t[i] = 'value ' .. i end return #t";
      for (int i = 0; i < 3; i++) {
        assertThat(socket.call("EVAL", greedy, "0").toString()).contains("not enough memory");
        assertThat(socket.call("EVAL", "return string.len(('x'):rep(1e6))", "0"))
            .hasToString(":1000000");
      }
      assertThat(socket.call("CONFIG", "GET", "script-memory-limit"))
          .hasToString("*2[$19:script-memory-limit, $7:8388608]");
    }
  }

  /** They follow each other in one array. */
  @Test
  void eval_callsWithLargeArguments_storeTheirOwnBytes() throws IOException {
    String script = "for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i]) end";
    String first = "a".repeat(1_000_000);
    String second = "b".repeat(1_000_001);
    String third = "c".repeat(100_000);
    client.call("EVAL", script, "4", "1", "2", "3", "4", first, second, third, "d");
    assertThat(client.call("GET", "1").text()).isEqualTo("1000000:" + first);
    assertThat(client.call("GET", "2").text()).isEqualTo("1000001:" + second);
    assertThat(client.call("GET", "3").text()).isEqualTo("100000:" + third);
    assertThat(client.call("GET", "4").text()).isEqualTo("1:d");
  }

  @Test
  void eval_manyScripts_forgetsThoseNotUsedForLongest() throws IOException {
    String kept = digest("return 'loaded'");
    String first = digest("return 0");
    client.call("SCRIPT", "FLUSH");
    client.call("SCRIPT", "LOAD", "return 'loaded'");
    eval("return 0");
    for (int i = 1; i < 500; i++) eval("return " + i);
    eval("return 0");
    assertThat(client.call("SCRIPT", "EXISTS", first, kept)).hasToString("*2[:1, :1]");
    for (int i = 500; i < 999; i++) eval("return " + i);
    assertThat(client.call("SCRIPT", "EXISTS", first, kept)).hasToString("*2[:1, :1]");
    eval("return 999");
    assertThat(client.call("SCRIPT", "EXISTS", first, kept)).hasToString("*2[:0, :1]");
    assertThat(client.call("INFO", "all").text())
        .contains("number_of_cached_scripts:501\r\n", "evicted_scripts:500\r\n");
  }

  @Test
  void scriptShow_repliesTheText() throws IOException {
    String digest = digest("return 1");
    assertThat(client.call("SCRIPT", "SHOW", digest)).hasToString("$8:return 1");
    assertThat(client.call("SCRIPT", "SHOW", "x"))
        .hasToString("-NOSCRIPT No matching script. Please use EVAL.");
    assertThat(client.call("SCRIPT", "DEBUG", "YES").text()).startsWith("ERR ");
    assertThat(client.call("SCRIPT", "HELP").elements()).isNotEmpty();
  }

  @Test
  void eval_numbersAsArguments_areShort() throws IOException {
    assertThat(eval("return redis.call('ECHO', 0.1)")).hasToString("$3:0.1");
    assertThat(eval("return redis.call('ECHO', 1e20)")).hasToString("$5:1e+20");
    assertThat(eval("return redis.call('ECHO', 2^53)")).hasToString("$16:9007199254740992");
    assertThat(eval("return {redis.REDIS_VERSION, redis.REDIS_VERSION_NUM}"))
        .hasToString("*2[$5:8.0.6, :524294]");
    assertThat(eval("return server.call('PING')")).hasToString("+PONG");
    assertThat(eval("return os.clock() > 0")).hasToString(":1");
  }

  @Test
  void eval_blockingCommands_doNotWait() throws IOException {
    assertThat(eval("return redis.call('BLPOP', 'l', 0)")).hasToString("$-1");
    assertThat(eval("return redis.call('XREAD', 'BLOCK', 0, 'STREAMS', 's', '$')"))
        .hasToString("$-1");
    assertThat(eval("redis.call('RPUSH', 'l', 'a') return redis.call('BLPOP', 'l', 0)"))
        .hasToString("*2[$1:l, $1:a]");
  }

  @Test
  void eval_wakesWaiters_whenItHasEnded() throws IOException {
    other.send("BLPOP", "l", "0");
    client.awaitInfo("blocked_clients:1\r\n");
    assertThat(eval("redis.call('RPUSH', 'l', 'a', 'b') return redis.call('RPOP', 'l')"))
        .hasToString("$1:b");
    assertThat(other.read()).hasToString("*2[$1:l, $1:a]");
  }

  @Test
  void eval_insideMulti_andUnderWatch() throws IOException {
    other.call("WATCH", "k");
    eval("redis.call('SET', 'k', 1)");
    other.call("MULTI");
    other.call("EVAL", "return redis.call('INCR', 'k')", "0");
    assertThat(other.call("EXEC")).hasToString("*-1");
    other.call("MULTI");
    other.call("EVAL", "return redis.call('INCR', KEYS[1])", "1", "k");
    other.call("EVAL", "return redis.call('BLPOP', 'none', 0)", "0");
    assertThat(other.call("EXEC")).hasToString("*2[:2, $-1]");
  }

  @Test
  void eval_selectsForItselfOnly() throws IOException {
    eval("redis.call('SELECT', 3) redis.call('SET', 'k', 'three')");
    assertThat(client.call("GET", "k")).hasToString("$-1");
    assertThat(eval("return redis.call('GET', 'k')")).hasToString("$-1");
    client.call("SELECT", "3");
    assertThat(eval("return redis.call('GET', 'k')")).hasToString("$5:three");
  }

  @Test
  void eval_isSeenByOthers() throws IOException {
    client.call("CONFIG", "SET", "notify-keyspace-events", "KEA");
    other.call("SUBSCRIBE", "__keyevent@0__:set");
    eval("redis.call('SET', 'k', 1)");
    assertThat(other.read().toString()).contains("$18:__keyevent@0__:set, $1:k");
    other.call("RESET");
    other.call("MONITOR");
    eval("return redis.call('GET', 'k')");
    assertThat(other.read().text()).contains("[0 127.0.0.1:").contains("\"EVAL\"");
    assertThat(other.read().text()).contains("[0 lua] \"GET\" \"k\"");
  }

  @Test
  void eval_isTrackedForItsClient() throws IOException {
    client.call("HELLO", "3");
    client.call("CLIENT", "TRACKING", "ON");
    eval("return redis.call('GET', 'k')");
    other.call("SET", "k", "1");
    assertThat(client.read().toString()).contains("invalidate").contains("$1:k");
  }

  @Test
  void eval_countsErrorsByTheFirstWord_evenBeforeALineBreak() throws IOException {
    client.call("CONFIG", "RESETSTAT");
    eval("error(redis.error_reply('-ERR\\r\\n-ERR FAKE'))");
    assertThat(client.call("INFO", "errorstats").text()).contains("errorstat_ERR:count=1");
  }

  @Test
  void eval_speaksOfTheTableThatWasCalled() throws IOException {
    assertThat(eval("return server.log()").toString())
        .startsWith("-ERR server.log() requires two arguments or more.");
    assertThat(eval("return redis.log()").toString())
        .startsWith("-ERR redis.log() requires two arguments or more.");
    assertThat(
            client.call("FUNCTION", "LOAD", "#!lua name=l\nserver.register_function()").toString())
        .contains("wrong number of arguments to server.register_function");
  }

  @Test
  void eval_tableHasNoElementAtTheLeastInteger() throws IOException {
    assertThat(eval("local t = {1, 2, 3} return tostring(t[-2147483648])")).hasToString("$3:nil");
    assertThat(eval("return select('#', unpack({1}, -2147483648, -2147483646))")).hasToString(":3");
  }

  @Test
  void eval_isInTheSlowLogAfterItsCommands_andEveryCommandCounts() throws IOException {
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
    client.call("SLOWLOG", "RESET");
    client.call("CONFIG", "RESETSTAT");
    eval("redis.call('SET', 'k', 'x') redis.pcall('INCR', 'k') return redis.call('GET', 'k')");
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "-1");
    assertThat(client.call("SLOWLOG", "GET", "-1").toString())
        .containsSubsequence("$4:EVAL", "$3:GET", "$4:INCR", "$3:SET");
    assertThat(client.call("INFO", "commandstats").text())
        .containsPattern("cmdstat_set:calls=1,.*failed_calls=0")
        .containsPattern("cmdstat_incr:calls=1,.*failed_calls=1")
        .containsPattern("cmdstat_eval:calls=1,.*failed_calls=0");
    assertThat(client.call("INFO", "errorstats").text()).contains("errorstat_ERR:count=1");
  }

  @Test
  void errorsThatScriptsMakeUp_areCountedTogetherBeyond128() throws IOException {
    client.call("CONFIG", "RESETSTAT");
    String script = "return redis.error_reply(ARGV[1] .. ' is wrong')";
    for (int i = 1; i <= 130; i++) client.call("EVAL", script, "0", "E" + i);
    client.call("EVAL", script, "0", "E1");
    client.call("SET", "k", "v", "none");
    assertThat(client.call("INFO", "errorstats").text())
        .contains("errorstat_E1:count=2\r\n", "errorstat_E128:count=1\r\n")
        .contains("errorstat_ERRORSTATS_OVERFLOW:count=2\r\n", "errorstat_ERR:count=1\r\n")
        .doesNotContain("errorstat_E129:");
  }

  @Test
  void eval_outOfMemory_isRefusedCallByCall() throws IOException {
    client.call("SET", "k", "x".repeat(5000));
    client.call("CONFIG", "SET", "maxmemory", "1000");
    assertThat(eval("return redis.call('SET', 'a', 1)").text())
        .startsWith("OOM command not allowed when used memory > 'maxmemory'. script: ");
    assertThat(eval("redis.call('DEL', 'none') return redis.call('SET', 'a', 1)"))
        .hasToString("+OK");
    assertThat(eval("#!lua\nreturn 1"))
        .hasToString(
            "-OOM allow-oom flag is not set on the script, can not run it when used memory >"
                + " 'maxmemory'");
    assertThat(eval("#!lua flags=no-writes\nreturn 1")).hasToString(":1");
    assertThat(eval("#!lua flags=allow-oom\nreturn redis.call('SET', 'b', 1)")).hasToString("+OK");
  }
}
