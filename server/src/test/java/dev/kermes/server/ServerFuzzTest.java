package dev.kermes.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.TestServers;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.server.testing.random.TableCommands;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Streams of bytes against a live server: valid commands, mutated ones, and hostile fragments. No
 * exception escapes, no connection hangs or is left behind, and other clients are served.
 *
 * <p>Number of streams: {@code -Dkermes.fuzz.streams=1000000}; seed: {@code -Dkermes.seed=7}.
 */
final class ServerFuzzTest {

  private static final int STREAMS = Integer.getInteger("kermes.fuzz.streams", 20_000);
  private static final long SEED = Long.getLong("kermes.seed", 1);
  private static final int BATCH = 32;

  /**
   * 64 MiB: memory that an empty server keeps for later, such as compiled code's data and buffers.
   */
  private static final long HEAP_GROWTH_MAX = 64 << 20;

  /** Blocking commands, and commands that stop or slow down the server by design. */
  private static final String FORBIDDEN = "SHUTDOWN|DEBUG|CLIENT|CONFIG|QUIT|BLPOP|BRPOP|BL.*|BZ.*";

  private static final String[] HOSTILE = {
    "*",
    "$",
    "\r\n",
    "\n",
    "\r",
    "*-1\r\n",
    "*0\r\n",
    "*1\r\n",
    "$-1\r\n",
    "$0\r\n\r\n",
    "*2147483647\r\n",
    "*2147483648\r\n",
    "*1048576\r\n",
    "$536870912\r\n",
    "$536870913\r\n",
    "*99999999999999999999\r\n",
    "$9223372036854775807\r\n",
    "*1\r\n$4\r\nPING\r\n",
    "PING\r\n",
    "\"",
    "'",
    "\\x",
    "get \"\r\n",
    "get 'a\r\n",
    "\u0000",
    "\u00ff",
    "+OK\r\n",
    ">1\r\n",
    "_\r\n",
    "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000\r\n",
    "MULTI\r\n",
    "EXEC\r\n",
    "DISCARD\r\n",
    "HELLO 3\r\n",
    "RESET\r\n",
    "WATCH k\r\n",
    "SUBSCRIBE a\r\n",
    "CLIENT REPLY OFF\r\n",
    "CLIENT REPLY SKIP\r\n",
    "SETRANGE k 536870911 x\r\n",
    "SETBIT k 4294967295 1\r\n",
    "SELECT 15\r\n",
    "AUTH x\r\n",
    "CLIENT REPLY ON\r\n",
    "DEBUG PROTOCOL map\r\n",
    "OBJECT HELP\r\n",
    "COMMAND DOCS\r\n",
    "LOLWUT\r\n",
    "INFO everything\r\n",
    "BLPOP k 0.001\r\n",
    "BZPOPMIN k 0\r\n",
    "CLIENT LIST\r\n",
    "SORT k BY * GET * GET # ALPHA\r\n",
    "EVAL x 0\r\n",
    "ZADD k nan a\r\n",
    "XADD k * a b\r\n",
  };

  private static final String[] SCRIPTS = {
    "return redis.call(unpack(ARGV))",
    "return {redis.pcall(unpack(ARGV)), redis.pcall(unpack(ARGV))}",
    "redis.setresp(3) return redis.call(unpack(ARGV))",
    "redis.setresp(3) return cjson.encode({redis.pcall(unpack(ARGV))})",
    "return cmsgpack.pack(redis.call(unpack(ARGV)))",
    "local t = {} for i, v in ipairs(ARGV) do t[v] = redis.pcall(v, i) end return {map=t}",
  };

  /** Libraries of functions, valid and invalid, and names of functions that may exist. */
  private static final String[] LIBRARIES = {
    """
    #!lua name=one
    redis.register_function('call', function(keys, args) return redis.call(unpack(args)) end)
    redis.register_function{
      function_name = 'read', flags = {'no-writes', 'allow-stale'},
      callback = function(keys, args) return redis.pcall(unpack(args)) end}
    """,
    """
    #!lua name=two
    local seen = {}
    redis.register_function('keep', function(keys, args)
      seen[#seen + 1] = args
      if #seen > 100 then seen = {} end
      redis.setresp(3)
      return {redis.pcall(unpack(args)), #seen, cjson.encode(keys)}
    end)
    redis.register_function{
      function_name = 'room', flags = {'allow-oom', 'no-cluster'},
      callback = function(keys, args) return cmsgpack.pack(redis.call(unpack(args))) end}
    """,
    """
    #!lua name=one
    redis.register_function('call', function(keys, args) return keys end)
    redis.register_function('keep', function(keys, args) error({err = args[1]}) end)
    """,
    "#!lua name=three\nredis.call('PING')",
    "#!lua name=four\nredis.register_function('call', 1)",
    "#!lua name=five\nlocal x = ",
    "#!lua name=six",
    "#!js name=seven\nredis.register_function('x', function() end)",
  };

  private static final String[] FUNCTIONS = {"call", "read", "keep", "room", "none"};

  private static final List<List<String>> FAMILIES =
      List.of(
          FamilyTemplates.of("string"),
          FamilyTemplates.of("bitmap"),
          FamilyTemplates.of("key"),
          FamilyTemplates.of("list"),
          FamilyTemplates.of("hash"),
          FamilyTemplates.of("set"),
          FamilyTemplates.of("zset"),
          FamilyTemplates.of("stream"),
          FamilyTemplates.of("streamgroup"),
          FamilyTemplates.of("hyperloglog"),
          FamilyTemplates.of("geo"),
          FamilyTemplates.of("transaction"),
          FamilyTemplates.of("connection"));

  @Test
  void randomStreams_leaveTheServerWell() throws IOException {
    Random random = new Random(SEED);
    check(random, STREAMS, () -> stream(random));
  }

  @Test
  void commandsOfTheTable_leaveTheServerWell() throws IOException {
    Random random = new Random(SEED);
    TableCommands commands = new TableCommands(random);
    check(random, STREAMS / 4, () -> tableStream(random, commands));
  }

  private static void check(Random random, int streams, Supplier<byte[]> next) throws IOException {
    try (RedisServer server =
            TestServers.with().loops(2).option("proto-max-bulk-len", "1mb").start();
        RespSocket control = new RespSocket(server.port())) {
      String empty = Fact.of(control, "used_memory_dataset");
      long heapBefore = heapBytes();
      for (int done = 0; done < streams; done += BATCH) {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) sockets.add(sending(server.port(), next.get()));
        assertThat(control.call("ECHO", "alive"))
            .as("seed=%d, done=%d", SEED, done)
            .hasToString("$5:alive");
        for (Socket socket : sockets) readToEnd(socket);
        if (random.nextInt(50) == 0) control.call("FLUSHALL");
      }
      control.awaitInfo("connected_clients:1\r\n");
      control.awaitInfo("blocked_clients:0\r\n");
      assertThat(control.call("INFO", "stats").text()).contains("unexpected_error_replies:0\r\n");
      control.call("FLUSHALL");
      control.call("SCRIPT", "FLUSH");
      control.call("FUNCTION", "FLUSH");
      control.awaitInfo(empty);
      control.awaitInfo("used_memory_scripts:0\r\n");
      assertThat(control.call("PUBSUB", "CHANNELS")).hasToString("*0");
      assertThat(control.call("PUBSUB", "NUMPAT")).hasToString(":0");
      assertThat(heapBytes()).isLessThan(heapBefore + HEAP_GROWTH_MAX);
    }
  }

  /** Bytes of the heap that are in use after a collection. */
  private static long heapBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static Socket sending(int port, byte[] stream) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    try {
      socket.getOutputStream().write(stream);
      socket.shutdownOutput();
    } catch (SocketException e) {
      // The server may have closed already.
    }
    return socket;
  }

  /** The server closes what its peer has closed; a time-out fails the test. */
  private static void readToEnd(Socket socket) throws IOException {
    try (socket) {
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[64 * 1024];
      while (in.read(buffer) >= 0) {}
    } catch (SocketException e) {
      // A reset is an end as well.
    }
  }

  private static byte[] stream(Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int pieces = random.nextInt(1, 12); pieces > 0; pieces--) {
      switch (random.nextInt(6)) {
        case 0 -> out.writeBytes(pick(random, HOSTILE).getBytes(ISO_8859_1));
        case 1 -> {
          byte[] noise = new byte[random.nextInt(40)];
          random.nextBytes(noise);
          out.writeBytes(noise);
        }
        case 2 -> out.writeBytes(mutated(random, command(random)));
        default -> out.writeBytes(command(random));
      }
    }
    return out.toByteArray();
  }

  private static byte[] tableStream(Random random, TableCommands commands) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = random.nextInt(1, 40); i > 0; i--) {
      List<String> words = commands.next();
      if (random.nextInt(5) == 0) words = scripted(random, words);
      byte[] command = RespSocket.encode(words);
      out.writeBytes(random.nextInt(50) == 0 ? mutated(random, command) : command);
    }
    return out.toByteArray();
  }

  /** A command that a script or a function calls, or a command that loads functions. */
  private static List<String> scripted(Random random, List<String> words) {
    List<String> caller =
        switch (random.nextInt(8)) {
          case 0 -> List.of("FUNCTION", "LOAD", "REPLACE", pick(random, LIBRARIES));
          case 1 -> List.of("EVAL_RO", pick(random, SCRIPTS), "0");
          case 2 -> List.of("FCALL_RO", pick(random, FUNCTIONS), "0");
          case 3, 4 -> List.of("FCALL", pick(random, FUNCTIONS), "0");
          default -> List.of("EVAL", pick(random, SCRIPTS), "0");
        };
    if (caller.get(0).equals("FUNCTION")) return caller;
    List<String> scripted = new ArrayList<>(caller);
    scripted.addAll(words);
    return scripted;
  }

  private static byte[] command(Random random) {
    List<String> templates = FAMILIES.get(random.nextInt(FAMILIES.size()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (List<String> words : new CommandTemplates(random, "k", templates).next()) {
      if (words.get(0).matches(FORBIDDEN)) continue;
      boolean isInline = random.nextInt(8) == 0;
      out.writeBytes(
          isInline
              ? (String.join(" ", words) + "\r\n").getBytes(ISO_8859_1)
              : RespSocket.encode(words));
    }
    return out.toByteArray();
  }

  private static byte[] mutated(Random random, byte[] command) {
    byte[] bytes = command.clone();
    for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> bytes = Arrays.copyOf(bytes, at);
      }
    }
    return bytes;
  }

  private static String pick(Random random, String[] words) {
    return words[random.nextInt(words.length)];
  }
}
