package dev.kermes.server.command.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Commands about the connection itself, by example. */
final class ConnectionTest extends FamilyTest {

  @Test
  void ping_andEcho_replyTheirArgument() throws IOException {
    assertThat(call("PING")).isEqualTo("+PONG");
    assertThat(call("PING hello")).isEqualTo("$5:hello");
    assertThat(call("ECHO hello")).isEqualTo("$5:hello");
    assertThat(call("PING a b")).isEqualTo("-ERR wrong number of arguments for 'ping' command");
  }

  @Test
  void unknownCommand_isNamedWithItsArguments() throws IOException {
    assertThat(call("NOSUCH a b"))
        .isEqualTo("-ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' ");
    assertThat(call("CLIENT NOSUCH"))
        .isEqualTo("-ERR unknown subcommand 'NOSUCH'. Try CLIENT HELP.");
  }

  @Test
  void select_choosesADatabase() throws IOException {
    call("SET k 0");
    assertThat(call("SELECT 1")).isEqualTo("+OK");
    assertThat(call("EXISTS k")).isEqualTo(":0");
    call("SET k 1");
    assertThat(call("SWAPDB 0 1")).isEqualTo("+OK");
    assertThat(call("GET k")).isEqualTo("$1:0");
    assertThat(call("SELECT 99")).isEqualTo("-ERR DB index is out of range");
    assertThat(call("SELECT word")).startsWith("-ERR ");
  }

  @Test
  void hello_choosesTheProtocol() throws IOException {
    assertThat(call("HELLO 3")).startsWith("%7[$6:server, ").contains("$5:proto, :3");
    call("HSET h a 1");
    assertThat(call("HGETALL h")).isEqualTo("%1[$1:a, $1:1]");
    assertThat(call("ZSCORE none a")).isEqualTo("_");
    assertThat(call("HELLO 2")).startsWith("*14[$6:server, ");
    assertThat(call("HGETALL h")).isEqualTo("*2[$1:a, $1:1]");
    assertThat(call("HELLO 4")).isEqualTo("-NOPROTO unsupported protocol version");
    assertThat(call("HELLO word"))
        .isEqualTo("-ERR Protocol version is not an integer or out of range");
  }

  @Test
  void reset_forgetsTheStateOfTheConnection() throws IOException {
    call("SELECT 1");
    call("HELLO 3");
    call("CLIENT SETNAME me");
    call("MULTI");
    assertThat(call("RESET")).isEqualTo("+RESET");
    assertThat(call("CLIENT GETNAME")).isEqualTo("$-1");
    assertThat(call("EXEC")).isEqualTo("-ERR EXEC without MULTI");
    assertThat(call("HELLO")).startsWith("*14[");
  }

  @Test
  void clientName_hasNoSpaces() throws IOException {
    assertThat(call("CLIENT SETNAME me")).isEqualTo("+OK");
    assertThat(call("CLIENT GETNAME")).isEqualTo("$2:me");
    assertThat(call("CLIENT INFO")).contains(" name=me ");
    assertThat(call("CLIENT", "SETNAME", "two words"))
        .isEqualTo("-ERR Client names cannot contain spaces, newlines or special characters.");
  }

  @Test
  void clientReplyOff_silencesTheServer() throws IOException {
    socket().send("CLIENT", "REPLY", "SKIP");
    socket().send("SET", "k", "v");
    assertThat(call("GET k")).isEqualTo("$1:v");
    socket().send("CLIENT", "REPLY", "OFF");
    socket().send("SET", "k", "w");
    assertThat(call("CLIENT REPLY ON")).isEqualTo("+OK");
    assertThat(call("GET k")).isEqualTo("$1:w");
  }

  @Test
  void auth_withoutPassword_isRefused() throws IOException {
    assertThat(call("AUTH secret"))
        .startsWith("-ERR AUTH <password> called without any password configured");
    assertThat(call("AUTH unknown secret"))
        .isEqualTo("-WRONGPASS invalid username-password pair or user is disabled.");
    assertThat(call("ACL WHOAMI")).isEqualTo("$7:default");
  }
}
