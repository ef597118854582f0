package dev.kermes.server.command.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** HIMPORT: many hashes with the same fields. */
final class HashImportTest extends CommandTest {

  private void check(String command, String reply) throws IOException {
    assertThat(call(command)).as(command).isEqualTo(reply);
  }

  @Test
  void himportSet_pairsValuesWithFields() throws IOException {
    check("HIMPORT PREPARE user name email", "+OK");
    check("HIMPORT SET h user alice a@b", "+OK");
    check("HGETALL h", "*4[$4:name, $5:alice, $5:email, $3:a@b]");
    check("HIMPORT PREPARE user x", "+OK");
    check("HIMPORT SET h user 1", "+OK");
    check("HGETALL h", "*2[$1:x, $1:1]");
    assertThat(socket.call("HIMPORT", "PREPARE", "", "")).hasToString("+OK");
    assertThat(socket.call("HIMPORT", "SET", "h", "", "v")).hasToString("+OK");
    check("HGETALL h", "*2[$0:, $1:v]");
  }

  @Test
  void himportSet_replacesAHashWithItsExpiry() throws IOException {
    call("HSET h a 1");
    call("EXPIRE h 100");
    call("HIMPORT PREPARE f b");
    check("HIMPORT SET h f 2", "+OK");
    check("TTL h", ":-1");
    check("HGETALL h", "*2[$1:b, $1:2]");
  }

  @Test
  void himport_badInput_isAnErrorWithoutEffect() throws IOException {
    check("HIMPORT PREPARE f a b a", "-ERR duplicate field name in fieldset");
    check("HIMPORT SET h f 1 2 3", "-ERR no such fieldset");
    check("HIMPORT PREPARE f a b", "+OK");
    check("HIMPORT SET h f 1", "-ERR value count does not match fieldset field count");
    check("HIMPORT SET h f 1 2 3", "-ERR value count does not match fieldset field count");
    check("EXISTS h", ":0");
    call("SET s v");
    assertThat(call("HIMPORT SET s none 1")).startsWith("-WRONGTYPE");
    check("GET s", "$1:v");
    check("HIMPORT PREPARE f", "-ERR wrong number of arguments for 'himport|prepare' command");
    assertThat(call("HIMPORT NOSUCH")).startsWith("-ERR unknown subcommand 'NOSUCH'");
  }

  @Test
  void himportDiscard_forgetsFieldsetsAndLeavesHashes() throws IOException {
    call("HIMPORT PREPARE f a");
    call("HIMPORT PREPARE g a");
    call("HIMPORT PREPARE h a");
    call("HIMPORT SET k f 1");
    check("HIMPORT DISCARD f", ":1");
    check("HIMPORT DISCARD f", ":0");
    check("HIMPORT SET l f 1", "-ERR no such fieldset");
    check("HIMPORT DISCARDALL", ":2");
    check("HIMPORT DISCARDALL", ":0");
    check("HGET k a", "$1:1");
  }

  @Test
  void fieldsets_belongToTheConnection() throws IOException {
    call("HIMPORT PREPARE f a");
    try (RespSocket other = new RespSocket(server.port())) {
      assertThat(other.call("HIMPORT", "SET", "k", "f", "1")).hasToString("-ERR no such fieldset");
    }
    long before = totalMemory();
    call("HIMPORT PREPARE g " + "x".repeat(5000));
    assertThat(totalMemory()).isGreaterThan(before + 4000);
    call("RESET");
    check("HIMPORT SET k f 1", "-ERR no such fieldset");
    assertThat(totalMemory()).isLessThan(before + 4000);
  }

  private long totalMemory() throws IOException {
    return Long.parseLong(call("CLIENT INFO").replaceAll("(?s).* tot-mem=(\\d+).*", "$1"));
  }

  @Test
  void fieldsets_ofAScript_endWithIt() throws IOException {
    String prepare = "redis.call('HIMPORT','PREPARE','f','a')";
    String set = " return redis.call('HIMPORT','SET','k','f','1')";
    assertThat(socket.call("EVAL", prepare + set, "0")).hasToString("+OK");
    assertThat(socket.call("EVAL", set, "0").toString()).startsWith("-ERR no such fieldset");
    check("HIMPORT SET k f 1", "-ERR no such fieldset");
    call("MULTI");
    call("HIMPORT PREPARE f a");
    call("HIMPORT SET k f 2");
    check("EXEC", "*2[+OK, +OK]");
  }
}
