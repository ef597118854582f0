package dev.kermes.lua;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares cjson, cmsgpack, struct and bit with those of a real redis-server, byte for byte. */
class RedisLibrariesTest {

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
    try (RealRedis redis = RealRedis.start();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
      for (String snippet : snippets) {
        String script = script(snippet);
        assertThat(ours(script)).as(snippet).isEqualTo(evaluate(socket, script));
      }
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
}
