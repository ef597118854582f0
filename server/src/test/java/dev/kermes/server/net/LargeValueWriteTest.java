package dev.kermes.server.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large values stay in the array that they were received in, and those that are overwritten leave
 * it to the next input. With assertions on, an array is overwritten when it is left.
 */
@Timeout(120)
class LargeValueWriteTest {

  private static final int KEYS = 5;
  private static final int STEPS = 250;
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

  @TempDir private Path folder;

  private static String text(Random random, int length) {
    int from = random.nextInt(LETTERS.length());
    return LETTERS.repeat(length / LETTERS.length() + 2).substring(from, from + length);
  }

  private static int length(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 65_536;
      case 1 -> 300_000;
      case 2 -> 250_000 + random.nextInt(30_000);
      default -> 1 + random.nextInt(1_100_000);
    };
  }

  /** Several clients change a few keys at random; a map says what must be in them. */
  @ParameterizedTest
  @CsvSource({"auto,1,no", "auto,2,yes", "nio,1,yes"})
  void changes_atRandom_areAsInAMap(String transport, String loops, String appendOnly)
      throws IOException {
    try (RedisServer server =
        TestServers.storingIn(
                folder, "transport", transport, "loops", loops, "appendonly", appendOnly)
            .start()) {
      List<RespSocket> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) clients.add(new RespSocket(server.port()));
      Map<String, String> model = new HashMap<>();
      Random random = new Random(7);
      for (int i = 0; i < STEPS; i++) {
        step(clients.get(random.nextInt(clients.size())), server.port(), model, random);
      }
      checkAll(clients.getFirst(), model);
      clients.getFirst().call("DEBUG", "RELOAD");
      checkAll(clients.getFirst(), model);
      for (RespSocket client : clients) client.close();
    }
  }

  private static void checkAll(RespSocket client, Map<String, String> model) throws IOException {
    for (int i = 0; i < KEYS; i++) {
      check(client, "k" + i, model);
      checkField(client, "hash", "k" + i, model.get("hash k" + i));
    }
  }

  private static void check(RespSocket client, String key, Map<String, String> model)
      throws IOException {
    assertThat(bulk(client, key).equals(model.getOrDefault(key, ""))).as(key).isTrue();
  }

  private static String bulk(RespSocket client, String key) throws IOException {
    return client.call("GETRANGE", key, "0", "-1").payload();
  }

  private static void step(RespSocket client, int port, Map<String, String> model, Random random)
      throws IOException {
    String key = "k" + random.nextInt(KEYS);
    String other = "k" + random.nextInt(KEYS);
    String value = text(random, length(random));
    switch (random.nextInt(24)) {
      case 0 -> check(client, key, model);
      case 1 -> {
        String old = client.call("GETSET", key, value).payload();
        assertThat(old.equals(model.getOrDefault(key, "-1"))).isTrue();
        model.put(key, value);
      }
      case 2 -> {
        client.call("APPEND", key, value.substring(0, Math.min(500, value.length())));
        model.merge(key, value.substring(0, Math.min(500, value.length())), String::concat);
      }
      case 3 -> {
        String old = model.getOrDefault(key, "");
        String part = random.nextBoolean() ? "patch" : value;
        client.call("SETRANGE", key, "0", part);
        model.put(key, part + old.substring(Math.min(part.length(), old.length())));
      }
      case 4 -> {
        if (!key.equals(other) && model.containsKey(key)) {
          client.call("COPY", key, other, "REPLACE");
          model.put(other, model.get(key));
        }
      }
      case 5 -> {
        if (!key.equals(other) && model.containsKey(key)) {
          client.call("RENAME", key, other);
          model.put(other, model.remove(key));
        }
      }
      case 6 -> {
        client.call("DEL", key);
        model.remove(key);
      }
      case 7 -> {
        client.call("MSET", key, value, other, value + "x");
        model.put(key, value);
        model.put(other, value + "x");
      }
      case 8 -> {
        client.call("SETEX", key, "1000", value);
        model.put(key, value);
      }
      case 9 -> leaveAmidst(port, key, value);
      case 10 -> pipeline(client, key, other, value, model);
      case 11 -> assertThat(client.call("ECHO", value).payload().equals(value)).isTrue();
      case 12 -> {
        String old = client.call("GETDEL", key).payload();
        assertThat(old.equals(model.getOrDefault(key, "-1"))).isTrue();
        model.remove(key);
      }
      case 13 -> {
        client.call("LPUSH", "list", value);
        model.merge("list", value + " ", (old, pushed) -> pushed + old);
      }
      case 14 -> {
        String list = model.getOrDefault("list", "");
        int last = list.lastIndexOf(' ', list.length() - 2) + 1;
        String popped = client.call("RPOP", "list").payload();
        String wanted = list.isEmpty() ? "-1" : list.substring(last, list.length() - 1);
        assertThat(popped.equals(wanted)).isTrue();
        if (!list.isEmpty()) model.put("list", list.substring(0, last));
      }
      case 15 -> {
        if (random.nextInt(20) == 0) {
          client.call("FLUSHALL");
          model.clear();
        }
      }
      case 16, 17, 18 -> {
        client.call("HSET", "hash", key, value);
        model.put("hash " + key, value);
      }
      case 19 -> checkField(client, "hash", key, model.get("hash " + key));
      case 20 -> {
        client.call("COPY", "hash", "copy", "REPLACE");
        String copied = model.get("hash " + key);
        client.call("HSET", "hash", key, value);
        model.put("hash " + key, value);
        if (copied != null) checkField(client, "copy", key, copied);
      }
      case 21 -> {
        client.call("HPEXPIRE", "hash", "100000", "FIELDS", "1", key);
        client.call("HSET", "hash", other, value);
        model.put("hash " + other, value);
      }
      default -> {
        client.call("SET", key, value);
        model.put(key, value);
      }
    }
  }

  private static void checkField(
      RespSocket client, String hash, String field, @Nullable String value) throws IOException {
    String stored = client.call("HGET", hash, field).payload();
    assertThat(stored.equals(value == null ? "-1" : value)).as(field).isTrue();
  }

  /** A client that goes away before its value is complete. */
  private static void leaveAmidst(int port, String key, String value) throws IOException {
    try (RespSocket leaving = new RespSocket(port)) {
      byte[] whole = RespSocket.encode(List.of("SET", key, value));
      leaving.sendRaw(new String(whole, 0, whole.length * 2 / 3, ISO_8859_1));
    }
  }

  private static void pipeline(
      RespSocket client, String key, String other, String value, Map<String, String> model)
      throws IOException {
    for (int i = 0; i < 3; i++) client.send("SET", key, value + i);
    client.send("GETRANGE", key, "-1", "-1");
    client.send("SET", other, value);
    client.send("PING");
    for (int i = 0; i < 3; i++) assertThat(client.read()).hasToString("+OK");
    assertThat(client.read().payload()).isEqualTo("2");
    assertThat(client.read()).hasToString("+OK");
    assertThat(client.read()).hasToString("+PONG");
    model.put(key, value + 2);
    model.put(other, value);
  }

  /** The commands after a value are in its array; they stay there while their client is blocked. */
  @ParameterizedTest
  @CsvSource({"SET k, +OK, +OK, GETRANGE k 0 0, v", "HSET h f, :1, :0, HSTRLEN h f, 300000"})
  void overwrite_whileTheSendersInputIsInTheArray_leavesThatInput(
      String command, String first, String later, String reading, String wanted)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    String value = "v".repeat(300_000);
    try (RedisServer server = TestServers.with("loops", "1").start();
        RespSocket blocked = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port())) {
      words.add(value);
      String set = new String(RespSocket.encode(words), ISO_8859_1);
      blocked.sendRaw(set + "BLPOP list 0\r\nECHO after\r\n");
      assertThat(blocked.read()).hasToString(first);
      writer.await(wanted, reading.split(" "));
      for (int i = 0; i < 3; i++) assertThat(writer.call(words)).hasToString(later);
      writer.call("RPUSH", "list", "element");
      assertThat(blocked.read().elements()).hasSize(2);
      assertThat(blocked.read().payload()).isEqualTo("after");
    }
  }

  /** The same for replies that are the last use of that array. */
  @ParameterizedTest
  @ValueSource(strings = {"GETDEL", "GETSET", "SET", "ECHO"})
  void reply_whileTheSendersInputIsInTheArray_leavesThatInput(String command) throws IOException {
    String value = "v".repeat(300_000);
    String taking =
        switch (command) {
          case "GETSET" -> "GETSET k new\r\n";
          case "SET" -> "SET k new GET\r\n";
          default -> "GETDEL k\r\n";
        };
    try (RedisServer server = TestServers.with("loops", "1").start();
        RespSocket blocked = new RespSocket(server.port());
        RespSocket writer = new RespSocket(server.port())) {
      boolean isEcho = command.equals("ECHO");
      List<String> words = isEcho ? List.of("ECHO", value) : List.of("SET", "k", value);
      String first = new String(RespSocket.encode(words), ISO_8859_1) + (isEcho ? "" : taking);
      blocked.sendRaw(first + "BLPOP list 0\r\nECHO after\r\n");
      if (!isEcho) assertThat(blocked.read()).hasToString("+OK");
      assertThat(blocked.read().payload().equals(value)).isTrue();
      for (int i = 0; i < 3; i++) assertThat(writer.call("SET", "k", value)).hasToString("+OK");
      writer.call("RPUSH", "list", "element");
      assertThat(blocked.read().elements()).hasSize(2);
      assertThat(blocked.read().payload()).isEqualTo("after");
    }
  }
}
