package dev.kermes.lua;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Compares cjson, cmsgpack, struct and bit with those of a real redis-server, byte for byte. */
class RedisLibrariesTest {

  private static final long START_SECONDS_MAX = 10;

  /** Returns the results of a snippet as text, and the error if it fails. */
  private static final String DRIVER =
      """
      local function shown(v)
        if type(v) ~= 'table' then return type(v):sub(1, 1) .. ':' .. tostring(v) end
        local parts = {}
        for k, w in pairs(v) do parts[#parts + 1] = shown(k) .. '=' .. shown(w) end
        return '{' .. table.concat(parts, ' ') .. '}'
      end
      local function all(...)
        local parts = {}
        for i = 1, select('#', ...) do parts[i] = shown((select(i, ...))) end
        return table.concat(parts, ' ; ')
      end
      """;

  @Test
  void libraries_answerTheSame() throws Exception {
    List<String> snippets = snippets();
    assertThat(snippets).hasSizeGreaterThan(150);
    int port = freePort();
    Process redis = start(port);
    try (Socket socket = connect(port, redis)) {
      for (String snippet : snippets) {
        String script = script(snippet);
        assertThat(ours(script)).as(snippet).isEqualTo(evaluate(socket, script));
      }
    } finally {
      redis.destroyForcibly();
    }
  }

  private static String script(String snippet) {
    return DRIVER.replace("local function shown", "local shown shown = function")
        + "return all(pcall(function()\n"
        + snippet
        + "\nend))";
  }

  private static String ours(String script) {
    LuaState state = Chunk.state(new StringBuilder());
    LuaString name = LuaString.of("@user_script");
    state.execution().start(state.compile(script.getBytes(ISO_8859_1), name));
    assertThat(state.execution().run()).isEqualTo(Execution.Status.FINISHED);
    return Chunk.text(state.execution().result(1));
  }

  private static List<String> snippets() throws IOException {
    try (InputStream in = RedisLibrariesTest.class.getResourceAsStream("libraries.lua")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), ISO_8859_1);
      return all.lines().filter(line -> !line.isBlank()).toList();
    }
  }

  private static String evaluate(Socket socket, String script) throws IOException {
    String command =
        "*3\r\n$4\r\nEVAL\r\n$" + script.length() + "\r\n" + script + "\r\n$1\r\n0\r\n";
    socket.getOutputStream().write(command.getBytes(ISO_8859_1));
    InputStream in = socket.getInputStream();
    String header = line(in);
    if (!header.startsWith("$")) return header;
    byte[] reply = in.readNBytes(Integer.parseInt(header.substring(1)));
    in.readNBytes(2);
    return new String(reply, ISO_8859_1);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\r' && b >= 0; b = in.read()) line.append((char) b);
    assertThat(in.read()).isEqualTo('\n');
    return line.toString();
  }

  private static Process start(int port) throws IOException {
    return new ProcessBuilder(
            executable(), "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static Socket connect(int port, Process redis) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    for (; ; ) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        if (System.nanoTime() > deadline || redis.waitFor(10, TimeUnit.MILLISECONDS)) throw e;
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String executable() {
    String named = System.getenv("KERMES_REDIS_SERVER");
    if (named != null && !named.isEmpty()) return named;
    for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
      File file = new File(folder, "redis-server");
      if (file.canExecute()) return file.getPath();
    }
    throw new IllegalStateException(
        "redis-server is not on the PATH; the comparison needs one (Debian: redis-server)");
  }
}
