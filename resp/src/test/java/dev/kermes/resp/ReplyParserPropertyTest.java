package dev.kermes.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Parsing the bytes of a random tree returns the same tree, however the bytes are split. */
class ReplyParserPropertyTest {
  @Test
  void next_randomTrees_splitAtEveryByte() {
    for (int seed = 0; seed < 400; seed++) {
      Trees trees = new Trees(seed);
      Object value = trees.value(3);
      byte[] wire = trees.encode(value);
      for (int split = 0; split <= wire.length; split++) {
        ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
        List<@Nullable Object> seen = new ArrayList<>();
        parse(parser, wire, 0, split, seen);
        parse(parser, wire, split, wire.length, seen);
        assertThat(seen).as("seed=%d split=%d", seed, split).containsExactly(Trees.asRead(value));
      }
    }
  }

  @Test
  void next_randomStreams_oneByteAtATime() {
    for (int seed = 0; seed < 300; seed++) checkStream(seed, new Random(seed), 1);
  }

  @Test
  void next_randomStreams_randomChunks() {
    for (int seed = 0; seed < 300; seed++) checkStream(seed, new Random(seed), 100);
  }

  @Test
  void next_skippedReplies_leaveTheNextOneInStep() {
    for (int seed = 0; seed < 500; seed++) {
      Trees trees = new Trees(seed);
      ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
      byte[] first = trees.encode(trees.value(4));
      parser.feed(first, 0, first.length);
      byte[] second = ":7\r\n".getBytes(StandardCharsets.US_ASCII);
      parser.feed(second, 0, second.length);
      assertThat(parser.next()).isTrue();
      parser.reader().skip();
      assertThat(parser.reader().hasNext()).as("seed=%d", seed).isFalse();
      assertThat(parser.next()).isTrue();
      assertThat(parser.reader().readLong()).isEqualTo(7);
    }
  }

  private static void checkStream(long seed, Random random, int chunkMax) {
    Trees trees = new Trees(seed);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<@Nullable Object> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Object value = trees.value(3);
      expected.add(Trees.asRead(value));
      out.writeBytes(trees.encode(value));
    }
    byte[] wire = out.toByteArray();
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    List<@Nullable Object> seen = new ArrayList<>();
    for (int from = 0; from < wire.length; ) {
      int to = Math.min(wire.length, from + 1 + random.nextInt(chunkMax));
      parse(parser, wire, from, to, seen);
      from = to;
    }
    assertThat(seen).as("seed=%d", seed).isEqualTo(expected);
    assertThat(parser.unreadBytes()).isZero();
  }

  private static void parse(
      ReplyParser parser, byte[] wire, int from, int to, List<@Nullable Object> seen) {
    parser.feed(wire, from, to);
    while (parser.next()) seen.add(Trees.read(parser.reader()));
  }
}
