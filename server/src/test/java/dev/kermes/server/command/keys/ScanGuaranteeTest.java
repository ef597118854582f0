package dev.kermes.server.command.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The guarantees of SCAN and its relatives during writes: an element that is present from beginning
 * to end is returned, and an element that was never present in between is not. Between the steps,
 * collections grow and shrink by more than their tables take without rehashing.
 *
 * <p>Seed: {@code -Dkermes.seed=7}.
 */
final class ScanGuaranteeTest {

  private static final long SEED = Long.getLong("kermes.seed", 1);
  private static final int SCANS = 12;

  /** Numbers of elements, from the smallest to the largest collection. */
  private static final int[] SIZES = {1, 10, 100, 600, 3000, 9000};

  private static RedisServer server;
  private static RespSocket client;

  @BeforeAll
  static void start() throws IOException {
    server = TestServers.with().seed(SEED).start();
    client = new RespSocket(server.port());
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    server.close();
  }

  /** The scanned collection. Keys with an even number are sets, the others strings. */
  enum Collection {
    SCAN,
    SSCAN,
    HSCAN,
    ZSCAN;

    List<String> addition(String element) {
      return switch (this) {
        case SCAN -> isSet(element) ? List.of("SADD", element, "m") : List.of("SET", element, "v");
        case SSCAN -> List.of("SADD", "s", element);
        case HSCAN -> List.of("HSET", "s", element, "v");
        case ZSCAN -> List.of("ZADD", "s", "1", element);
      };
    }

    List<String> removal(String element) {
      return switch (this) {
        case SCAN -> List.of("DEL", element);
        case SSCAN -> List.of("SREM", "s", element);
        case HSCAN -> List.of("HDEL", "s", element);
        case ZSCAN -> List.of("ZREM", "s", element);
      };
    }

    List<String> step(String cursor, List<String> options) {
      List<String> command = new ArrayList<>(List.of(name()));
      if (this != SCAN) command.add("s");
      command.add(cursor);
      command.addAll(options);
      return command;
    }

    /** Whether a value or score follows each element. */
    boolean hasPairs(List<String> options) {
      return this == ZSCAN || this == HSCAN && !options.contains("NOVALUES");
    }
  }

  private static boolean isSet(String element) {
    return Integer.parseInt(element.substring(1)) % 2 == 0;
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "SCAN, ''",
    "SCAN, COUNT 1",
    "SCAN, COUNT 700",
    "SCAN, MATCH *7* COUNT 100",
    "SCAN, MATCH e1* TYPE string",
    "SCAN, TYPE set COUNT 50",
    "SCAN, TYPE zset COUNT 50",
    "SSCAN, ''",
    "SSCAN, COUNT 300",
    "SSCAN, MATCH *[13579]",
    "HSCAN, ''",
    "HSCAN, COUNT 1",
    "HSCAN, NOVALUES COUNT 100",
    "HSCAN, MATCH *7? NOVALUES",
    "ZSCAN, ''",
    "ZSCAN, COUNT 200 MATCH e?5*",
  })
  void everyElementThatStays_isReturned(Collection collection, String options) throws IOException {
    List<String> words = options.isEmpty() ? List.of() : List.of(options.split(" "));
    for (long seed = SEED; seed < SEED + SCANS; seed++) {
      new Scan(collection, words, new Random(seed)).check("seed=" + seed);
    }
  }

  /** One scan from 0 to 0, with changes between its steps. */
  private static final class Scan {

    private final Collection collection;
    private final List<String> options;
    private final Random random;
    private final List<String> present = new ArrayList<>();
    private final Set<String> staying = new HashSet<>();
    private final Set<String> everPresent = new HashSet<>();
    private final Set<String> returned = new HashSet<>();
    private int nextNumber;

    Scan(Collection collection, List<String> options, Random random) {
      this.collection = collection;
      this.options = options;
      this.random = random;
    }

    void check(String description) throws IOException {
      client.call("FLUSHALL");
      grow(pickSize());
      for (String element : present) if (random.nextInt(3) == 0) staying.add(element);
      everPresent.addAll(present);
      String cursor = "0";
      int steps = 0;
      do {
        cursor = step(cursor);
        change();
      } while (!cursor.equals("0") && ++steps < 100_000);
      staying.removeIf(element -> !isWanted(element));
      assertThat(cursor).as(description).isEqualTo("0");
      assertThat(returned).as(description).containsAll(staying).allMatch(this::mayCome);
    }

    private boolean mayCome(String element) {
      return everPresent.contains(element) && isWanted(element);
    }

    private String step(String cursor) throws IOException {
      List<RespReply> reply = client.call(collection.step(cursor, options)).elements();
      List<RespReply> elements = reply.get(1).elements();
      int width = collection.hasPairs(options) ? 2 : 1;
      for (int i = 0; i < elements.size(); i += width) returned.add(payload(elements.get(i)));
      return payload(reply.get(0));
    }

    private static String payload(RespReply bulk) {
      return bulk.text().substring(bulk.text().indexOf(':') + 1);
    }

    private boolean isWanted(String element) {
      int match = options.indexOf("MATCH");
      int type = options.indexOf("TYPE");
      return (match < 0 || Glob.matches(bytes(options.get(match + 1)), bytes(element)))
          && (type < 0 || options.get(type + 1).equals(isSet(element) ? "set" : "string"));
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    private int pickSize() {
      return SIZES[random.nextInt(SIZES.length)];
    }

    /** Sometimes adds or removes elements: many, or three. */
    private void change() throws IOException {
      switch (random.nextInt(12)) {
        case 0 -> grow(Math.min(pickSize(), 20_000 - nextNumber));
        case 1 -> shrink(present.size() - random.nextInt(present.size() + 1));
        case 2 -> shrink(Math.min(3, present.size()));
        case 3 -> grow(3);
        default -> {}
      }
    }

    private void grow(int count) throws IOException {
      List<List<String>> commands = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String element = "e" + nextNumber++;
        present.add(element);
        everPresent.add(element);
        commands.add(collection.addition(element));
      }
      pipeline(commands);
    }

    /** Removes at most {@code count} elements that need not stay. */
    private void shrink(int count) throws IOException {
      List<List<String>> commands = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int at = random.nextInt(present.size());
        String element = present.get(at);
        if (staying.contains(element)) continue;
        present.set(at, present.getLast());
        present.removeLast();
        commands.add(collection.removal(element));
      }
      pipeline(commands);
    }

    private static void pipeline(List<List<String>> commands) throws IOException {
      for (int from = 0; from < commands.size(); from += 1000) {
        List<List<String>> batch = commands.subList(from, Math.min(from + 1000, commands.size()));
        for (List<String> command : batch) client.send(command);
        for (int i = 0; i < batch.size(); i++) {
          assertThat(client.read().toString()).doesNotStartWith("-");
        }
      }
    }
  }
}
