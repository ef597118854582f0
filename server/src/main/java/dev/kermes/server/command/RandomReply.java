package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.Slice;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The reply of SRANDMEMBER, HRANDFIELD and ZRANDMEMBER: one element, or an array of several.
 *
 * @param count the number of different elements; if negative, of possibly repeated ones; null for
 *     one element outside an array
 * @param pairs whether each element comes with its value or score
 */
public record RandomReply(@Nullable Long count, boolean pairs) {

  /**
   * Receives an element and a writer for its value or score. The slice is valid during the call.
   */
  @FunctionalInterface
  public interface ElementVisitor {

    void visit(byte[] array, int offset, int length, Consumer<RespWriter> companion);
  }

  /** The collection to draw from. */
  public interface Elements {

    long size();

    /** Whether a draw walks through the elements, so that one walk is better than several. */
    default boolean isWalkedToDraw() {
      return false;
    }

    void draw(Call call, ElementVisitor visitor);

    /** Draws {@code count} times. */
    default void draw(Call call, long count, ElementVisitor visitor) {
      for (long i = 0; i < count; i++) draw(call, visitor);
    }

    void forEach(ElementVisitor visitor);
  }

  /** The writer for an element without a value or score. */
  public static void writeNothing(RespWriter out) {}

  /** The empty collection. */
  public static final Elements NOTHING =
      new Elements() {
        @Override
        public long size() {
          return 0;
        }

        @Override
        public void draw(Call call, ElementVisitor visitor) {}

        @Override
        public void forEach(ElementVisitor visitor) {}
      };

  /**
   * 2^24: a longer reply of repeated elements would only fill memory. A client with an output limit
   * is closed, as Redis does in the middle of such a reply; for any other client the command is
   * refused.
   */
  private static final long REPEATED_MAX = 1 << 24;

  /** {@code $0\r\n\r\n}: the shortest element of a reply. */
  private static final long ELEMENT_LENGTH_MIN = 6;

  private static final String OUT_OF_RANGE = "ERR value is out of range";

  /** Reads {@code [count [word]]} from argument 2 on; null if a mistake was replied. */
  public static @Nullable RandomReply parse(Call call, String pairsWord) {
    if (call.argc() == 2) return new RandomReply(null, false);
    long count = Arguments.signedCount(call, 2);
    if (call.failed()) return null;
    boolean pairs = call.argc() == 4 && !pairsWord.isEmpty() && call.is(3, pairsWord);
    if (call.argc() > 4 || call.argc() == 4 && !pairs) {
      call.syntaxError();
      return null;
    }
    if (pairs && Math.abs(count) > Long.MAX_VALUE / 2) {
      call.error(OUT_OF_RANGE);
      return null;
    }
    return new RandomReply(count, pairs);
  }

  public void reply(Call call, Elements elements) {
    if (count == null) replyOne(call, elements);
    else if (elements.size() == 0 || count == 0) call.reply().array(0);
    else if (count < 0) replyRepeated(call, elements, -count);
    else if (count >= elements.size()) replyAll(call, elements);
    else replyDifferent(call, elements, count);
  }

  private static void replyOne(Call call, Elements elements) {
    if (elements.size() == 0) {
      call.reply().nil();
      return;
    }
    elements.draw(call, (a, offset, length, rest) -> call.reply().bulk(a, offset, length));
  }

  private void replyRepeated(Call call, Elements elements, long draws) {
    if (draws > REPEATED_MAX) {
      if (!LongReply.giveUpTooLong(call, draws, ELEMENT_LENGTH_MIN)) call.error(OUT_OF_RANGE);
      return;
    }
    header(call, draws);
    elements.draw(call, draws, writer(call.reply()));
  }

  private void replyAll(Call call, Elements elements) {
    header(call, elements.size());
    elements.forEach(writer(call.reply()));
  }

  /** Draws until a few are different; takes a large share by visiting all elements once. */
  private void replyDifferent(Call call, Elements elements, long wanted) {
    header(call, wanted);
    boolean isWalk = elements.isWalkedToDraw() && wanted > 1;
    if (isWalk || wanted > elements.size() / 3) replySelected(call, elements, wanted);
    else replyDrawn(call, elements, wanted);
  }

  /** Draws the indices of elements, and visits all elements once. */
  private void replySelected(Call call, Elements elements, long wanted) {
    ElementVisitor writer = writer(call.reply());
    BitSet selected = select(call.random(), (int) wanted, (int) elements.size());
    int[] next = {0};
    elements.forEach((array, offset, length, companion) -> {
      if (selected.get(next[0]++)) writer.visit(array, offset, length, companion);
    });
  }

  /** Draws different numbers below {@code size}; if most are wanted, those that are not. */
  private static BitSet select(RandomGenerator random, int wanted, int size) {
    BitSet drawn = new BitSet(size);
    boolean areUnwanted = wanted > size / 2;
    for (int left = areUnwanted ? size - wanted : wanted; left > 0; ) {
      int i = random.nextInt(size);
      if (!drawn.get(i)) left--;
      drawn.set(i);
    }
    if (areUnwanted) drawn.flip(0, size);
    return drawn;
  }

  private void replyDrawn(Call call, Elements elements, long wanted) {
    ElementVisitor writer = writer(call.reply());
    RedisSet drawn = new RedisSet(call.hashSeed());
    Slice element = new Slice();
    while (drawn.size() < wanted) {
      elements.draw(
          call,
          (array, offset, length, companion) -> {
            if (!drawn.add(element.wrap(array, offset, length), call.limits())) return;
            writer.visit(array, offset, length, companion);
          });
    }
  }

  /** In RESP3 each pair is an array of its own. */
  private void header(Call call, long elements) {
    boolean flatPairs = pairs && call.reply().protocol() == 2;
    call.reply().array((int) (flatPairs ? elements * 2 : elements));
  }

  private ElementVisitor writer(RespWriter out) {
    if (!pairs) return (array, offset, length, companion) -> out.bulk(array, offset, length);
    boolean nested = out.protocol() == 3;
    return (array, offset, length, companion) -> {
      if (nested) out.array(2);
      out.bulk(array, offset, length);
      companion.accept(out);
    };
  }
}
