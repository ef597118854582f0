package dev.kermes.lua;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.kermes.testing.Executables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The {@code lua5.1} of the machine, with which ours is compared. Fails with the package to install
 * if there is none.
 */
final class RealLua {

  private static final long SECONDS_MAX = 60;

  /** Ends a chunk that takes too long, and prints that for the comparison. */
  private static final String DRIVER =
      """
      local function run(n, source)
        print('\\1' .. n)
        local f, e = loadstring(source, '=s')
        if not f then print(e) return end
        setfenv(f, setmetatable({}, {__index = _G}))
        debug.sethook(function() print('\\2') error('\\2') end, '', 3000000)
        local ok, e = pcall(f)
        debug.sethook()
        if not ok then print(e) end
      end
      """;

  static final String TOO_LONG = "\2";

  private RealLua() {}

  /** Returns the output of each chunk. */
  static List<String> outputsOf(List<String> chunks) throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder(DRIVER);
    for (int i = 0; i < chunks.size(); i++) {
      script.append("run(" + i + ", [=======[\n").append(chunks.get(i)).append("]=======])\n");
    }
    Path file = Files.createTempFile("kermes", ".lua");
    Path output = Files.createTempFile("kermes", ".out");
    try {
      Files.write(file, script.toString().getBytes(ISO_8859_1));
      run(file, output);
      return split(new String(Files.readAllBytes(output), ISO_8859_1));
    } finally {
      Files.delete(file);
      Files.delete(output);
    }
  }

  private static void run(Path script, Path output) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(executable(), script.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("lua5.1 takes too long: seconds=" + SECONDS_MAX);
    }
  }

  private static List<String> split(String all) {
    List<String> outputs = new ArrayList<>();
    for (String part : all.substring(1).split("\1", -1)) {
      outputs.add(part.substring(part.indexOf('\n') + 1));
    }
    return outputs;
  }

  private static String executable() {
    return Executables.find("lua5.1")
        .orElseThrow(() ->
            new IllegalStateException(
                "lua5.1 is not on the PATH; the comparison with it needs one (Debian: lua5.1)"));
  }
}
