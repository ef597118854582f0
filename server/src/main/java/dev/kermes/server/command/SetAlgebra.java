package dev.kermes.server.command;

import dev.kermes.server.data.BytesVisitor;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.engine.KeyspaceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Unions, intersections and differences of sets. */
final class SetAlgebra {

  enum Operation {
    UNION,
    INTERSECTION,
    DIFFERENCE
  }

  private SetAlgebra() {}

  static void reply(Call call, Operation operation) {
    List<RedisSet> sets = read(call, 1, call.argc());
    if (sets == null) return;
    DeferredArray found = new DeferredArray(call.reply());
    visit(
        call, operation, sets, (array, offset, length) -> found.next().bulk(array, offset, length));
    found.finishSet();
  }

  static void store(Call call, Operation operation, String event) {
    List<RedisSet> sets = read(call, 2, call.argc());
    if (sets == null) return;
    RedisSet result = new RedisSet(call.hashSeed());
    visit(call, operation, sets, adder(call, result));
    if (result.size() > 0) {
      call.create(1, result);
      call.changed(1, KeyspaceEvent.SET, event);
    } else if (call.delete(1)) {
      call.changed(1, KeyspaceEvent.GENERIC, "del");
    }
    call.reply().integer(result.size());
  }

  private static BytesVisitor adder(Call call, RedisSet result) {
    return (array, offset, length) -> {
      boolean unused = result.add(array, offset, length, call.limits());
    };
  }

  static void replyCardinality(Call call) {
    String message = "ERR numkeys should be greater than 0";
    long keys = Arguments.within(call, 1, 1, Long.MAX_VALUE, message);
    if (!call.failed() && keys > call.argc() - 2) {
      call.error("ERR Number of keys can't be greater than number of args");
    }
    if (call.failed()) return;
    int end = 2 + (int) keys;
    long limit = limit(call, end);
    if (call.failed()) return;
    List<RedisSet> sets = read(call, 2, end);
    if (sets != null) call.reply().integer(cardinality(sets, limit));
  }

  /** The last of the LIMIT options from there on; 0 is none. */
  private static long limit(Call call, int from) {
    long limit = 0;
    for (int i = from; i < call.argc() && !call.failed(); i += 2) {
      if (i + 1 < call.argc() && call.is(i, "LIMIT")) {
        limit = Arguments.within(call, i + 1, 0, Long.MAX_VALUE, "ERR LIMIT can't be negative");
      } else {
        call.syntaxError();
      }
    }
    return limit;
  }

  /** The sets of those arguments, empty ones for missing keys; null if WRONGTYPE was replied. */
  private static @Nullable List<RedisSet> read(Call call, int from, int to) {
    List<RedisSet> sets = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      RedisSet set = call.read(i, RedisSet.class);
      if (call.failed()) return null;
      sets.add(set != null ? set : new RedisSet(call.hashSeed()));
    }
    return sets;
  }

  /** Shows every member of the result once. */
  private static void visit(
      Call call, Operation operation, List<RedisSet> sets, BytesVisitor visitor) {
    switch (operation) {
      case UNION -> union(call, sets).forEach(visitor);
      case INTERSECTION -> intersect(sets, visitor);
      case DIFFERENCE -> subtract(sets, visitor);
    }
  }

  private static RedisSet union(Call call, List<RedisSet> sets) {
    RedisSet union = new RedisSet(call.hashSeed());
    for (RedisSet set : sets) set.forEach(adder(call, union));
    return union;
  }

  private static void intersect(List<RedisSet> sets, BytesVisitor visitor) {
    RedisSet smallest = smallest(sets);
    smallest.forEach((array, offset, length) -> {
      if (allOthersContain(sets, smallest, array, offset, length)) {
        visitor.visit(array, offset, length);
      }
    });
  }

  private static RedisSet smallest(List<RedisSet> sets) {
    RedisSet smallest = sets.get(0);
    for (RedisSet set : sets) if (set.size() < smallest.size()) smallest = set;
    return smallest;
  }

  private static boolean allOthersContain(
      List<RedisSet> sets, RedisSet but, byte[] array, int offset, int length) {
    for (RedisSet set : sets) {
      if (set != but && !set.contains(array, offset, length)) return false;
    }
    return true;
  }

  private static void subtract(List<RedisSet> sets, BytesVisitor visitor) {
    List<RedisSet> others = sets.subList(1, sets.size());
    sets.get(0)
        .forEach((array, offset, length) -> {
          for (RedisSet other : others) if (other.contains(array, offset, length)) return;
          visitor.visit(array, offset, length);
        });
  }

  private static long cardinality(List<RedisSet> sets, long limit) {
    RedisSet smallest = smallest(sets);
    long[] count = new long[1];
    long cursor = 0;
    do {
      cursor =
          smallest.scan(
              cursor,
              (array, offset, length) -> {
                if (allOthersContain(sets, smallest, array, offset, length)) count[0]++;
              });
    } while (cursor != 0 && (limit == 0 || count[0] < limit));
    return limit == 0 ? count[0] : Math.min(count[0], limit);
  }
}
