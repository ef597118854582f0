package dev.kermes.bench.persistence;

import dev.kermes.bench.peers.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys of all types, the same ones each time. Of ten keys five are texts, one is a number, and four
 * are collections of five elements; one of 10,000 collections has a thousand elements, so that it
 * has the large encoding.
 */
public final class SampleKeys implements AutoCloseable {

  private static final int KINDS = 10;
  private static final int ELEMENTS = 5;
  private static final int LARGE_EACH = 10_000;
  private static final int LARGE_ELEMENTS = 1000;
  private static final int BATCH = 500;

  /** In the year 2100; one key in ten expires. */
  private static final String FAR_MILLIS = "4102444800000";

  private final Wire wire;
  private final ByteArrayOutputStream requests = new ByteArrayOutputStream();
  private int pending;

  private SampleKeys(InetSocketAddress server) throws IOException {
    wire = new Wire(server);
  }

  /** Creates {@code count} keys. */
  public static void create(InetSocketAddress server, int count) throws IOException {
    try (SampleKeys keys = new SampleKeys(server)) {
      for (int i = 0; i < count; i++) keys.send(creation(i));
      keys.await();
    }
  }

  /** Changes one in ten of those keys. */
  public static void change(InetSocketAddress server, int count) throws IOException {
    try (SampleKeys keys = new SampleKeys(server)) {
      for (int i = 0; i < count; i++) if (i / KINDS % KINDS == 0) keys.send(change(i));
      keys.await();
    }
  }

  private static List<String> creation(int i) {
    int elements = i / KINDS % (LARGE_EACH / KINDS) == 0 ? LARGE_ELEMENTS : ELEMENTS;
    return switch (i % KINDS) {
      case 0 -> List.of("SET", "text:" + i, text(i), "PXAT", FAR_MILLIS);
      case 5 -> List.of("SET", "number:" + i, "" + i);
      case 6 -> pairs("HSET", "hash:" + i, "field", text(i), elements);
      case 7 -> singles("RPUSH", "list:" + i, "element " + i + " ", elements);
      case 8 -> singles("SADD", "set:" + i, i % 20 == 8 ? "" : "member ", elements);
      case 9 -> sortedSet("zset:" + i, elements);
      default -> List.of("SET", "text:" + i, text(i));
    };
  }

  private static List<String> change(int i) {
    return switch (i % KINDS) {
      case 5 -> List.of("INCR", "number:" + i);
      case 6 -> List.of("HSET", "hash:" + i, "field1", "another");
      case 7 -> List.of("RPUSH", "list:" + i, "one more");
      case 8 -> List.of("SADD", "set:" + i, "one more");
      case 9 -> List.of("ZADD", "zset:" + i, "1.5", "one more");
      default -> List.of("SET", "text:" + i, text(i + 1));
    };
  }

  /** 32 bytes. */
  private static String text(int i) {
    return "%032x".formatted(i * 0x9E3779B97F4A7C15L);
  }

  private static List<String> singles(String name, String key, String prefix, int count) {
    List<String> words = new ArrayList<>(List.of(name, key));
    for (int i = 0; i < count; i++) words.add(prefix + i);
    return words;
  }

  private static List<String> pairs(
      String name, String key, String field, String value, int count) {
    List<String> words = new ArrayList<>(List.of(name, key));
    for (int i = 0; i < count; i++) words.addAll(List.of(field + i, value));
    return words;
  }

  private static List<String> sortedSet(String key, int count) {
    List<String> words = new ArrayList<>(List.of("ZADD", key));
    for (int i = 0; i < count; i++) words.addAll(List.of("" + i * 1.25, "member " + i));
    return words;
  }

  private void send(List<String> command) throws IOException {
    requests.writeBytes(Wire.encode(command));
    if (++pending == BATCH) await();
  }

  private void await() throws IOException {
    wire.run(requests, pending);
    requests.reset();
    pending = 0;
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
