package dev.kermes.tools.torture;

import dev.kermes.cli.server.ServerProgram;
import dev.kermes.server.RedisServer;
import dev.kermes.server.disk.ForgetfulDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that will be killed. */
interface TortureVictim {

  int port();

  /** Makes each sync take {@code millis}; no effect on a process, which uses the real disk. */
  default void syncMillis(long millis) {}

  /** Kills it without a warning; a restart then finds its files as they are. */
  void end() throws IOException, InterruptedException;

  /** A process, which ends by SIGKILL. */
  static TortureVictim process(Path folder, String policy, int loops) throws IOException {
    List<String> command =
        JavaProcess.command(
            ServerProgram.class, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");
    command.addAll(List.of("--port", "0", "--dir", folder.toString()));
    command.addAll(List.of("--loops", Integer.toString(loops)));
    command.addAll(List.of("--save", "", "--appendonly", "yes", "--appendfsync", policy));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader log =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    Pattern ready = Pattern.compile("Ready to accept connections on port (\\d+)");
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      Matcher found = ready.matcher(line);
      if (found.find()) return new Killed(process, Integer.parseInt(found.group(1)));
      said.append(line).append('\n');
    }
    throw new IOException("the server does not start: " + said);
  }

  /** A server of this JVM, whose disk loses power. */
  static TortureVictim powerless(Path folder, String policy, int loops, long seed) {
    ForgetfulDisk disk = new ForgetfulDisk(seed);
    RedisServer server =
        RedisServer.builder()
            .port(0)
            .option("dir", folder.toString())
            .option("save", "")
            .option("appendonly", "yes")
            .option("appendfsync", policy)
            .loops(loops)
            .disk(disk)
            .start();
    return new Powerless(server, disk);
  }

  /** See {@link #process}. */
  record Killed(Process process, int port) implements TortureVictim {
    @Override
    public void end() throws InterruptedException {
      process.destroyForcibly();
      int unused = process.waitFor();
    }
  }

  /** See {@link #powerless}. */
  record Powerless(RedisServer server, ForgetfulDisk disk) implements TortureVictim {
    @Override
    public int port() {
      return server.port();
    }

    @Override
    public void syncMillis(long millis) {
      disk.syncMillis(millis);
    }

    @Override
    public void end() throws IOException {
      disk.cutPower();
      server.close();
      disk.forget();
    }
  }
}
