package dev.kermes.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command with many elements does to a collection the same as one command for each of them. */
final class ManyElementsTest extends FamilyTest {

  private static final int ROUNDS = 8;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void ofSets_isTheSameAsOneByOne(int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      for (int step = 0; step < 4; step++) {
        List<String> members = elements(random);
        assertSum("SADD", members, false);
        assertArray("SMISMEMBER", "SISMEMBER", elements(random));
        assertThat(sorted("SMEMBERS many")).isEqualTo(sorted("SMEMBERS one"));
        assertThat(call("OBJECT ENCODING many")).isEqualTo(call("OBJECT ENCODING one"));
        if (random.nextBoolean()) assertSum("SREM", elements(random), false);
        assertThat(sorted("SMEMBERS many")).isEqualTo(sorted("SMEMBERS one"));
      }
      call("DEL many one");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void ofHashes_isTheSameAsOneByOne(int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      for (int step = 0; step < 4; step++) {
        assertSum("HSET", withOthers(elements(random), random, true), true);
        assertArray("HMGET", "HGET", elements(random));
        assertThat(sorted("HGETALL many")).isEqualTo(sorted("HGETALL one"));
        assertThat(call("OBJECT ENCODING many")).isEqualTo(call("OBJECT ENCODING one"));
        if (random.nextInt(4) == 0) {
          List<String> fields = elements(random);
          for (String key : List.of("many", "one")) {
            call(
                "HEXPIRE %s 1000 FIELDS %d %s"
                    .formatted(key, fields.size(), String.join(" ", fields)));
          }
        }
        if (random.nextBoolean()) assertSum("HDEL", elements(random), false);
        assertThat(sorted("HGETALL many")).isEqualTo(sorted("HGETALL one"));
        assertThat(call("HLEN many")).isEqualTo(call("HLEN one"));
      }
      call("DEL many one");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void ofSortedSets_isTheSameAsOneByOne(int seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      for (int step = 0; step < 4; step++) {
        assertSum("ZADD", withOthers(elements(random), random, false), true);
        assertArray("ZMSCORE", "ZSCORE", elements(random));
        assertThat(call("ZRANGE many 0 -1 WITHSCORES"))
            .isEqualTo(call("ZRANGE one 0 -1 WITHSCORES"));
        assertThat(call("OBJECT ENCODING many")).isEqualTo(call("OBJECT ENCODING one"));
        if (random.nextBoolean()) assertSum("ZREM", elements(random), false);
        assertThat(call("ZRANGE many 0 -1 WITHSCORES"))
            .isEqualTo(call("ZRANGE one 0 -1 WITHSCORES"));
      }
      call("DEL many one");
    }
  }

  /** {@code isPairs}: whether every two arguments belong together. */
  private void assertSum(String command, List<String> arguments, boolean isPairs)
      throws IOException {
    int stride = isPairs ? 2 : 1;
    long sum = 0;
    for (int i = 0; i < arguments.size(); i += stride) {
      String each = String.join(" ", arguments.subList(i, i + stride));
      sum += Long.parseLong(call(command + " one " + each).substring(1));
    }
    assertThat(call(command + " many " + String.join(" ", arguments))).isEqualTo(":" + sum);
  }

  private void assertArray(String command, String single, List<String> elements)
      throws IOException {
    List<String> each = new ArrayList<>();
    for (String element : elements) each.add(call(single + " one " + element));
    assertThat(call(command + " many " + String.join(" ", elements)))
        .isEqualTo("*%d%s".formatted(each.size(), each));
  }

  /** Texts, of which some may come twice: integers, names, and now and then a long one. */
  private static List<String> elements(Random random) {
    int kind = random.nextInt(3);
    int count = random.nextInt(1, 60);
    boolean hasLong = random.nextInt(10) == 0;
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = random.nextInt(80);
      boolean isInteger = kind == 0 || kind == 1 && random.nextBoolean();
      elements.add(isInteger ? "" + number * number * 1000 : "e:" + number);
      if (hasLong && i == count / 2) elements.add("x".repeat(70));
    }
    return random.nextBoolean() ? elements : elements.stream().distinct().toList();
  }

  /** Puts a value behind each element, or a score before it. */
  private static List<String> withOthers(List<String> elements, Random random, boolean behind) {
    List<String> pairs = new ArrayList<>();
    for (String element : elements) {
      String other = behind ? "value" + random.nextInt(2000) : "" + random.nextInt(20) / 4.0;
      pairs.add(behind ? element : other);
      pairs.add(behind ? other : element);
    }
    return pairs;
  }
}
