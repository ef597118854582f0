package dev.kermes.server.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is filled with another one's data: import-mode, CLIENT IMPORT-SOURCE. */
final class ImportModeTest extends CommandTest {

  private RespSocket source;

  @BeforeEach
  void connectSource() throws IOException {
    source = new RespSocket(server.port());
    call("CONFIG SET import-mode yes");
    source.call("CLIENT", "IMPORT-SOURCE", "ON");
  }

  @AfterEach
  void closeSource() throws IOException {
    source.close();
  }

  private String asSource(String command) throws IOException {
    return source.call(command.split(" ")).toString();
  }

  @Test
  void key_pastItsTime_isThereForTheSourceAlone() throws IOException {
    call("SET n 1 PX 1");
    advance(10);
    assertThat(call("GET n")).isEqualTo("$-1");
    assertThat(call("TTL n")).isEqualTo(":-2");
    assertThat(call("KEYS *")).isEqualTo("*0");
    assertThat(call("SCAN 0")).isEqualTo("*2[$1:0, *0]");
    assertThat(call("DBSIZE")).isEqualTo(":1");
    assertThat(asSource("TTL n")).isEqualTo(":0");
    assertThat(asSource("INCR n")).isEqualTo(":2");
    assertThat(asSource("KEYS *")).isEqualTo("*1[$1:n]");
    assertThat(asSource("SCAN 0")).isEqualTo("*2[$1:0, *1[$1:n]]");
    assertThat(asSource("RANDOMKEY")).isEqualTo("$1:n");
    assertThat(asSource("PERSIST n")).isEqualTo(":1");
    assertThat(call("GET n")).isEqualTo("$1:2");
  }

  @Test
  void key_givenATimeInThePast_staysUntilTheImportEnds() throws IOException {
    call("SET a v PXAT 1");
    call("SET b v");
    assertThat(call("EXPIREAT b -100")).isEqualTo(":1");
    assertThat(asSource("PEXPIRETIME b")).isEqualTo(":0");
    assertThat(asSource("MGET a b")).isEqualTo("*2[$1:v, $1:v]");
    assertThat(call("MGET a b")).isEqualTo("*2[$-1, $-1]");
    assertThat(asSource("RENAME b c")).isEqualTo("+OK");
    call("CONFIG SET import-mode no");
    assertThat(asSource("MGET a c")).isEqualTo("*2[$-1, $-1]");
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void field_pastItsTime_isThereForTheSourceAlone() throws IOException {
    call("HSET h a 1 b 2 c 3");
    call("HPEXPIRE h 1 FIELDS 2 a b");
    call("HEXPIREAT h 1 FIELDS 1 c");
    advance(10);
    assertThat(call("HGETALL h")).isEqualTo("*0");
    assertThat(call("HLEN h")).isEqualTo(":3");
    assertThat(call("HSETEX h FXX FIELDS 1 a x")).isEqualTo(":0");
    assertThat(asSource("HMGET h a b c")).isEqualTo("*3[$1:1, $1:2, $1:3]");
    assertThat(asSource("HEXPIRETIME h FIELDS 1 c")).isEqualTo("*1[:1]");
    assertThat(asSource("HPERSIST h FIELDS 1 c")).isEqualTo("*1[:1]");
    assertThat(call("HGETALL h")).isEqualTo("*2[$1:c, $1:3]");
    call("CONFIG SET import-mode no");
    assertThat(asSource("HGET h a")).isEqualTo("$-1");
  }

  @Test
  void script_ofTheSource_seesWhatItSees() throws IOException {
    source.call("SET", "k", "v", "PXAT", "1");
    assertThat(source.call("EVAL", "return redis.call('GET', 'k')", "0")).hasToString("$1:v");
    assertThat(socket.call("EVAL", "return redis.call('GET', 'k')", "0")).hasToString("$-1");
  }

  @Test
  void blockedClient_isServedWhatItSees() throws IOException {
    call("CLIENT IMPORT-SOURCE ON");
    source.send("BLPOP", "l", "0");
    socket.awaitInfo("blocked_clients:1\r\n");
    call("MULTI");
    call("RPUSH l a b");
    call("PEXPIREAT l 1");
    call("EXEC");
    assertThat(source.read()).hasToString("*2[$1:l, $1:a]");
  }

  @Test
  void nothingIsEvicted() throws IOException {
    call("SET k v");
    call("CONFIG SET maxmemory-policy allkeys-lru maxmemory 1");
    String refused = "-OOM command not allowed when used memory > 'maxmemory'.";
    assertThat(asSource("SET l v")).isEqualTo(refused);
    assertThat(call("DBSIZE")).isEqualTo(":1");
    call("CONFIG SET import-mode no");
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void importSource_outsideOfImportMode_canOnlyBeEnded() throws IOException {
    assertThat(asSource("CLIENT INFO")).contains(" flags=I ");
    call("CONFIG SET import-mode no");
    assertThat(call("CLIENT IMPORT-SOURCE ON")).isEqualTo("-ERR Server is not in import mode");
    assertThat(call("CLIENT IMPORT-SOURCE x")).isEqualTo("-ERR Server is not in import mode");
    assertThat(asSource("CLIENT IMPORT-SOURCE OFF")).isEqualTo("+OK");
    assertThat(asSource("CLIENT INFO")).contains(" flags=N ");
    call("CONFIG SET import-mode yes");
    assertThat(call("CLIENT IMPORT-SOURCE x")).isEqualTo("-ERR syntax error");
  }

  @Test
  void reset_endsIt() throws IOException {
    call("SET k v PXAT 1");
    assertThat(asSource("GET k")).isEqualTo("$1:v");
    source.call("RESET");
    assertThat(asSource("CLIENT INFO")).contains(" flags=N ");
    assertThat(asSource("GET k")).isEqualTo("$-1");
  }
}
