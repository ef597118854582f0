package dev.kermes.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies that are written piece by piece show the data that their command saw, uninterrupted. */
@Timeout(60)
class LongReplyTest {

  private static final int LENGTH = 200_000;

  private final RedisServer server = TestServers.with().loops(2).start();
  private final RespSocket reader;
  private final RespSocket writer;

  LongReplyTest() throws IOException {
    reader = new RespSocket(server.port());
    writer = new RespSocket(server.port());
    for (int i = 0; i < LENGTH; i += 1000) {
      int from = i;
      String elements =
          IntStream.range(from, from + 1000)
              .mapToObj(n -> "e" + n)
              .collect(Collectors.joining(" ", "RPUSH list ", "\r\n"));
      writer.sendRaw(elements);
      assertThat(writer.read()).hasToString(":" + (from + 1000));
    }
  }

  @AfterEach
  void stop() throws IOException {
    reader.close();
    writer.close();
    server.close();
  }

  private static String elements(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(n -> "$" + ("e" + n).length() + "\r\ne" + n + "\r\n")
        .collect(Collectors.joining("", "*" + (to - from + 1) + "\r\n", ""));
  }

  private void expect(String wire) throws IOException {
    assertThat(reader.readRaw(wire.length())).isEqualTo(wire);
  }

  @Test
  void lrange_long_comesWholeAndInOrder() throws IOException {
    reader.sendRaw("PING\r\nLRANGE list 0 -1\r\nLRANGE list 5 -7\r\nLLEN list\r\nPING\r\n");
    expect("+PONG\r\n");
    expect(elements(0, LENGTH - 1));
    expect(elements(5, LENGTH - 7));
    expect(":" + LENGTH + "\r\n+PONG\r\n");
  }

  @Test
  void lrange_ofAListThatChangesMeanwhile_isWhatItWas() throws IOException {
    reader.sendRaw("LRANGE list 0 -1\r\n");
    expect("*" + LENGTH + "\r\n$2\r\ne0\r\n"); // the command has run
    writer.call("LSET", "list", "199999", "other");
    writer.call("LPOP", "list");
    writer.call("LINSERT", "list", "BEFORE", "e5", "between");
    writer.call("LREM", "list", "1", "e7");
    writer.call("LTRIM", "list", "0", "99");
    writer.call("RPUSH", "list", "last");
    reader.sendRaw("LLEN list\r\n");
    expect(elements(0, LENGTH - 1).substring(("*" + LENGTH + "\r\n$2\r\ne0\r\n").length()));
    expect(":101\r\n");
    assertThat(writer.call("LINDEX", "list", "0")).hasToString("$2:e1");
    assertThat(writer.call("LINDEX", "list", "-1")).hasToString("$4:last");
  }

  @Test
  void lrange_ofAListThatIsDeletedMeanwhile_isWhatItWas() throws IOException {
    reader.sendRaw("LRANGE list 0 -1\r\n");
    expect("*" + LENGTH + "\r\n");
    assertThat(writer.call("DEL", "list")).hasToString(":1");
    expect(elements(0, LENGTH - 1).substring(("*" + LENGTH + "\r\n").length()));
  }

  @Test
  void push_duringALongReply_comesAfterIt() throws IOException {
    reader.call("HELLO", "3");
    reader.call("SUBSCRIBE", "news");
    reader.sendRaw("LRANGE list 0 -1\r\n");
    expect("*" + LENGTH + "\r\n");
    assertThat(writer.call("PUBLISH", "news", "item")).hasToString(":1");
    expect(elements(0, LENGTH - 1).substring(("*" + LENGTH + "\r\n").length()));
    expect(">3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$4\r\nitem\r\n");
  }

  @Test
  void lrange_insideMulti_isPartOfTheReply() throws IOException {
    reader.sendRaw("MULTI\r\nLRANGE list 0 -1\r\nPING\r\nEXEC\r\n");
    expect("+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n");
    expect(elements(0, LENGTH - 1));
    expect("+PONG\r\n");
  }

  @Test
  void lrange_whoseReplyIsNotWanted_isNotSent() throws IOException {
    reader.sendRaw("CLIENT REPLY SKIP\r\nLRANGE list 0 -1\r\nPING\r\n");
    expect("+PONG\r\n");
  }

  @Test
  void protocolError_afterALongReply_waitsForItsEnd() throws IOException {
    reader.sendRaw("LRANGE list 0 -1\r\n*1\r\n:oops\r\n");
    expect(elements(0, LENGTH - 1));
    assertThat(reader.readToEnd()).startsWith("-ERR Protocol error: expected '$'");
  }

  @Test
  void quit_afterALongReply_waitsForItsEnd() throws IOException {
    reader.sendRaw("LRANGE list 0 -1\r\nQUIT\r\n");
    expect(elements(0, LENGTH - 1));
    assertThat(reader.readToEnd()).isEqualTo("+OK\r\n");
  }

  @Test
  void kill_duringALongReply_closes() throws IOException {
    String id = reader.call("CLIENT", "ID").text();
    reader.sendRaw("LRANGE list 0 -1\r\nLRANGE list 0 -1\r\nLRANGE list 0 -1\r\n");
    expect("*" + LENGTH + "\r\n");
    assertThat(writer.call("CLIENT", "KILL", "ID", id)).hasToString(":1");
    assertThat(reader.readToEnd().length()).isLessThan(3 * elements(0, LENGTH - 1).length());
    writer.awaitInfo("connected_clients:1\r\n");
  }
}
