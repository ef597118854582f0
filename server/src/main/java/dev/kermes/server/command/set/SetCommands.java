package dev.kermes.server.command.set;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.command.RandomReply;
import dev.kermes.server.command.ScanOptions;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.BytesVisitor;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sets. An access to a member is O(1); unions, intersections and differences are in {@link
 * SetAlgebra}.
 */
public final class SetCommands {

  /** The most popped members that one command of the log removes, as in Valkey. */
  private static final int REMOVAL_MAX = 1024;

  private SetCommands() {}

  /**
   * SADD key member [member ...]: adds members, creating the set; replies how many were new.
   * O(members). WRONGTYPE if not a set.
   */
  public static void sadd(Call call) {
    RedisSet set = call.write(1, RedisSet.class);
    if (call.failed()) return;
    boolean fresh = set == null;
    if (set == null) set = new RedisSet(call.hashSeed());
    int added = set.addAll(call.argc() - 2, i -> call.slice(i + 2), call.limits());
    if (fresh) call.create(1, set);
    if (added > 0) call.changed(1, KeyspaceEvent.SET, "sadd", added);
    call.reply().integer(added);
  }

  /**
   * SREM key member [member ...]: removes members; replies how many there were. O(members).
   * WRONGTYPE if not a set.
   */
  public static void srem(Call call) {
    RedisSet set = call.write(1, RedisSet.class);
    if (call.failed()) return;
    int removed = set == null ? 0 : set.removeAll(call.argc() - 2, i -> call.slice(i + 2));
    if (set != null && removed > 0) {
      call.changed(1, KeyspaceEvent.SET, "srem", removed);
      call.removeIfEmpty(1, set);
    }
    call.reply().integer(removed);
  }

  /**
   * SMOVE source destination member: moves a member between sets; replies 1, or 0 if the source
   * does not have it. O(1). WRONGTYPE if not a set.
   */
  public static void smove(Call call) {
    RedisSet source = call.write(1, RedisSet.class);
    if (call.failed()) return;
    if (source == null) {
      call.reply().integer(0);
      return;
    }
    RedisSet destination = call.write(2, RedisSet.class);
    if (call.failed()) return;
    boolean moves = contains(call, source, 3);
    if (moves && source != destination) move(call, source, destination);
    call.reply().integer(moves ? 1 : 0);
  }

  private static void move(Call call, RedisSet source, @Nullable RedisSet destination) {
    boolean unused = source.remove(call.slice(3));
    call.changed(1, KeyspaceEvent.SET, "srem");
    call.removeIfEmpty(1, source);
    boolean fresh = destination == null;
    if (destination == null) destination = new RedisSet(call.hashSeed());
    boolean added = destination.add(call.slice(3), call.limits());
    if (fresh) call.create(2, destination);
    if (added) call.changed(2, KeyspaceEvent.SET, "sadd");
  }

  private static boolean contains(Call call, RedisSet set, int i) {
    return set.contains(call.slice(i));
  }

  /**
   * SISMEMBER key member: replies 1 if the set has the member, else 0. O(1). WRONGTYPE if not a
   * set.
   */
  public static void sismember(Call call) {
    RedisSet set = call.read(1, RedisSet.class);
    if (call.failed()) return;
    call.reply().integer(set != null && contains(call, set, 2) ? 1 : 0);
  }

  /**
   * SMISMEMBER key member [member ...]: replies an array of 1 and 0. O(members). WRONGTYPE if not a
   * set.
   */
  public static void smismember(Call call) {
    RedisSet set = call.read(1, RedisSet.class);
    if (call.failed()) return;
    int members = call.argc() - 2;
    Predicate<Slice> membership = set == null ? member -> false : set.membership(members);
    call.reply().array(members);
    for (int i = 2; i < call.argc(); i++) {
      call.reply().integer(membership.test(call.slice(i)) ? 1 : 0);
    }
  }

  /** SCARD key: replies the number of members, 0 without set. O(1). WRONGTYPE if not a set. */
  public static void scard(Call call) {
    RedisSet set = call.read(1, RedisSet.class);
    if (call.failed()) return;
    call.reply().integer(set == null ? 0 : set.size());
  }

  /** SMEMBERS key: replies all members as a set. O(n). WRONGTYPE if not a set. */
  public static void smembers(Call call) {
    RedisSet set = call.read(1, RedisSet.class);
    if (call.failed()) return;
    call.reply().set(set == null ? 0 : (int) set.size());
    if (set != null) set.forEach(call.reply()::bulk);
  }

  /**
   * SPOP key [count]: removes random members; replies one, nil without set, or a set of up to
   * count. O(count). WRONGTYPE if not a set.
   */
  public static void spop(Call call) {
    boolean counted = call.argc() > 2;
    long count = Arguments.optionalCount(call, 2);
    if (call.failed()) return;
    RedisSet set = call.write(1, RedisSet.class);
    if (call.failed()) return;
    long popped = set == null ? 0 : Math.min(count, set.size());
    if (counted) call.reply().set((int) popped);
    else if (set == null) call.reply().nil();
    if (set == null || popped == 0) return;
    if (popped == set.size() && counted) popAll(call, set);
    else popSome(call, set, popped);
    call.changed(1, KeyspaceEvent.SET, "spop", popped);
    call.removeIfEmpty(1, set);
  }

  private static void popSome(Call call, RedisSet set, long count) {
    for (long left = count; left > 0; left -= REMOVAL_MAX) {
      popPart(call, set, Math.min(left, REMOVAL_MAX));
    }
  }

  private static void popPart(Call call, RedisSet set, long count) {
    List<byte[]> removal = new ArrayList<>(List.of(PropagatedCommands.ascii("SREM"), call.arg(1)));
    for (long i = 0; i < count; i++) {
      byte[] member = random(call, set);
      boolean unused = set.remove(Slice.of(member));
      removal.add(member);
      call.reply().bulk(member);
    }
    call.log().instead(removal);
  }

  private static byte[] random(Call call, RedisSet set) {
    byte[][] drawn = new byte[1][];
    set.random(
        call.random(),
        (array, offset, length) -> drawn[0] = Arrays.copyOfRange(array, offset, offset + length));
    return drawn[0];
  }

  private static void popAll(Call call, RedisSet set) {
    set.forEach(call.reply()::bulk);
    set.clear();
    PropagatedCommands.deleted(
        call, 1, call.engine().settings().memoryOptions().lazyReplacing.isOn());
  }

  /**
   * SRANDMEMBER key [count]: replies a random member, or an array of count different members; if
   * count is negative, of -count possibly repeated ones. O(count). WRONGTYPE if not a set.
   */
  public static void srandmember(Call call) {
    if (call.argc() > 3) {
      call.syntaxError();
      return;
    }
    RandomReply draw = RandomReply.parse(call, "");
    if (draw == null) return;
    RedisSet set = call.read(1, RedisSet.class);
    if (call.failed()) return;
    draw.reply(call, set == null ? RandomReply.NOTHING : new SetElements(set));
  }

  private record SetElements(RedisSet set) implements RandomReply.Elements {

    @Override
    public long size() {
      return set.size();
    }

    @Override
    public boolean isWalkedToDraw() {
      return set.encoding().equals("listpack");
    }

    @Override
    public void draw(Call call, RandomReply.ElementVisitor visitor) {
      set.random(
          call.random(),
          (a, offset, length) -> visitor.visit(a, offset, length, RandomReply::writeNothing));
    }

    @Override
    public void forEach(RandomReply.ElementVisitor visitor) {
      set.forEach(
          (a, offset, length) -> visitor.visit(a, offset, length, RandomReply::writeNothing));
    }
  }

  /**
   * SSCAN key cursor [MATCH pattern] [COUNT count]: replies the next cursor and some members.
   * O(count). WRONGTYPE if not a set.
   */
  public static void sscan(Call call) {
    ScanOptions.walk(
        call,
        RedisSet.class,
        null,
        (set, page) -> {
          BytesVisitor visitor =
              (array, offset, length) -> {
                if (page.takes(array, offset, length)) page.next().bulk(array, offset, length);
              };
          return at -> set.scan(at, visitor);
        });
  }

  // Several sets

  /**
   * SINTER key [key ...]: replies the members that all sets have. O(smallest x keys). WRONGTYPE if
   * one is not a set.
   */
  public static void sinter(Call call) {
    SetAlgebra.reply(call, SetAlgebra.Operation.INTERSECTION);
  }

  /**
   * SUNION key [key ...]: replies the members that any set has. O(all members). WRONGTYPE if one is
   * not a set.
   */
  public static void sunion(Call call) {
    SetAlgebra.reply(call, SetAlgebra.Operation.UNION);
  }

  /**
   * SDIFF key [key ...]: replies the first set's members that no other has. O(first x keys).
   * WRONGTYPE if one is not a set.
   */
  public static void sdiff(Call call) {
    SetAlgebra.reply(call, SetAlgebra.Operation.DIFFERENCE);
  }

  /**
   * SINTERSTORE destination key [key ...]: stores the reply of SINTER, or deletes the destination
   * if it is empty; replies its size. O(smallest x keys). WRONGTYPE if one is not a set.
   */
  public static void sinterstore(Call call) {
    SetAlgebra.store(call, SetAlgebra.Operation.INTERSECTION, "sinterstore");
  }

  /**
   * SUNIONSTORE destination key [key ...]: stores the reply of SUNION, or deletes the destination
   * if it is empty; replies its size. O(all members). WRONGTYPE if one is not a set.
   */
  public static void sunionstore(Call call) {
    SetAlgebra.store(call, SetAlgebra.Operation.UNION, "sunionstore");
  }

  /**
   * SDIFFSTORE destination key [key ...]: stores the reply of SDIFF, or deletes the destination if
   * it is empty; replies its size. O(first x keys). WRONGTYPE if one is not a set.
   */
  public static void sdiffstore(Call call) {
    SetAlgebra.store(call, SetAlgebra.Operation.DIFFERENCE, "sdiffstore");
  }

  /**
   * SINTERCARD numkeys key [key ...] [LIMIT limit]: replies the number of members of SINTER, at
   * most limit. O(smallest x keys). WRONGTYPE if one is not a set.
   */
  public static void sintercard(Call call) {
    SetAlgebra.replyCardinality(call, SetAlgebra.Operation.INTERSECTION);
  }

  /**
   * SUNIONCARD numkeys key [key ...] [APPROX] [LIMIT limit]: replies the number of members of
   * SUNION, at most limit. APPROX allows an estimate; this server counts. O(members). WRONGTYPE if
   * not sets.
   */
  public static void sunioncard(Call call) {
    SetAlgebra.replyCardinality(call, SetAlgebra.Operation.UNION);
  }

  /**
   * SDIFFCARD numkeys key [key ...] [LIMIT limit]: replies the number of members of SDIFF, at most
   * limit. O(members). WRONGTYPE if not sets.
   */
  public static void sdiffcard(Call call) {
    SetAlgebra.replyCardinality(call, SetAlgebra.Operation.DIFFERENCE);
  }
}
