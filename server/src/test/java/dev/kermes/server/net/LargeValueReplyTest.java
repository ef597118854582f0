package dev.kermes.server.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large values are sent in pieces as the client reads; until then they are references. */
@Timeout(60)
class LargeValueReplyTest {

  private static final int LENGTH = 1_000_000;
  private static final String LARGE = "0123456789".repeat(LENGTH / 10);
  private static final String MEDIUM = LARGE.substring(0, 20_000);

  @TempDir private Path folder;

  /** Runs a test with a server of one transport, with and without the append only file. */
  private interface Body {
    void run(RespSocket reader, RespSocket writer) throws IOException;
  }

  private void withServer(String transport, Body body) throws IOException {
    for (String appendOnly : new String[] {"no", "yes"}) {
      Path files = Files.createDirectory(folder.resolve(appendOnly));
      try (RedisServer server =
              TestServers.storingIn(files, "transport", transport, "appendonly", appendOnly)
                  .start();
          RespSocket reader = new RespSocket(server.port());
          RespSocket writer = new RespSocket(server.port())) {
        assertThat(writer.call("SET", "large", LARGE)).hasToString("+OK");
        assertThat(writer.call("SET", "medium", MEDIUM)).hasToString("+OK");
        assertThat(writer.call("SET", "small", "s")).hasToString("+OK");
        body.run(reader, writer);
      }
    }
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private static String lines(String... commands) {
    return String.join("\r\n", commands) + "\r\n";
  }

  private static void expect(RespSocket reader, String wire) throws IOException {
    assertThat(reader.readRaw(wire.length())).isEqualTo(wire);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void largeAndSmallValues_comeWholeAndInOrder(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          String keys = "small large small medium large nothing medium";
          reader.sendRaw("MGET " + keys + "\r\nGET small\r\nINCR n\r\nGET large\r\nPING\r\n");
          expect(reader, "*7\r\n" + bulk("s") + bulk(LARGE) + bulk("s") + bulk(MEDIUM));
          expect(reader, bulk(LARGE) + "$-1\r\n" + bulk(MEDIUM));
          expect(reader, bulk("s") + ":1\r\n" + bulk(LARGE) + "+PONG\r\n");
        });
  }

  /** The output of all these commands is sent after the last of them has run. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void valuesThatChangeBeforeTheyAreSent_areSentAsTheyWere(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          writer.call("RPUSH", "list", MEDIUM, "last");
          writer.call("HSET", "hash", "field", MEDIUM);
          writer.call("APPEND", "grown", MEDIUM);
          writer.call("APPEND", "grown", MEDIUM);
          String zeros = "SETRANGE medium 0 00\r\n".repeat(2);
          reader.sendRaw(
              "GETRANGE medium 1 -2\r\nCOPY medium copy\r\n"
                  + zeros
                  + "GET copy\r\n"
                  + "GETRANGE grown 0 19999\r\nSETRANGE grown 0 00\r\nGETRANGE grown 0 2\r\n"
                  + "COPY copy copy2\r\nSETRANGE copy2 0 99\r\nGETRANGE copy2 0 2\r\nGET copy\r\n"
                  + "LINDEX list 0\r\nLSET list 0 y\r\nLRANGE list 0 -1\r\n"
                  + "RPUSH list "
                  + MEDIUM
                  + "\r\nRPOP list\r\nRPOP list\r\nRPOP list\r\n"
                  + "HGET hash field\r\nHSET hash field z\r\nHMGET hash field\r\n");
          expect(reader, bulk(MEDIUM.substring(1, MEDIUM.length() - 1)) + ":1\r\n");
          expect(reader, ":20000\r\n:20000\r\n" + bulk(MEDIUM));
          expect(reader, bulk(MEDIUM) + ":40000\r\n" + bulk("002"));
          expect(reader, ":1\r\n:20000\r\n" + bulk("992") + bulk(MEDIUM));
          expect(reader, bulk(MEDIUM) + "+OK\r\n*2\r\n" + bulk("y") + bulk("last"));
          expect(reader, ":3\r\n" + bulk(MEDIUM) + bulk("last") + bulk("y"));
          expect(reader, bulk(MEDIUM) + ":0\r\n*1\r\n" + bulk("z"));
        });
  }

  /** The replies of these are collected before they are written, or walk over all elements. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void valuesOfCollectionsThatChangeBeforeTheyAreSent_areSentAsTheyWere(String transport)
      throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          writer.call("HSET", "hash", "field", MEDIUM);
          writer.call("CONFIG", "SET", "hash-max-listpack-value", "30000");
          writer.call("HSET", "packed", "field", MEDIUM);
          writer.call("XADD", "stream", "1-1", "f", MEDIUM);
          writer.call("XGROUP", "CREATE", "stream", "group", "0");
          reader.sendRaw(
              lines(
                  "XRANGE stream - +",
                  "XREADGROUP GROUP group me STREAMS stream >",
                  "XAUTOCLAIM stream group me 0 0",
                  "XADD stream 1-2 f v",
                  "XDEL stream 1-1",
                  "XREVRANGE stream + -",
                  "HGETALL hash",
                  "HVALS hash",
                  "HSET hash field z",
                  "HGETALL hash",
                  "HGETALL packed",
                  "HSET packed field z",
                  "HVALS packed"));
          String entry = "*2\r\n$3\r\n1-1\r\n*2\r\n$1\r\nf\r\n" + bulk(MEDIUM);
          expect(reader, "*1\r\n" + entry);
          expect(reader, "*1\r\n*2\r\n" + bulk("stream") + "*1\r\n" + entry);
          expect(reader, "*3\r\n" + bulk("0-0") + "*1\r\n" + entry + "*0\r\n");
          expect(reader, bulk("1-2") + ":1\r\n*1\r\n*2\r\n" + bulk("1-2") + "*2\r\n" + bulk("f"));
          expect(reader, bulk("v") + "*2\r\n" + bulk("field") + bulk(MEDIUM));
          expect(reader, "*1\r\n" + bulk(MEDIUM) + ":0\r\n*2\r\n" + bulk("field") + bulk("z"));
          expect(reader, "*2\r\n" + bulk("field") + bulk(MEDIUM) + ":0\r\n*1\r\n" + bulk("z"));
        });
  }

  /** BITOP may write into the array of the string that it replaces. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void resultsOfBitopThatAreReplacedBeforeTheyAreSent_areSentAsTheyWere(String transport)
      throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          reader.sendRaw(
              lines(
                  "BITOP OR d medium",
                  "GET d",
                  "BITOP NOT d medium",
                  "BITOP NOT d d",
                  "GET d",
                  "BITOP OR d medium",
                  "COPY d e",
                  "BITOP XOR d medium medium",
                  "GET e",
                  "BITCOUNT d",
                  "BITOP NOT d d",
                  "BITCOUNT d",
                  "GET medium"));
          expect(reader, ":20000\r\n" + bulk(MEDIUM) + ":20000\r\n:20000\r\n" + bulk(MEDIUM));
          expect(reader, ":20000\r\n:1\r\n:20000\r\n" + bulk(MEDIUM));
          expect(reader, ":0\r\n:20000\r\n:160000\r\n" + bulk(MEDIUM));
        });
  }

  /** 200 MB exceed what sockets hold; commands after them run nevertheless, as in Redis. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void clientThatDoesNotRead_isServed_andItsOutputCounts(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          String id = reader.call("CLIENT", "ID").text();
          reader.sendRaw("GET large\r\n".repeat(200) + "INCR n\r\n");
          writer.await("1", "EXISTS", "n");
          assertThat(writer.call("SETRANGE", "large", "999999", "xyz").text()).isEqualTo("1000002");
          String client = writer.call("CLIENT", "LIST", "ID", id).text();
          long output = Long.parseLong(client.replaceAll("(?s).* omem=(\\d+) .*", "$1"));
          assertThat(output).isBetween(150L * LENGTH, 201L * LENGTH);
          for (int i = 0; i < 200; i++) expect(reader, bulk(LARGE));
          expect(reader, ":1\r\n");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void quitAfterLargeValues_closesAfterTheValues(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          reader.sendRaw("GET large\r\n".repeat(30) + "QUIT\r\n");
          for (int i = 0; i < 30; i++) expect(reader, bulk(LARGE));
          expect(reader, "+OK\r\n");
          assertThat(reader.readToEnd()).isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void killBeforeAllIsRead_closes(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          String id = reader.call("CLIENT", "ID").text();
          reader.sendRaw("GET large\r\n".repeat(50));
          expect(reader, bulk(LARGE));
          assertThat(writer.call("CLIENT", "KILL", "ID", id)).hasToString(":1");
          assertThat(reader.readToEnd().length()).isLessThan(49 * LENGTH);
          writer.awaitInfo("connected_clients:1\r\n");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void outputLimit_countsWhatIsUnsent(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          writer.call("CONFIG", "SET", "client-output-buffer-limit", "normal 50mb 0 0");
          reader.sendRaw("GET large\r\n".repeat(200));
          writer.awaitInfo("client_output_buffer_limit_disconnections:1\r\n");
          assertThat(reader.readToEnd().length()).isLessThan(100 * LENGTH);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void messages_comeAfterLargeValues(String transport) throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          reader.call("HELLO", "3");
          reader.call("SUBSCRIBE", "news");
          reader.sendRaw("GET large\r\n".repeat(20) + "INCR n\r\n");
          writer.await("1", "EXISTS", "n");
          assertThat(writer.call("PUBLISH", "news", "item")).hasToString(":1");
          for (int i = 0; i < 20; i++) expect(reader, bulk(LARGE));
          expect(reader, ":1\r\n>3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$4\r\nitem\r\n");
        });
  }

  private static String value(char letter) {
    return String.valueOf(letter).repeat(600_000);
  }

  /**
   * The arrays of these replies are used for other values, with one loop those of the writer, but
   * not before they are sent. The reader's socket is full from the beginning.
   */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void arraysThatOnlyRepliesUse_keepTheirContentUntilTheyAreSent(String transport)
      throws IOException {
    try (RedisServer server = TestServers.with("transport", transport, "loops", "1").start();
        RespSocket reader = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port())) {
      writer.call("SET", "large", LARGE);
      for (char letter : "abc".toCharArray()) writer.call("SET", "k" + letter, value(letter));
      writer.call("SET", "middle", LARGE.substring(0, 70_000));
      writer.call("LPUSH", "list", value('d'));
      writer.call("LPUSH", "list", value('e'));
      reader.sendRaw("GET large\r\n".repeat(30));
      reader.sendRaw("GETDEL ka\r\n");
      writer.await("0", "EXISTS", "ka");
      reader.send("GETSET", "kb", "new");
      writer.await("new", "GETRANGE", "kb", "0", "9");
      reader.send("SET", "kc", "new", "GET");
      writer.await("new", "GETRANGE", "kc", "0", "9");
      reader.send("GETSET", "middle", "new");
      writer.await("new", "GETRANGE", "middle", "0", "9");
      reader.send("RPOP", "list");
      writer.await("1", "LLEN", "list");
      reader.send("LPOP", "list");
      writer.await("0", "EXISTS", "list");
      reader.send("ECHO", value('f'));
      writer.await("cmdstat_echo:calls=1,", "INFO", "commandstats");
      reader.send("ECHO", value('g'));
      writer.await("cmdstat_echo:calls=2,", "INFO", "commandstats");
      for (char letter : "uvwxyz".toCharArray()) {
        assertThat(writer.call("SET", "k" + letter, value(letter))).hasToString("+OK");
        writer.call("SET", "m" + letter, LARGE.substring(0, 70_000));
      }
      for (int i = 0; i < 30; i++) expect(reader, bulk(LARGE));
      for (char letter : "abc".toCharArray()) expect(reader, bulk(value(letter)));
      expect(reader, bulk(LARGE.substring(0, 70_000)));
      for (char letter : "defg".toCharArray()) expect(reader, bulk(value(letter)));
      for (char letter : "uvwxyz".toCharArray()) {
        assertThat(writer.call("GET", "k" + letter).payload().equals(value(letter))).isTrue();
        String middle = writer.call("GET", "m" + letter).payload();
        assertThat(middle.equals(LARGE.substring(0, 70_000))).isTrue();
      }
    }
  }

  /** Commands that follow a large argument are in its array. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "nio"})
  void largeArguments_withCommandsAfterThem_areRepliedAndStored(String transport)
      throws IOException {
    withServer(
        transport,
        (reader, writer) -> {
          for (String after : new String[] {"", "*1\r\n$4\r\nPING\r\n", "*1\r\n$4\r\nPI"}) {
            for (String command : new String[] {"ECHO", "LPUSH", "SET"}) {
              List<String> words = new ArrayList<>(List.of(command, "list", value('v')));
              if (command.equals("ECHO")) words.remove(1);
              byte[] wire = RespSocket.encode(words);
              String reply = command.equals("ECHO") ? bulk(value('v')) : ":1\r\n";
              reader.sendRaw(new String(wire, ISO_8859_1) + after);
              expect(reader, command.equals("SET") ? "+OK\r\n" : reply);
              if (after.endsWith("PI")) reader.sendRaw("NG\r\n");
              if (!after.isEmpty()) expect(reader, "+PONG\r\n");
              if (command.equals("LPUSH")) reader.sendRaw("LINDEX list 0\r\nRPOP list\r\n");
              if (command.equals("LPUSH")) expect(reader, bulk(value('v')).repeat(2));
              if (command.equals("SET")) reader.sendRaw("GET list\r\nGETDEL list\r\n");
              if (command.equals("SET")) expect(reader, bulk(value('v')).repeat(2));
            }
          }
        });
  }
}
