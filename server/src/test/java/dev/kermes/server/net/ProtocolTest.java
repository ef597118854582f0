package dev.kermes.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Valid and invalid streams of bytes, after which a server closes the connection: our server and a
 * redis-server send the same bytes.
 *
 * <p>Our server is stricter on purpose in some cases. Redis does not check the bytes after a bulk
 * or the byte after a carriage return, and it ends an inline command at a zero byte.
 */
final class ProtocolTest {

  private static RedisServer ours;
  private static RealRedis theirs;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    ours = TestServers.with().loops(1).start();
    theirs = RealRedis.start();
  }

  @AfterAll
  static void stop() {
    ours.close();
    theirs.close();
  }

  private static String answer(int port, String stream) throws IOException {
    try (RespSocket socket = new RespSocket(port)) {
      socket.sendRaw(stream);
      return socket.readToEnd();
    }
  }

  private static void check(String stream) throws IOException {
    assertThat(answer(ours.port(), stream))
        .as("%s", stream.substring(0, Math.min(stream.length(), 200)))
        .isEqualTo(answer(theirs.port(), stream));
  }

  @ParameterizedTest(name = "Bytes that errors quote: {0}")
  @ValueSource(
      strings = {
        "NOSUCH\u00ff a\u00fe caf\u00c3\u00a9",
        "CLIENT \u00e9",
        "OBJECT \u00e9 k",
        "ACL CAT \u00e9",
        "ACL SETUSER u \u00e9",
        "ACL DRYRUN default \u00e9",
        "CONFIG SET \u00e9 1",
        "CONFIG SET maxmemory 1 maxmemory \u00e9",
        "HELLO 3 \u00e9",
        "CLIENT KILL TYPE \u00e9",
        "CLIENT NO-EVICT \u00e9",
        "EXPIRE k 1 \u00e9",
        "XREADGROUP GROUP g\u00ff c STREAMS k\u00fe >",
        "XGROUP DESTROY k\u00fe \u00e9",
        "FUNCTION LIST \u00e9",
        "EVAL \"return redis.error_reply('\u00ff \u00c3\u00a9')\" 0",
        "EVAL \"return redis.status_reply('\u00ff')\" 0",
        "EVAL \"return {err='ERR \u00ff'}\" 0",
        "EVAL \"error('\u00ff')\" 0",
        "EVAL \"error({err='ERR \u00ff'})\" 0",
        "EVAL \"return redis.call('GET')..'\u00ff'\" 0",
        "EVAL \"return redis.call('NOSUCH\u00ff')\" 0",
        "EVAL \"return '\u00ff\u00c3\u00a9\" 0",
        "EVAL \"\u00ff\" 0",
        "SCRIPT LOAD \"x y\u00fe\"",
        "EVAL \"#!lua\u00ff\\nreturn 1\" 0",
        "EVAL \"#!lua flags=\u00ff\\nreturn 1\" 0",
        "FUNCTION LOAD \"#!lua\u00ff name=a\\n\"",
        "FUNCTION LOAD \"#!lua name=a\\nreturn \u00ff\"",
        "EVAL \"return \u00e9\" 0",
        "EVAL \"#!lua \u00e9\\n return 1\" 0",
        "FUNCTION LOAD \"#!\u00e9 name=x\\n\"",
        "FUNCTION LOAD \"#!lua \u00e9=x\\n\"",
        "FUNCTION LOAD \"#!lua name=x\\nreturn \u00e9\""
      })
  void bytesThatErrorsQuote(String command) throws IOException {
    check(command + "\r\nQUIT\r\n");
  }

  @ParameterizedTest(name = "Protocol errors as Redis: {0}")
  @ValueSource(
      strings = {
        "*x\r\n",
        "*\r\n",
        "*-\r\n",
        "*+1\r\n",
        "*01\r\n",
        "*2147483648\r\n",
        "*3000000000\r\n",
        "*1\r\nx\r\n",
        "*1\r\n:1\r\n",
        "*1\r\n\r\n",
        "*1\r\n$\r\n",
        "*1\r\n$-1\r\n",
        "*1\r\n$x\r\n",
        "*1\r\n$01\r\n",
        "*1\r\n$536870913\r\n",
        "*1\r\n$2000000000000\r\n",
        "*2\r\n$3\r\nGET\r\nfoo\r\n",
        "PING\r\n*1\r\n$4\r\nPING\r\n*x\r\nPING\r\n",
        "get \"a\r\n",
        "get 'a\r\n",
        "get \"a\"b\r\n",
        "PING\r\nSET k 'v\r\nPING\r\n",
      })
  void protocolError_asRedis(String stream) throws IOException {
    check(stream);
  }

  @ParameterizedTest(name = "Streams up to QUIT as Redis: {0}")
  @ValueSource(
      strings = {
        "QUIT\r\n",
        "quit\n",
        "PING\r\nPING\nQUIT\r\n",
        "\r\n\r\n  \r\nPING\r\nQUIT\r\n",
        "*0\r\n*-1\r\n*-10\r\nPING\r\nQUIT\r\n",
        "*1\r\n$0\r\n\r\nQUIT\r\n",
        "SET k \"\\x00\\xff\\n\"\r\nGET k\r\nGET 'k'\r\nQUIT\r\n",
        "ECHO 'it\\'s'\r\nECHO \"\\\"\\a\\b\\q\"\r\nECHO \"\"\r\nQUIT\r\n",
        "ECHO a\\b\r\nECHO  a\tb\r\nECHO \"\\x4\"\r\nQUIT\r\n",
        "NOSUCH a\r\nGET\r\nGET a b c\r\nCONFIG NOSUCH\r\nQUIT\r\n",
        "CLIENT REPLY OFF\r\nPING\r\nNOSUCH\r\nGET\r\nCLIENT REPLY ON\r\nPING\r\nQUIT\r\n",
        "CLIENT REPLY SKIP\r\nPING\r\nPING\r\nCLIENT REPLY SKIP\r\nNOSUCH\r\nPING\r\nQUIT\r\n",
        "CLIENT REPLY SKIP\r\nGET\r\nPING\r\nQUIT\r\n",
        "CLIENT REPLY OFF\r\nCLIENT REPLY SKIP\r\nPING\r\nPING\r\nCLIENT REPLY ON\r\nQUIT\r\n",
        "SUBSCRIBE a\r\nPING\r\nPING x\r\nGET a\r\nUNSUBSCRIBE\r\nPING\r\nQUIT\r\n",
        "PSUBSCRIBE a* b*\r\nSSUBSCRIBE c\r\nPUNSUBSCRIBE x a*\r\nSUNSUBSCRIBE\r\nRESET\r\nQUIT\r\n",
        "SUBSCRIBE a\r\nMULTI\r\nNOSUCH\r\nGET\r\nPING a b\r\nQUIT\r\n",
        "MULTI\r\nSUBSCRIBE a\r\nPING\r\nEXEC\r\nUNSUBSCRIBE a b\r\nQUIT\r\n",
        "MULTI\r\nNOSUCH\r\nEXEC\r\nMULTI\r\nQUIT\r\n",
        "SELECT 99\r\nSELECT x\r\nSELECT 1 2\r\nRESET\r\nQUIT\r\nPING\r\n",
      })
  void stream_asRedis(String stream) throws IOException {
    check(stream);
  }

  @Test
  @DisplayName("An inline request of 64 KB without an end")
  void inlineThatNeverEnds_asRedis() throws IOException {
    check("x".repeat(70_000));
  }

  @Test
  @DisplayName("Unknown commands show 128 bytes of their arguments")
  void unknownCommand_asRedis() throws IOException {
    check("n".repeat(200) + " " + "a".repeat(200) + " b\r\nQUIT\r\n");
    check("nosuch " + "abcdefghi ".repeat(40) + "\r\nQUIT\r\n");
    check("OBJECT " + "s".repeat(300) + " k\r\nQUIT\r\n");
  }

  @Test
  @DisplayName("Every length and every character before a missing $")
  void missingDollar_asRedis() throws IOException {
    for (char c = ' '; c < 127; c++) if (c != '$') check("*1\r\n" + c + "\r\n");
  }

  /** Redis 7.0 leaves such connections open forever. */
  @Test
  void endWithoutReplies_closesInSilence() throws IOException {
    assertThat(answer(ours.port(), "CLIENT REPLY OFF\r\n*x\r\n")).isEmpty();
    assertThat(answer(ours.port(), "CLIENT REPLY OFF\r\nQUIT\r\n")).isEmpty();
  }

  @Test
  void inputAfterQuitOrAnError_isNeverSeenByTheNextClient() throws IOException {
    for (int i = 0; i < 50; i++) {
      answer(ours.port(), "QUIT\r\nSET leaked 1\r\nSET lea");
      try (RespSocket next = new RespSocket(ours.port())) {
        assertThat(next.call("PING")).hasToString("+PONG");
      }
      answer(ours.port(), "*1\r\n$-5\r\nSET leaked 1\r\n");
      try (RespSocket next = new RespSocket(ours.port())) {
        assertThat(next.call("EXISTS", "leaked")).hasToString(":0");
      }
    }
  }
}
