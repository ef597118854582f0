package dev.kermes.bench.persistence;

import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of the same keys, for servers to load.
 *
 * @param label a description
 * @param folder the folder where a server finds them
 * @param appendOnly whether the server is started with {@code appendonly yes}
 */
record SampleFiles(String label, Path folder, boolean appendOnly) {

  /** Makes a server write the files, each kind in a separate folder in {@code folder}. */
  static List<SampleFiles> write(Peer author, Path folder, int keys)
      throws IOException, InterruptedException {
    Path rdb = Files.createDirectories(folder.resolve("sample-rdb"));
    Path commands = Files.createDirectories(folder.resolve("sample-commands"));
    Path preamble = Files.createDirectories(folder.resolve("sample-preamble"));
    writeCommands(author, commands, keys);
    Files.move(commands.resolve("dump.rdb"), rdb.resolve("dump.rdb"));
    Files.copy(rdb.resolve("dump.rdb"), preamble.resolve("dump.rdb"));
    writePreamble(author, preamble, keys);
    return List.of(
        new SampleFiles("an RDB file", rdb, false),
        new SampleFiles("an append only file of commands", commands, true),
        new SampleFiles("an append only file with a preamble", preamble, true));
  }

  /** The commands that created the keys, and an RDB file of the keys. */
  private static void writeCommands(Peer author, Path folder, int keys)
      throws IOException, InterruptedException {
    Peer peer =
        author.with(
            "--save",
            "",
            "--appendonly",
            "yes",
            "--aof-use-rdb-preamble",
            "no",
            "--auto-aof-rewrite-percentage",
            "0");
    try (RunningServer server = RunningServer.start(peer, folder)) {
      SampleKeys.create(server.address(), keys);
      server.tell("SAVE");
    }
  }

  /** A base as an RDB file, and commands that change a tenth of its keys. */
  private static void writePreamble(Peer author, Path folder, int keys)
      throws IOException, InterruptedException {
    try (RunningServer server = RunningServer.start(author.with("--save", ""), folder)) {
      server.turnOnAppendOnly();
      SampleKeys.change(server.address(), keys);
    }
    Files.delete(folder.resolve("dump.rdb"));
  }

  /** Returns a server that loads the files, and may be told to load them again. */
  Peer loadedBy(Peer peer) {
    return peer.with(
        "--save", "", "--appendonly", appendOnly ? "yes" : "no", "--enable-debug-command", "yes");
  }
}
