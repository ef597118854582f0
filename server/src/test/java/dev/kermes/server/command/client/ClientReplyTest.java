package dev.kermes.server.command.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** CLIENT REPLY in transactions, and CLIENT LIST and KILL with IDs that no client has. */
final class ClientReplyTest extends CommandTest {

  @Test
  void clientReplyOff_withinATransaction_withholdsWhatComesAfterIt() throws IOException {
    socket.sendRaw(
        "MULTI\r\nSET rx 1\r\nCLIENT REPLY OFF\r\nGET rx\r\nEXEC\r\nCLIENT REPLY ON\r\n");
    assertThat(socket.read()).hasToString("+OK");
    for (int i = 0; i < 3; i++) assertThat(socket.read()).hasToString("+QUEUED");
    // As in Redis: the array lacks the withheld reply, so the next reply is taken as its element.
    socket.sendRaw("PING\r\n");
    assertThat(socket.read()).hasToString("*3[+OK, +OK, +PONG]");
  }

  @Test
  void clientReplySkip_withinATransaction_isAboutTheCommandAfterExec() throws IOException {
    socket.sendRaw("MULTI\r\nCLIENT REPLY SKIP\r\nEXEC\r\nPING a\r\nPING b\r\nPING c\r\n");
    assertThat(socket.read()).hasToString("+OK");
    assertThat(socket.read()).hasToString("+QUEUED");
    assertThat(socket.read()).hasToString("*1[$1:b]");
    assertThat(socket.read()).hasToString("$1:c");
  }

  @Test
  void clientListId_thatNobodyHas_findsNobody() throws IOException {
    assertThat(call("CLIENT LIST ID 0")).isEqualTo("$0:");
    assertThat(call("CLIENT LIST ID 5 0 -1")).doesNotContain("ERR");
    assertThat(call("CLIENT LIST ID x")).isEqualTo("-ERR Invalid client ID");
    assertThat(socket.call("CLIENT", "LIST", "ID", "1", "")).hasToString("-ERR syntax error");
    assertThat(call("CLIENT KILL ID 0")).isEqualTo("-ERR client-id should be greater than 0");
  }
}
