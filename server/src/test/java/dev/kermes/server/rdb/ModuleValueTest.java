package dev.kermes.server.rdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RdbFile;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.CommandTest;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of modules, which the server cannot interpret: it keeps and returns them as received. */
final class ModuleValueTest extends CommandTest {

  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final int MODULE_2 = 7;
  private static final int MODULE_AUX = 247;
  private static final int VERSION = 12;

  @TempDir Path folder;

  private static long id(String type, int version) {
    long id = 0;
    for (char each : type.toCharArray()) id = id << 6 | LETTERS.indexOf(each);
    return id << 10 | version;
  }

  /** A part of every kind: numbers, float, double, string. */
  private static void putParts(RdbOutput out) {
    out.putLength(1);
    out.putLength(-5);
    out.putLength(2);
    out.putLength(70_000);
    out.putLength(3);
    for (int i = 0; i < 4; i++) out.put(i);
    out.putLength(4);
    out.putLong(Double.doubleToRawLongBits(1.5));
    out.putLength(5);
    out.putString("{\"a\":1}".getBytes(ISO_8859_1));
    out.putLength(0);
  }

  private static String dump() {
    RdbOutput out = new RdbOutput(false);
    out.put(MODULE_2);
    out.putLength(id("ReJSON-RL", 3));
    putParts(out);
    out.put(VERSION);
    out.put(0);
    out.putLong(Crc64.of(out.bytes(), out.length()));
    return new String(out.toByteArray(), ISO_8859_1);
  }

  private static String content(String dump) {
    return dump.substring(0, dump.length() - 10); // without version and checksum
  }

  @Test
  void value_isKeptAndGivenBack() throws IOException {
    assertThat(socket.call("RESTORE", "doc", "0", dump())).hasToString("+OK");
    assertThat(call("TYPE doc")).isEqualTo("+ReJSON-RL");
    assertThat(call("OBJECT ENCODING doc")).isEqualTo("$3:raw");
    assertThat(call("GET doc")).startsWith("-WRONGTYPE ");
    assertThat(call("SCAN 0 TYPE rejson-rl")).isEqualTo("*2[$1:0, *1[$3:doc]]");
    assertThat(call("RENAME doc other")).isEqualTo("+OK");
    assertThat(call("COPY other copy")).isEqualTo(":1");
    assertThat(content(socket.call("DUMP", "copy").payload())).isEqualTo(content(dump()));
    assertThat(call("EXPIRE copy 100")).isEqualTo(":1");
    assertThat(call("MEMORY USAGE copy")).startsWith(":");
    assertThat(call("DEBUG DIGEST-VALUE copy other").split(", ")[0]).isNotEmpty();
    assertThat(call("DEL other copy")).isEqualTo(":2");
  }

  @Test
  void value_cutShort_isRefused() throws IOException {
    RdbOutput out = new RdbOutput(false);
    out.put(MODULE_2);
    out.putLength(id("ReJSON-RL", 3));
    out.putLength(9);
    out.put(VERSION);
    out.put(0);
    out.putLong(Crc64.of(out.bytes(), out.length()));
    String dump = new String(out.toByteArray(), ISO_8859_1);
    assertThat(socket.call("RESTORE", "doc", "0", dump)).hasToString("-ERR Bad data format");
  }

  @Test
  void file_withValuesAndOtherDataOfModules_isLoadedAndSavedAgain() throws IOException {
    RdbOutput out = new RdbOutput(false);
    byte[] magic = "REDIS0012".getBytes(ISO_8859_1);
    out.put(magic, 0, magic.length);
    out.put(MODULE_AUX);
    out.putLength(id("ft_index0", 27));
    out.putLength(2);
    out.putLength(2);
    putParts(out);
    out.put(MODULE_2);
    out.putString("doc".getBytes(ISO_8859_1));
    out.putLength(id("ReJSON-RL", 3));
    putParts(out);
    out.put(255);
    out.putLong(Crc64.of(out.bytes(), out.length()));
    Path file = folder.resolve("dump.rdb");
    Files.write(file, out.toByteArray());
    for (int round = 0; round < 2; round++) {
      assertThat(RdbFile.read(file).keysByType()).containsOnlyKeys("ReJSON-RL");
      try (RedisServer other = TestServers.storingIn(folder).start();
          RespSocket client = new RespSocket(other.port())) {
        assertThat(content(client.call("DUMP", "doc").payload())).isEqualTo(content(dump()));
        assertThat(client.call("SAVE")).hasToString("+OK");
      }
    }
  }

  @Test
  void replicaAndAppendOnlyFile_haveIt() throws Exception {
    String path = folder.toString();
    try (RedisServer master =
            TestServers.replicating(
                "dir", path, "appendonly", "yes", "aof-use-rdb-preamble", "no");
        RespSocket client = new RespSocket(master.port());
        RedisServer follower = TestServers.replicating("replicaof", "127.0.0.1 " + master.port());
        RespSocket replica = new RespSocket(follower.port())) {
      client.call(List.of("RESTORE", "doc", "0", dump()));
      ReplicaLag.awaitNone(client, replica);
      assertThat(client.call("WAIT", "1", "0")).hasToString(":1");
      assertThat(replica.call("TYPE", "doc")).hasToString("+ReJSON-RL");
      client.call("BGREWRITEAOF");
      client.awaitInfo("aof_rewrite_in_progress:0");
    }
    try (RedisServer again = TestServers.with("dir", path, "appendonly", "yes").start();
        RespSocket client = new RespSocket(again.port())) {
      assertThat(client.call("TYPE", "doc")).hasToString("+ReJSON-RL");
    }
  }
}
