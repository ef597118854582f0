package dev.kermes.server.command.list;

import dev.kermes.resp.RespWriter;
import dev.kermes.resp.SpareArrays;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallWait;
import dev.kermes.server.command.IndexRange;
import dev.kermes.server.command.LongReply;
import dev.kermes.server.command.MultiPop;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.Slice;
import java.util.List;

/** Lists. Both ends are O(1), an index is O(n) with a small factor; see {@link RedisList}. */
public final class ListCommands {

  /** 4,096 elements: a longer range is written in pieces, between the turns of other clients. */
  private static final int WHOLE_REPLY_MAX = 4096;

  private ListCommands() {}

  // Pushing

  /**
   * LPUSH key element [element ...]: prepends, creating the list; replies its length. O(elements).
   * WRONGTYPE if not a list.
   */
  public static void lpush(Call call) {
    push(call, true, true);
  }

  /**
   * RPUSH key element [element ...]: appends, creating the list; replies its length. O(elements).
   * WRONGTYPE if not a list.
   */
  public static void rpush(Call call) {
    push(call, false, true);
  }

  /**
   * LPUSHX key element [element ...]: prepends if the list exists; replies its length or 0.
   * O(elements). WRONGTYPE if not a list.
   */
  public static void lpushx(Call call) {
    push(call, true, false);
  }

  /**
   * RPUSHX key element [element ...]: appends if the list exists; replies its length or 0.
   * O(elements). WRONGTYPE if not a list.
   */
  public static void rpushx(Call call) {
    push(call, false, false);
  }

  private static void push(Call call, boolean head, boolean creates) {
    RedisList list = call.write(1, RedisList.class);
    if (call.failed()) return;
    if (list == null && !creates) {
      call.reply().integer(0);
      return;
    }
    boolean fresh = list == null;
    if (list == null) list = new RedisList();
    pushAll(call, list, head);
    grown(call, 1, list, fresh);
    call.changed(1, KeyspaceEvent.LIST, head ? "lpush" : "rpush", call.argc() - 2L);
    call.reply().integer(list.size());
  }

  private static void pushAll(Call call, RedisList list, boolean head) {
    long bytes = 0;
    for (int i = 2; i < call.argc(); i++) bytes += call.length(i);
    list.growing(call.argc() - 2, bytes, call.limits());
    for (int i = 2; i < call.argc(); i++) push(call, list, head, i);
  }

  private static void push(Call call, RedisList list, boolean head, int i) {
    Slice element = call.slice(i);
    if (element.length() >= SpareArrays.LENGTH_MIN
        && list.isOwnNode(element.length(), call.limits())) {
      list.push(ListPack.of(element, call.execution().takeSpare(ListPack.length(element))), head);
    } else if (head) {
      list.pushHead(element, call.limits());
    } else {
      list.pushTail(element, call.limits());
    }
  }

  /**
   * LINSERT key BEFORE|AFTER pivot element: inserts next to the first pivot; replies the length, -1
   * without pivot, 0 without list. O(n). WRONGTYPE if not a list.
   */
  public static void linsert(Call call) {
    boolean before = call.is(2, "BEFORE");
    if (!before && !call.is(2, "AFTER")) {
      call.syntaxError();
      return;
    }
    RedisList list = call.write(1, RedisList.class);
    if (call.failed()) return;
    if (list == null) {
      call.reply().integer(0);
      return;
    }
    list.growing(1, call.length(4), call.limits());
    if (!insert(call, list, before)) {
      call.reply().integer(-1);
      return;
    }
    call.markReady(1);
    call.changed(1, KeyspaceEvent.LIST, "linsert");
    call.reply().integer(list.size());
  }

  private static boolean insert(Call call, RedisList list, boolean before) {
    RedisList.Cursor cursor = list.seek(0);
    cursor.find(new ListPack.Search(call.slice(3), Long.MAX_VALUE));
    if (!cursor.isOn()) return false;
    if (before) cursor.insertBefore(call.slice(4), call.limits());
    else cursor.insertAfter(call.slice(4), call.limits());
    return true;
  }

  // Popping and moving

  /**
   * LPOP key [count]: removes from the head; replies the element, or up to count as an array; nil
   * without list. O(count). WRONGTYPE if not a list.
   */
  public static void lpop(Call call) {
    pop(call, true, "lpop");
  }

  /**
   * RPOP key [count]: removes from the tail; replies the element, or up to count as an array; nil
   * without list. O(count). WRONGTYPE if not a list.
   */
  public static void rpop(Call call) {
    pop(call, false, "rpop");
  }

  private static void pop(Call call, boolean head, String name) {
    if (call.argc() > 3) {
      Arguments.wrongArity(call, name);
      return;
    }
    boolean counted = call.argc() == 3;
    long count = Arguments.optionalCount(call, 2);
    if (call.failed()) return;
    RedisList list = call.write(1, RedisList.class);
    if (call.failed()) return;
    if (list == null) CallWait.replyTimeout(call.reply(), counted);
    else if (!counted) popOne(call, 1, list, head);
    else popMany(call, 1, list, head, count);
  }

  private static void popOne(Call call, int keyArg, RedisList list, boolean head) {
    if (head) list.popHead(call.reply());
    else list.popTail(call.reply());
    popped(call, keyArg, list, head, 1);
  }

  /** Pops up to {@code count} elements as one array. */
  static void popMany(Call call, int keyArg, RedisList list, boolean head, long count) {
    long length = Math.min(count, list.size());
    call.reply().array((int) length);
    if (length == 0) return;
    if (head) {
      list.write(0, length, call.reply());
      list.dropHead(length);
    } else {
      list.writeBackwards(-1, length, call.reply());
      list.dropTail(length);
    }
    popped(call, keyArg, list, head, length);
  }

  /** Stores a new list, or wakes clients of BLMOVEM that wait for a longer one. */
  static void grown(Call call, int keyArg, RedisList list, boolean fresh) {
    if (fresh) call.create(keyArg, list);
    else call.markReady(keyArg);
  }

  static void popped(Call call, int keyArg, RedisList list, boolean head, long count) {
    list.shrunk(call.limits());
    call.changed(keyArg, KeyspaceEvent.LIST, head ? "lpop" : "rpop", count);
    call.removeIfEmpty(keyArg, list);
  }

  /**
   * LMPOP numkeys key [key ...] LEFT|RIGHT [COUNT count]: pops from the first list that exists;
   * replies its key and the elements, or nil. O(keys + count). WRONGTYPE if not a list.
   */
  public static void lmpop(Call call) {
    MultiPop.execute(call, "LEFT", "RIGHT", ListCommands::popFrom);
  }

  /**
   * BLMPOP timeout numkeys key [key ...] LEFT|RIGHT [COUNT count]: LMPOP that waits for a list; nil
   * after the timeout. O(keys + count). WRONGTYPE if not a list.
   */
  public static void blmpop(Call call) {
    MultiPop.executeBlocking(call, "LEFT", "RIGHT", ListCommands::popFrom);
  }

  private static boolean popFrom(Call call, int keyArg, MultiPop pop) {
    RedisList list = call.write(keyArg, RedisList.class);
    if (list == null) return call.failed();
    MultiPop.replyKey(call, keyArg);
    long count = Math.min(pop.count(), list.size());
    popMany(call, keyArg, list, pop.first(), count);
    PropagatedCommands.popped(call, pop.first() ? "LPOP" : "RPOP", keyArg, count);
    return true;
  }

  /**
   * BLPOP key [key ...] timeout: pops from the head of the first list that exists, waiting for one;
   * replies key and element, nil after the timeout. O(keys). WRONGTYPE if not a list.
   */
  public static void blpop(Call call) {
    blockingPop(call, true);
  }

  /**
   * BRPOP key [key ...] timeout: pops from the tail of the first list that exists, waiting for one;
   * replies key and element, nil after the timeout. O(keys). WRONGTYPE if not a list.
   */
  public static void brpop(Call call) {
    blockingPop(call, false);
  }

  private static void blockingPop(Call call, boolean head) {
    int last = call.argc() - 2;
    double timeout = Arguments.timeoutSeconds(call, last + 1);
    if (call.failed()) return;
    for (int i = 1; i <= last; i++) {
      RedisList list = call.write(i, RedisList.class);
      if (call.failed()) return;
      if (list == null) continue;
      call.reply().array(2);
      call.slice(i).write(call.reply());
      popOne(call, i, list, head);
      PropagatedCommands.popped(call, head ? "LPOP" : "RPOP", i);
      return;
    }
    call.waiting().forKeys(1, last, timeout, true);
  }

  /**
   * RPOPLPUSH source destination: moves the tail of one list to the head of another; replies the
   * element, nil without source. O(1). WRONGTYPE if not a list.
   */
  public static void rpoplpush(Call call) {
    if (!move(call, false, true) && !call.failed()) call.reply().nil();
  }

  /**
   * LMOVE source destination LEFT|RIGHT LEFT|RIGHT: moves an element from an end of one list to an
   * end of another; replies it, nil without source. O(1). WRONGTYPE if not a list.
   */
  public static void lmove(Call call) {
    if (!sidesAreValid(call)) return;
    boolean moved = move(call, call.is(3, "LEFT"), call.is(4, "LEFT"));
    if (!moved && !call.failed()) call.reply().nil();
  }

  /**
   * BRPOPLPUSH source destination timeout: RPOPLPUSH that waits for the source; nil after the
   * timeout. O(1). WRONGTYPE if not a list.
   */
  public static void brpoplpush(Call call) {
    double timeout = Arguments.timeoutSeconds(call, 3);
    if (call.failed()) return;
    boolean moved = move(call, false, true);
    if (moved && call.log().isRead()) call.log().instead("RPOPLPUSH", call.arg(1), call.arg(2));
    if (moved || call.failed()) return;
    call.waiting().forKeys(1, 1, timeout, !call.isInTransaction());
  }

  /**
   * BLMOVE source destination LEFT|RIGHT LEFT|RIGHT timeout: LMOVE that waits for the source; nil
   * after the timeout. O(1). WRONGTYPE if not a list.
   */
  public static void blmove(Call call) {
    if (!sidesAreValid(call)) return;
    double timeout = Arguments.timeoutSeconds(call, 5);
    if (call.failed()) return;
    boolean moved = move(call, call.is(3, "LEFT"), call.is(4, "LEFT"));
    if (moved && call.log().isRead()) {
      call.log().instead("LMOVE", call.arg(1), call.arg(2), call.arg(3), call.arg(4));
    }
    if (moved || call.failed()) return;
    call.waiting().forKeys(1, 1, timeout, !call.isInTransaction());
  }

  /**
   * LMOVEM source destination LEFT|RIGHT LEFT|RIGHT [COUNT|EXACTLY count OBO|BULK]: moves several
   * elements; replies them in their new order, nil if there are fewer than EXACTLY requires.
   * O(elements). WRONGTYPE if not a list.
   */
  public static void lmovem(Call call) {
    ListMove move = ListMove.parse(call, 5);
    if (move == null || move.execute(call)) return;
    if (move.exactly()) call.reply().nilArray();
    else call.reply().array(0);
  }

  /**
   * BLMOVEM source destination LEFT|RIGHT LEFT|RIGHT timeout [COUNT|EXACTLY count OBO|BULK]: LMOVEM
   * that waits for enough elements; nil after the timeout. O(elements). WRONGTYPE if not a list.
   */
  public static void blmovem(Call call) {
    ListMove move = ListMove.parse(call, 6);
    if (move == null) return;
    double timeout = Arguments.timeoutSeconds(call, 5);
    if (call.failed()) return;
    if (move.execute(call)) {
      logMove(call);
      return;
    }
    call.waiting().forKeys(1, 1, timeout, true);
  }

  /** Logs LMOVEM, which is BLMOVEM without its timeout. */
  private static void logMove(Call call) {
    if (!call.log().isRead() || call.failed()) return;
    List<byte[]> arguments = call.storedCommand().arguments();
    arguments.remove(5);
    arguments.set(0, PropagatedCommands.ascii("LMOVEM"));
    call.log().instead(arguments);
  }

  static boolean sidesAreValid(Call call) {
    for (int i = 3; i <= 4; i++) {
      if (call.is(i, "LEFT") || call.is(i, "RIGHT")) continue;
      call.syntaxError();
      return false;
    }
    return true;
  }

  /** Moves an element and replies it; false if the source is missing or a type is wrong. */
  private static boolean move(Call call, boolean fromHead, boolean toHead) {
    RedisList source = call.write(1, RedisList.class);
    if (source == null) return false;
    RedisList destination = call.write(2, RedisList.class);
    if (call.failed()) return false;
    boolean fresh = destination == null;
    if (destination == null) destination = new RedisList();
    byte[] element = source.pop(fromHead);
    destination.growing(1, element.length, call.limits());
    if (toHead) destination.pushHead(Slice.of(element), call.limits());
    else destination.pushTail(Slice.of(element), call.limits());
    grown(call, 2, destination, fresh);
    call.changed(2, KeyspaceEvent.LIST, toHead ? "lpush" : "rpush");
    popped(call, 1, source, fromHead, 0); // one change in total
    call.reply().bulk(element);
    return true;
  }

  // Reading

  /**
   * LLEN key: replies the length of the list, 0 if there is none. O(1). WRONGTYPE if not a list.
   */
  public static void llen(Call call) {
    RedisList list = call.read(1, RedisList.class);
    if (call.failed()) return;
    call.reply().integer(list == null ? 0 : list.size());
  }

  /**
   * LINDEX key index: replies the element at that index, from the end if negative; nil if there is
   * none. O(n). WRONGTYPE if not a list.
   */
  public static void lindex(Call call) {
    RedisList list = call.read(1, RedisList.class);
    if (call.failed()) return;
    if (list == null) {
      call.reply().nil();
      return;
    }
    long index = call.integer(2);
    if (call.failed()) return;
    RedisList.Cursor cursor = list.seek(index);
    if (cursor.isOn()) cursor.write(call.reply());
    else call.reply().nil();
  }

  /**
   * LRANGE key start stop: replies the elements from one index to the other, both included, from
   * the end if negative. O(start + elements). WRONGTYPE if not a list.
   */
  public static void lrange(Call call) {
    IndexRange range = IndexRange.parse(call, 2);
    if (range == null) return;
    RedisList list = call.read(1, RedisList.class);
    if (call.failed()) return;
    long length = list == null ? 0 : range.length(list.size());
    call.reply().array((int) length);
    if (list == null || length == 0) return;
    long from = range.from(list.size());
    if (length > WHOLE_REPLY_MAX && LongReply.mayFollow(call))
      LongReply.follow(call, list.freeze(from, length));
    else list.write(from, length, call.reply());
  }

  /**
   * LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]: replies the index of the
   * element, or an array of indices with COUNT. O(n). WRONGTYPE if not a list.
   */
  public static void lpos(Call call) {
    ListPosition position = ListPosition.parse(call);
    if (position == null) return;
    RedisList list = call.read(1, RedisList.class);
    if (call.failed()) return;
    RespWriter out = call.reply();
    if (list != null) position.reply(call, list);
    else if (position.isCounted()) out.array(0);
    else out.nil();
  }

  // Changing in place

  /**
   * LSET key index element: replaces the element at that index; replies OK. O(n). WRONGTYPE if not
   * a list, an error if there is no such key or index.
   */
  public static void lset(Call call) {
    RedisList list = call.write(1, RedisList.class);
    if (call.failed()) return;
    if (list == null) {
      call.error("ERR no such key");
      return;
    }
    long index = call.integer(2);
    if (call.failed()) return;
    list.growing(1, call.length(3), call.limits());
    RedisList.Cursor cursor = list.seek(index);
    if (!cursor.isOn()) {
      call.error("ERR index out of range");
      return;
    }
    cursor.replace(call.slice(3), call.limits());
    list.shrunk(call.limits());
    call.changed(1, KeyspaceEvent.LIST, "lset");
    call.reply().ok();
  }

  /**
   * LREM key count element: removes up to count equal elements, from the tail if negative, all if
   * 0; replies how many. O(n). WRONGTYPE if not a list.
   */
  public static void lrem(Call call) {
    long count = Arguments.signedCount(call, 2);
    if (call.failed()) return;
    RedisList list = call.write(1, RedisList.class);
    if (call.failed()) return;
    long removed = list == null ? 0 : remove(call, list, count);
    if (list != null && removed > 0) {
      list.shrunk(call.limits());
      call.changed(1, KeyspaceEvent.LIST, "lrem", removed);
      call.removeIfEmpty(1, list);
    }
    call.reply().integer(removed);
  }

  private static long remove(Call call, RedisList list, long count) {
    long most = count == 0 ? Long.MAX_VALUE : Math.abs(count);
    long removed = 0;
    RedisList.Cursor cursor = list.seek(count < 0 ? -1 : 0);
    ListPack.Search search = new ListPack.Search(call.slice(3), Long.MAX_VALUE);
    while (removed < most) {
      if (count < 0) cursor.findBackwards(search);
      else cursor.find(search);
      if (!cursor.isOn()) break;
      removed++;
      if (count < 0) cursor.removeThenPrevious();
      else cursor.removeThenNext();
    }
    return removed;
  }

  /**
   * LTRIM key start stop: keeps only the elements from one index to the other; replies OK.
   * O(removed). WRONGTYPE if not a list.
   */
  public static void ltrim(Call call) {
    IndexRange range = IndexRange.parse(call, 2);
    if (range == null) return;
    RedisList list = call.write(1, RedisList.class);
    if (call.failed()) return;
    if (list != null) {
      long size = list.size();
      long kept = range.length(size);
      long before = kept == 0 ? size : range.from(size);
      list.dropHead(before);
      list.dropTail(list.size() - kept);
      list.shrunk(call.limits());
      call.changed(1, KeyspaceEvent.LIST, "ltrim", size - kept);
      call.removeIfEmpty(1, list);
    }
    call.reply().ok();
  }
}
