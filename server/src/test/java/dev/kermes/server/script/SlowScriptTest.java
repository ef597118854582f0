package dev.kermes.server.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that take longer than busy-reply-threshold, with one event loop and with several. */
final class SlowScriptTest {

  private static final String FOREVER = "while true do end";

  /** Runs far longer than the limit of 10 ms, however fast loops are. */
  private static final String LONG =
      "local start = os.clock() repeat until os.clock() - start > 0.5 return 7";

  private static final String BUSY =
      "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

  private static RedisServer start(int loops) {
    return TestServers.with().loops(loops).option("lua-time-limit", "10").start();
  }

  private static void awaitBusy(RespSocket other) throws IOException {
    while (!other.call("PING").toString().startsWith("-BUSY")) Thread.onSpinWait();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowScript_othersAreToldAndMayKillIt(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      assertThat(other.call("SCRIPT", "KILL"))
          .hasToString("-NOTBUSY No scripts in execution right now.");
      caller.send("EVAL", FOREVER, "0");
      caller.send("ECHO", "next");
      awaitBusy(other);
      assertThat(other.call("GET", "k")).hasToString(BUSY);
      assertThat(other.call("SHUTDOWN")).hasToString(BUSY);
      assertThat(other.call("MULTI")).hasToString("+OK");
      assertThat(other.call("INCR", "k")).hasToString(BUSY);
      assertThat(other.call("EXEC").text()).startsWith("EXECABORT");
      assertThat(other.call("FUNCTION", "KILL")).hasToString(BUSY);
      assertThat(other.call("FUNCTION", "STATS").toString())
          .contains("$4:name, $40:", "*3[$4:EVAL, $17:while true do end, $1:0], $11:duration_ms");
      assertThat(other.call("SCRIPT", "KILL")).hasToString("+OK");
      assertThat(caller.read().text()).startsWith("ERR Script killed by user with SCRIPT KILL.");
      assertThat(caller.read()).hasToString("$4:next");
      assertThat(other.call("PING")).hasToString("+PONG");
      assertThat(other.call("INFO", "commandstats").text()).contains("cmdstat_eval:calls=1,");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Timeout(60)
  void timeInAScript_standsStillUntilOthersAreTold(int loops) throws IOException {
    String untilItMoves =
        "local function now() local t = redis.call('TIME') return t[1] * 1e6 + t[2] end "
            + "local start = now() while now() == start do end return 'moved'";
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port())) {
      assertThat(caller.call("EVAL", untilItMoves, "0")).hasToString("$5:moved");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowFunction_isKilledByItsOwnCommand(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      String library = "#!lua name=l\nredis.register_function('f', function() " + FOREVER + " end)";
      caller.call("FUNCTION", "LOAD", library);
      caller.send("FCALL", "f", "0");
      awaitBusy(other);
      assertThat(other.call("SCRIPT", "KILL"))
          .hasToString(BUSY.replace("SCRIPT KILL", "FUNCTION KILL"));
      assertThat(other.call("FUNCTION", "KILL")).hasToString("+OK");
      assertThat(caller.read().text()).startsWith("ERR Script killed by user with FUNCTION KILL.");
      assertThat(caller.call("FCALL", "g", "0")).hasToString("-ERR Function not found");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowScriptOfReplica_isNotHeldUpByItsMaster(int loops) throws IOException {
    try (RedisServer first = TestServers.replicating();
        RedisServer second = start(loops);
        RespSocket master = new RespSocket(first.port());
        RespSocket caller = new RespSocket(second.port());
        RespSocket other = new RespSocket(second.port())) {
      other.call("REPLICAOF", "127.0.0.1", "" + first.port());
      ReplicaLag.awaitNone(master, other);
      caller.send("EVAL", LONG, "0");
      awaitBusy(other);
      master.call("SET", "k", "v");
      assertThat(caller.read()).hasToString(":7");
      other.await("1:v", "GET", "k");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowScript_comesToItsEnd(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      caller.send("EVAL", LONG, "0");
      awaitBusy(other);
      assertThat(caller.read()).hasToString(":7");
      assertThat(other.call("PING")).hasToString("+PONG");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowScriptThatWrote_cannotBeKilled(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      caller.send("EVAL", "redis.call('SET', 'k', 1) " + LONG, "0");
      awaitBusy(other);
      assertThat(other.call("SCRIPT", "KILL").text()).startsWith("UNKILLABLE Sorry the script");
      assertThat(caller.read()).hasToString(":7");
      assertThat(other.call("GET", "k")).hasToString("$1:1");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowScriptsInsideTransaction_repliesInOrder(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      other.send("BLPOP", "queue", "0");
      caller.awaitInfo("blocked_clients:1\r\n");
      caller.call("MULTI");
      for (String[] command :
          new String[][] {
            {"SET", "k", "1"},
            {"EVAL", LONG, "0"},
            {"RPUSH", "queue", "a"},
            {"EVAL", LONG, "0"},
            {"INCR", "k"}
          }) {
        assertThat(caller.call(command)).hasToString("+QUEUED");
      }
      assertThat(caller.call("EXEC")).hasToString("*5[+OK, :7, :1, :7, :2]");
      assertThat(other.read()).hasToString("*2[$5:queue, $1:a]");
      assertThat(caller.call("ECHO", "next")).hasToString("$4:next");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void slowScript_whoseClientLeaves_goesOn(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket other = new RespSocket(server.port())) {
      try (RespSocket caller = new RespSocket(server.port())) {
        caller.send("EVAL", LONG + ", redis.call('SET', 'k', 1)", "0");
        awaitBusy(other);
      }
      while (!other.call("GET", "k").toString().equals("$1:1")) Thread.onSpinWait();
      other.awaitInfo("connected_clients:1\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void close_endsScripts(int loops) throws IOException {
    try (RedisServer server = start(loops);
        RespSocket caller = new RespSocket(server.port());
        RespSocket other = new RespSocket(server.port())) {
      caller.send("EVAL", FOREVER, "0");
      awaitBusy(other);
      other.send("SHUTDOWN", "NOSAVE");
      org.assertj.core.api.Assertions.assertThatThrownBy(other::read)
          .isInstanceOf(IOException.class);
    }
  }

  /** As if the server had died before the script, or before its whole transaction. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Timeout(60)
  void close_inAScriptThatWrote_leavesNothingOfItInTheFile(int loops, @TempDir Path folder)
      throws Exception {
    try (RedisServer server = startWithFile(folder, loops);
        RespSocket caller = new RespSocket(server.port());
        Socket other = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      caller.call("SET", "before", "1");
      caller.call("MULTI");
      caller.call("SET", "inside", "1");
      caller.call("EVAL", "redis.call('SET', 'half', 1) " + FOREVER, "0");
      caller.send("EXEC");
      awaitSilence(other);
      server.closeWithoutSaving();
    }
    try (RedisServer server = startWithFile(folder, loops);
        RespSocket caller = new RespSocket(server.port())) {
      assertThat(caller.call("KEYS", "*")).hasToString("*1[$6:before]");
    }
  }

  private static RedisServer startWithFile(Path folder, int loops) {
    return TestServers.storingIn(folder)
        .loops(loops)
        .option("lua-time-limit", "0") // the script keeps the lock
        .option("appendonly", "yes")
        .start();
  }

  /** Waits until the server does not answer within 300 ms, since a script keeps the lock. */
  private static void awaitSilence(Socket other) throws IOException {
    other.setSoTimeout(300);
    try {
      while (true) {
        other.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
        if (other.getInputStream().readNBytes(7).length < 7) throw new EOFException();
      }
    } catch (SocketTimeoutException e) {
      return;
    }
  }
}
