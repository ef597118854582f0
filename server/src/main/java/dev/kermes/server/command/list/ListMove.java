package dev.kermes.server.command.list;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements that LMOVEM and BLMOVEM move.
 *
 * <pre>
 *   a b c d, LEFT to LEFT, 3    BULK     a b c  the order that they had in the source
 *                               OBO      c b a  one by one: each before the one moved earlier
 * </pre>
 *
 * @param exactly whether to move none if there are fewer elements than {@code count}
 * @param oneByOne whether OBO was given
 */
record ListMove(boolean fromHead, boolean toHead, long count, boolean exactly, boolean oneByOne) {

  /** Reads the sides and, from an argument on, the count; null after replying an error. */
  static @Nullable ListMove parse(Call call, int from) {
    if (!ListCommands.sidesAreValid(call)) return null;
    boolean fromHead = call.is(3, "LEFT");
    boolean toHead = call.is(4, "LEFT");
    if (call.argc() == from) return new ListMove(fromHead, toHead, 1, false, true);
    boolean exactly = call.is(from, "EXACTLY");
    boolean isKnown = exactly || call.is(from, "COUNT");
    if (!isKnown || call.argc() != from + 3 || !isOrder(call, from + 2)) {
      call.syntaxError();
      return null;
    }
    String message = "ERR count should be greater than 0";
    long count = Arguments.integerOrError(call, from + 1, 1, Long.MAX_VALUE, message);
    boolean oneByOne = call.is(from + 2, "OBO");
    return call.failed() ? null : new ListMove(fromHead, toHead, count, exactly, oneByOne);
  }

  private static boolean isOrder(Call call, int i) {
    return call.is(i, "OBO") || call.is(i, "BULK");
  }

  /** Moves and replies; returns false, without a reply, if the source has too few elements. */
  boolean execute(Call call) {
    RedisList source = call.write(1, RedisList.class);
    if (call.failed()) return true;
    RedisList destination = call.write(2, RedisList.class);
    if (call.failed()) return true;
    if (source == null || exactly && source.size() < count) return false;
    List<byte[]> block = popBlock(source);
    boolean fresh = destination == null;
    if (destination == null) destination = new RedisList();
    pushBlock(call, destination, block);
    ListCommands.grown(call, 2, destination, fresh);
    call.changed(2, KeyspaceEvent.LIST, toHead ? "lpush" : "rpush", block.size());
    ListCommands.popped(call, 1, source, fromHead, block.size());
    call.reply().array(block.size());
    for (byte[] element : block) call.reply().bulk(element);
    return true;
  }

  /** The elements in the order of the destination. */
  private List<byte[]> popBlock(RedisList source) {
    int size = (int) Math.min(count, source.size());
    List<byte[]> block = new ArrayList<>(size);
    for (int i = 0; i < size; i++) block.add(source.pop(fromHead));
    boolean isReversed = oneByOne ? toHead : !fromHead;
    if (isReversed) Collections.reverse(block);
    return block;
  }

  private void pushBlock(Call call, RedisList destination, List<byte[]> block) {
    long bytes = 0;
    for (byte[] element : block) bytes += element.length;
    destination.growing(block.size(), bytes, call.limits());
    Slice pushed = new Slice();
    for (byte[] element : toHead ? block.reversed() : block) {
      pushed.wrap(element);
      if (toHead) destination.pushHead(pushed, call.limits());
      else destination.pushTail(pushed, call.limits());
    }
  }
}
