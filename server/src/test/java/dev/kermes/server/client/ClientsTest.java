package dev.kermes.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.ServerTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections as the server sees them: listed, paused, killed, refused, authenticated, too slow.
 */
final class ClientsTest extends ServerTest {

  ClientsTest() {
    super(3);
  }

  @Test
  void clientList_tellsWhatEachDoes() throws IOException {
    RespSocket first = start();
    first.call("CLIENT", "SETNAME", "me");
    first.call("CLIENT", "SETINFO", "LIB-NAME", "lib");
    first.call("HELLO", "3");
    first.call("SELECT", "5");
    RespSocket second = open();
    second.sendRaw("MULTI\r\nPING\r\n");
    second.read();
    second.read();
    RespSocket third = open();
    third.call("SUBSCRIBE", "a");
    third.call("PSUBSCRIBE", "p");
    clock.advance(Duration.ofSeconds(7));
    String[] lines = first.call("CLIENT", "LIST").text().split("\n");
    assertThat(lines).hasSize(3);
    assertThat(lines[0])
        .matches(
            ".*id=1 addr=127\\.0\\.0\\.1:\\d+ laddr=127\\.0\\.0\\.1:\\d+ fd=\\d+ name=me age=7 idle=7"
                + " flags=N db=5 .* multi=-1 .*cmd=client\\|list user=default redir=-1 resp=3 lib-name=lib .*");
    assertThat(lines[1]).contains("flags=x", "multi=1", "resp=2");
    assertThat(lines[2]).contains("flags=P", "sub=1 psub=1 ssub=0");
    assertThat(first.call("CLIENT", "LIST", "TYPE", "pubsub").text()).contains("id=3 ");
    assertThat(first.call("CLIENT", "LIST", "ID", "2", "9").text()).contains("id=2 ");
    assertThat(first.call("CLIENT", "LIST", "ID", "2", "ID", "1").text())
        .contains("id=1 ")
        .contains("id=2 ");
    assertThat(first.call("CLIENT", "LIST", "NOT-ID", "2", "NOT-ID", "1").text())
        .contains("id=3 ")
        .doesNotContain("id=1 ", "id=2 ");
    assertThat(first.call("CLIENT", "INFO").text()).contains("id=1 ");
    assertThat(first.call("CLIENT", "ID")).hasToString(":1");
  }

  @Test
  void clientKill_closesWhatMatches() throws IOException {
    RespSocket control = start();
    RespSocket byId = open();
    RespSocket subscriber = open();
    subscriber.call("SUBSCRIBE", "a");
    RespSocket blocked = open();
    blocked.send("BLPOP", "l", "0");
    control.awaitInfo("blocked_clients:1\r\n");
    String id = byId.call("CLIENT", "ID").text();
    assertThat(control.call("CLIENT", "KILL", "ID", id)).hasToString(":1");
    assertThat(byId.readToEnd()).isEmpty();
    assertThat(control.call("CLIENT", "KILL", "TYPE", "pubsub")).hasToString(":1");
    assertThat(subscriber.readToEnd()).isEmpty();
    assertThat(control.call("CLIENT", "KILL", "TYPE", "normal")).hasToString(":1");
    assertThat(blocked.readToEnd()).isEmpty();
    control.awaitInfo("connected_clients:1\r\n");
    assertThat(control.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no")).hasToString(":1");
    assertThat(control.readToEnd()).isEmpty();
  }

  @Test
  @DisplayName("CLIENT LIST with CAPA filter")
  void clientCapa_isRemembered() throws IOException {
    RespSocket control = start();
    RespSocket other = open();
    other.call("CLIENT", "SETNAME", "other");
    assertThat(other.call("CLIENT", "CAPA", "none", "Redirect")).hasToString("+OK");
    assertThat(control.call("CLIENT", "LIST", "CAPA", "r").text())
        .contains(" name=other ", " capa=r\n")
        .doesNotContain(" name= ");
    assertThat(control.call("CLIENT", "LIST", "NOT-CAPA", "r").text())
        .doesNotContain("name=other", "capa");
    assertThat(control.call("CLIENT", "LIST", "CAPA", "x"))
        .hasToString("-ERR Unknown capa found in the provided filter: x");
    assertThat(control.call("CLIENT", "KILL", "NOT-CAPA", "r")).hasToString(":0");
    assertThat(control.call("CLIENT", "KILL", "CAPA", "r")).hasToString(":1");
    assertThat(other.readToEnd()).isEmpty();
  }

  @Test
  void pauseAndUnblock_withAnArgumentTooMany_doNothing() throws IOException {
    RespSocket control = start();
    String text = "-ERR unknown subcommand or wrong number of arguments for '%s'. Try CLIENT HELP.";
    assertThat(control.call("CLIENT", "PAUSE", "100000", "ALL", "now"))
        .hasToString(text.formatted("PAUSE"));
    assertThat(control.call("CLIENT", "UNBLOCK", "1", "ERROR", "now"))
        .hasToString(text.formatted("UNBLOCK"));
    assertThat(open().call("SET", "k", "v")).hasToString("+OK");
  }

  @Test
  void clientPause_ofWrites_holdsBackWritesOnly() throws IOException {
    RespSocket control = start();
    RespSocket writer = open();
    assertThat(control.call("CLIENT", "PAUSE", "1000", "WRITE")).hasToString("+OK");
    writer.sendRaw("GET k\r\nSET k v\r\nGET k\r\n");
    assertThat(writer.read()).hasToString("$-1");
    assertThat(control.call("GET", "k")).hasToString("$-1");
    clock.advance(Duration.ofMillis(999));
    assertThat(control.call("GET", "k")).hasToString("$-1");
    clock.advance(Duration.ofMillis(1));
    assertThat(writer.read()).hasToString("+OK");
    assertThat(writer.read()).hasToString("$1:v");
  }

  @Test
  void clientPause_ofWrites_letsScriptsThroughThatSayTheyChangeNothing() throws IOException {
    String script = "#!lua flags=no-writes\nreturn 7";
    String library =
        "#!lua name=pause\nredis.register_function{function_name='seven',"
            + " callback=function() return 7 end, flags={'no-writes'}}";
    RespSocket control = start();
    RespSocket other = open();
    control.call("FUNCTION", "LOAD", library);
    String digest = control.call("SCRIPT", "LOAD", script).toString().substring("$40:".length());
    control.call("CLIENT", "PAUSE", "100000", "WRITE");
    assertThat(other.call("EVAL", script, "0")).hasToString(":7");
    assertThat(other.call("EVALSHA", digest, "0")).hasToString(":7");
    assertThat(other.call("FCALL", "seven", "0")).hasToString(":7");
    other.call("MULTI");
    other.call("EVAL", script, "0");
    assertThat(other.call("EXEC")).hasToString("*1[:7]");
    String id = other.call("CLIENT", "ID").text();
    other.send("EVAL", "return 8", "0");
    control.await(".* flags=b .*\n", "CLIENT", "LIST", "ID", id);
    control.call("CLIENT", "UNPAUSE");
    assertThat(other.read()).hasToString(":8");
  }

  @Test
  void clientUnpause_letsThoseGoOnFirstThatWereHeldBack() throws IOException {
    RespSocket control = start();
    List<RespSocket> writers = List.of(open(), open(), open(), open(), open(), open());
    for (int round = 0; round < 20; round++) {
      control.call("CLIENT", "PAUSE", "100000", "WRITE");
      for (int i = 0; i < writers.size(); i++) {
        writers.get(i).sendRaw("APPEND k " + i + "\r\nAPPEND k " + i + "\r\n");
        control.awaitInfo("blocked_clients:" + (i + 1) + "\r\n");
      }
      control.sendRaw("CLIENT UNPAUSE\r\nGET k\r\nDEL k\r\n");
      assertThat(control.read()).hasToString("+OK");
      assertThat(control.read()).hasToString("$12:001122334455");
      assertThat(control.read()).hasToString(":1");
      for (RespSocket writer : writers) {
        writer.read();
        writer.read();
      }
    }
  }

  @Test
  void clientUnpause_waitsForNobodyWhoIsGone() throws IOException {
    RespSocket control = start();
    RespSocket first = open();
    RespSocket second = open();
    control.call("CLIENT", "PAUSE", "100000", "WRITE");
    first.send("APPEND", "k", "1");
    control.awaitInfo("blocked_clients:1\r\n");
    second.send("APPEND", "k", "2");
    control.awaitInfo("blocked_clients:2\r\n");
    first.close();
    control.awaitInfo("blocked_clients:1\r\n");
    control.sendRaw("CLIENT UNPAUSE\r\nGET k\r\n");
    assertThat(control.read()).hasToString("+OK");
    assertThat(control.read()).hasToString("$1:2");
  }

  @Test
  void clientPause_ofWrites_holdsBackExecAndPublish() throws IOException {
    RespSocket control = start();
    RespSocket writer = open();
    RespSocket publisher = open();
    RespSocket reader = open();
    control.call("CLIENT", "PAUSE", "100000", "WRITE");
    writer.sendRaw("MULTI\r\nINCR k\r\nEXEC\r\n");
    assertThat(writer.read()).hasToString("+OK");
    assertThat(writer.read()).hasToString("+QUEUED");
    reader.sendRaw("MULTI\r\nGET k\r\nEXEC\r\n");
    reader.read();
    reader.read();
    assertThat(reader.read()).hasToString("*1[$-1]");
    String id = publisher.call("CLIENT", "ID").text();
    publisher.sendRaw("PUBLISH a m\r\nPING\r\n");
    control.await(".* tot-net-in=43 tot-cmds=1\n", "CLIENT", "LIST", "ID", id);
    assertThat(control.call("GET", "k")).hasToString("$-1");
    assertThat(control.call("CLIENT", "UNPAUSE")).hasToString("+OK");
    assertThat(writer.read()).hasToString("*1[:1]");
    assertThat(publisher.read()).hasToString(":0");
  }

  @Test
  void clientList_afterATransaction_showsExec() throws IOException {
    RespSocket control = start();
    RespSocket other = open();
    other.call("MULTI");
    other.call("GET", "k");
    other.call("EXEC");
    assertThat(control.call("CLIENT", "LIST").text()).contains(" cmd=exec ");
  }

  @Test
  void clientPause_ofAll_holdsBackEverything() throws IOException {
    RespSocket control = start();
    RespSocket other = open();
    other.call("PING");
    control.call("CLIENT", "PAUSE", "5000");
    other.sendRaw("CLIENT INFO\r\nTIME\r\n");
    clock.advance(Duration.ofSeconds(5));
    assertThat(other.read().text()).contains(" age=5 ");
    assertThat(other.read().elements().get(0)).hasToString("$10:1700000005");
  }

  @Test
  void connections_beyondMaxclients_areRefused() throws IOException {
    RespSocket first = start("maxclients", "2");
    assertThat(first.call("PING")).hasToString("+PONG"); // its loop has registered it
    RespSocket second = open();
    assertThat(second.call("PING")).hasToString("+PONG");
    assertThat(open().readToEnd()).isEqualTo("-ERR max number of clients reached\r\n");
    assertThat(first.call("INFO", "stats").text()).contains("rejected_connections:1\r\n");
    second.close();
    first.awaitInfo("connected_clients:1\r\n");
    assertThat(open().call("PING")).hasToString("+PONG");
  }

  @Test
  void maxmemoryClients_evictsAtOnceWhoTakesMost() throws IOException {
    RespSocket control = start("maxmemory-clients", "1mb");
    RespSocket small = open();
    RespSocket large = open();
    small.call("CLIENT", "SETNAME", "small");
    large.call("CLIENT", "SETNAME", "large");
    small.sendRaw("*1\r\n$300000\r\n" + "x".repeat(200_000));
    control.await("(?s).* name=small .* qbuf=200000 .*", "CLIENT", "LIST");
    sendUntilClosed(large, "*1\r\n$2000000\r\n" + "x".repeat(1_000_000));
    assertThat(large.readToEnd()).isEmpty();
    assertThat(control.call("INFO", "stats").text()).contains("evicted_clients:1\r\n");
    assertThat(control.call("CLIENT", "LIST").text()).contains(" name=small ");
    control.call("CLIENT", "NO-EVICT", "ON");
    assertThat(control.call("CONFIG", "SET", "maxmemory-clients", "1")).hasToString("+OK");
    assertThat(small.readToEnd()).isEmpty();
    assertThat(control.call("PING")).hasToString("+PONG"); // the smallest allowed limit: 128 KiB
  }

  @Test
  void clientKill_refusesTimesThatAreNone() throws IOException {
    RespSocket client = start();
    for (String filter : List.of("MAXAGE", "IDLE")) {
      String name = filter.toLowerCase(Locale.ROOT);
      assertThat(client.call("CLIENT", "KILL", filter, "x"))
          .hasToString("-ERR " + name + " is not an integer or out of range");
      assertThat(client.call("CLIENT", "KILL", filter, "0"))
          .hasToString("-ERR " + name + " should be greater than 0");
    }
  }

  @Test
  void idleClients_areClosedAfterTheTimeout() throws IOException {
    RespSocket idle = start("timeout", "10");
    idle.call("PING");
    RespSocket subscriber = open();
    subscriber.call("SUBSCRIBE", "a");
    RespSocket blocked = open();
    blocked.send("BLPOP", "l", "0");
    RespSocket active = open();
    active.awaitInfo("blocked_clients:1\r\n");
    clock.advance(Duration.ofSeconds(9));
    active.call("PING");
    clock.advance(Duration.ofSeconds(2));
    assertThat(idle.readToEnd()).isEmpty();
    active.awaitInfo("connected_clients:3\r\n");
    active.call("RPUSH", "l", "x");
    assertThat(blocked.read()).hasToString("*2[$1:l, $1:x]");
    active.call("PUBLISH", "a", "m");
    assertThat(subscriber.read()).hasToString("*3[$7:message, $1:a, $1:m]");
  }

  @Test
  void password_isAskedForBeforeAnythingElse() throws IOException {
    RespSocket socket = start("requirepass", "secret");
    assertThat(socket.call("GET", "k")).hasToString("-NOAUTH Authentication required.");
    assertThat(socket.call("PING")).hasToString("-NOAUTH Authentication required.");
    assertThat(socket.call("HELLO", "3").toString()).startsWith("-NOAUTH HELLO must be called");
    assertThat(socket.call("AUTH", "wrong"))
        .hasToString("-WRONGPASS invalid username-password pair or user is disabled.");
    assertThat(socket.call("AUTH", "nobody", "secret").toString()).startsWith("-WRONGPASS");
    assertThat(socket.call("AUTH", "secret")).hasToString("+OK");
    assertThat(socket.call("GET", "k")).hasToString("$-1");
    assertThat(socket.call("RESET")).hasToString("+RESET");
    assertThat(socket.call("GET", "k")).hasToString("-NOAUTH Authentication required.");
    assertThat(socket.call("HELLO", "3", "AUTH", "default", "secret").type()).isEqualTo('%');
    assertThat(socket.call("GET", "k")).hasToString("_");
  }

  @Test
  void password_setLater_isAskedOfNewClients() throws IOException {
    RespSocket old = start();
    old.call("CONFIG", "SET", "requirepass", "secret");
    assertThat(old.call("PING")).hasToString("+PONG");
    RespSocket fresh = open();
    assertThat(fresh.call("PING")).hasToString("-NOAUTH Authentication required.");
    assertThat(fresh.call("AUTH", "default", "secret")).hasToString("+OK");
  }

  @Test
  void lengths_beforeAuthentication_areLimited() throws IOException {
    RespSocket eleven = start("requirepass", "secret");
    eleven.sendRaw("*11\r\n");
    assertThat(eleven.readToEnd())
        .isEqualTo("-ERR Protocol error: unauthenticated multibulk length\r\n");
    RespSocket large = open();
    large.sendRaw("*2\r\n$4\r\nAUTH\r\n$16385\r\n");
    assertThat(large.readToEnd()).isEqualTo("-ERR Protocol error: unauthenticated bulk length\r\n");
    RespSocket both = open();
    both.send("AUTH", "secret");
    both.send("SET", "k", "x".repeat(100_000));
    both.send("DEL", "k", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
    assertThat(both.read()).hasToString("+OK");
    assertThat(both.read()).hasToString("+OK");
    assertThat(both.read()).hasToString(":1");
  }

  @Test
  void reply_ofAFewKilobytes_isNeverTooLong() throws IOException {
    RespSocket client = start("client-output-buffer-limit", "normal 10 10 0");
    client.call("SET", "small", "x".repeat(16_000));
    client.call("SET", "large", "x".repeat(17_000));
    assertThat(client.call("GET", "small").text()).hasSize("16000:".length() + 16_000);
    client.send("GET", "large");
    assertThat(client.readToEnd()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"HRANDFIELD hash", "SRANDMEMBER set", "ZRANDMEMBER zset"})
  void endlessReply_closesTheClientWhoseOutputIsLimited(String command) throws IOException {
    RespSocket control = start();
    control.call("HSET", "hash", "a", "b");
    control.call("SADD", "set", "a");
    control.call("ZADD", "zset", "1", "a");
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add("-999999999");
    RespSocket client = open();
    assertThat(client.call(words)).hasToString("-ERR value is out of range");
    control.call("CONFIG", "SET", "client-output-buffer-limit", "normal 1mb 0 0");
    client.send(words);
    assertThat(client.readToEnd()).isEmpty();
    control.awaitInfo("client_output_buffer_limit_disconnections:1\r\n");
    assertThat(open().call(words.get(0), "none", "-999999999")).hasToString("*0");
    assertThat(
            control.call(
                "EVAL", "return redis.call(unpack(ARGV))", "0", "SRANDMEMBER", "set", "-999999999"))
        .asString()
        .startsWith("-ERR value is out of range");
  }

  private static void sendUntilClosed(RespSocket client, String request) {
    try {
      client.sendRaw(request);
    } catch (IOException e) {
      // The server closes the connection before everything is sent.
    }
  }

  @Test
  void input_beyondTheLimit_closesTheClient() throws IOException {
    RespSocket control = start("client-query-buffer-limit", "1mb");
    RespSocket client = open();
    sendUntilClosed(client, "*1\r\n$2000000\r\n" + "x".repeat(1_900_000));
    assertThat(client.readToEnd()).isEmpty();
    control.awaitInfo("client_query_buffer_limit_disconnections:1\r\n");
    control.awaitInfo("client_output_buffer_limit_disconnections:0\r\n");
  }

  @Test
  void output_thatNobodyReads_closesTheClient() throws IOException {
    RespSocket control = start("client-output-buffer-limit", "normal 1mb 0 0");
    control.call("SET", "k", "x".repeat(1_000_000));
    RespSocket deaf = open();
    byte[] get = RespSocket.encode(List.of("GET", "k"));
    for (int i = 0; i < 200; i++) {
      try {
        deaf.sendBytes(get);
      } catch (IOException e) {
        break; // already closed
      }
    }
    control.awaitInfo("connected_clients:1\r\n");
    assertThat(deaf.readToEnd().length()).isLessThan(200_000_000);
    control.awaitInfo("client_output_buffer_limit_disconnections:1\r\n");
  }

  @Test
  void output_beforeLoggingIn_closesTheClientThatDoesNotReadIt() throws IOException {
    RespSocket control = start("requirepass", "secret");
    control.call("AUTH", "secret");
    RespSocket deaf = open();
    sendUntilClosed(deaf, "SET x 5\r\n".repeat(1_000_000));
    control.awaitInfo("client_output_buffer_limit_disconnections:1\r\n");
    RespSocket polite = open();
    for (int i = 0; i < 2000; i++) {
      assertThat(polite.call("GET", "k")).asString().startsWith("-NOAUTH");
    }
    assertThat(polite.call("AUTH", "secret")).hasToString("+OK");
  }

  @Test
  void reply_beyondTheHardLimit_closesTheClientAndIsNotWritten() throws IOException {
    RespSocket control = start("client-output-buffer-limit", "normal 100kb 0 0");
    control.call("SET", "k", "x".repeat(60_000));
    RespSocket client = open();
    client.send("MULTI");
    client.send("GET", "k");
    client.send("GET", "k");
    client.send("SET", "after", "1");
    for (String reply : List.of("+OK", "+QUEUED", "+QUEUED", "+QUEUED")) {
      assertThat(client.read()).hasToString(reply);
    }
    client.send("EXEC");
    assertThat(client.readToEnd()).isEmpty();
    assertThat(control.call("GET", "after")).hasToString("$1:1");
    assertThat(control.call("GET", "k").text()).hasSize("60000:".length() + 60_000);
    control.awaitInfo("client_output_buffer_limit_disconnections:1\r\n");
  }

  @Test
  void subscriber_beyondTheSoftLimitForTooLong_isClosedWithoutFurtherMessages() throws IOException {
    RespSocket control = start("client-output-buffer-limit", "pubsub 0 1mb 5");
    RespSocket deaf = open();
    deaf.call("SUBSCRIBE", "a");
    String message = "x".repeat(500_000);
    // 8 MB, of which the kernel takes up to 3 when the client's loop gets to write.
    for (int i = 0; i < 16; i++) {
      assertThat(control.call("PUBLISH", "a", message)).hasToString(":1");
    }
    // Repeatedly: the seconds count from when the client's loop first sees it beyond the limit.
    do clock.advance(Duration.ofSeconds(6));
    while (!control.call("INFO", "clients").text().contains("connected_clients:1\r\n"));
    assertThat(deaf.readToEnd()).isNotEmpty();
  }

  @Test
  void subscriber_thatDoesNotRead_isClosed() throws IOException {
    RespSocket control = start("client-output-buffer-limit", "pubsub 1mb 0 0");
    RespSocket deaf = open();
    deaf.call("SUBSCRIBE", "a");
    String message = "x".repeat(500_000);
    while (!control.call("PUBLISH", "a", message).text().equals("0")) Thread.onSpinWait();
    assertThat(control.call("PUBSUB", "CHANNELS")).hasToString("*0");
  }
}
