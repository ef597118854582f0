package dev.kermes.server.command.set;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.BytesVisitor;
import dev.kermes.server.data.Elements;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
    visit(call, operation, sets, member -> member.write(found.next()));
    found.finishSet();
  }

  static void store(Call call, Operation operation, String event) {
    List<RedisSet> sets = read(call, 2, call.argc());
    if (sets == null) return;
    RedisSet result = operation == Operation.UNION ? union(call, sets) : set(call, operation, sets);
    if (result.size() > 0) {
      call.create(1, result);
      call.changed(1, KeyspaceEvent.SET, event);
    } else if (call.delete(1)) {
      call.changed(1, KeyspaceEvent.GENERIC, "del");
    }
    call.reply().integer(result.size());
  }

  private static RedisSet set(Call call, Operation operation, List<RedisSet> sets) {
    Elements members = new Elements();
    visit(
        call,
        operation,
        sets,
        member -> members.visit(member.array(), member.offset(), member.length()));
    RedisSet source = operation == Operation.INTERSECTION ? smallest(sets) : sets.get(0);
    if (members.count() == source.size()) return union(call, List.of(source));
    RedisSet set = RedisSet.of(members, new ListPack(), call.limits(), call.hashSeed());
    return Objects.requireNonNull(set, "a member twice");
  }

  private static Consumer<Slice> adder(Call call, RedisSet result) {
    return member -> {
      boolean unused = result.add(member, call.limits());
    };
  }

  static void replyCardinality(Call call, Operation operation) {
    String message = "ERR numkeys should be greater than 0";
    long keys = Arguments.integerOrError(call, 1, 1, Long.MAX_VALUE, message);
    if (!call.failed() && keys > call.argc() - 2) {
      call.error("ERR Number of keys can't be greater than number of args");
    }
    if (call.failed()) return;
    int end = 2 + (int) keys;
    long limit = limit(call, end, operation == Operation.UNION);
    if (call.failed()) return;
    List<RedisSet> sets = read(call, 2, end);
    if (sets == null) return;
    long most = limit == 0 ? Long.MAX_VALUE : limit;
    call.reply().integer(Math.min(cardinality(call, operation, sets, most), most));
  }

  /** The last of the LIMIT options from an argument on; 0 for no limit. */
  private static long limit(Call call, int from, boolean mayEstimate) {
    long limit = 0;
    for (int i = from; i < call.argc() && !call.failed(); i++) {
      if (i + 1 < call.argc() && call.is(i, "LIMIT")) {
        limit =
            Arguments.integerOrError(call, ++i, 0, Long.MAX_VALUE, "ERR LIMIT can't be negative");
      } else if (!mayEstimate || !call.is(i, "APPROX")) {
        call.syntaxError();
      }
    }
    return limit;
  }

  /** The sets in those arguments, empty for missing keys; null after replying WRONGTYPE. */
  private static @Nullable List<RedisSet> read(Call call, int from, int to) {
    List<RedisSet> sets = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      RedisSet set = call.read(i, RedisSet.class);
      if (call.failed()) return null;
      sets.add(set != null ? set : new RedisSet(call.hashSeed()));
    }
    return sets;
  }

  /** Visits every member of the result once; the slice is valid during the call only. */
  private static void visit(
      Call call, Operation operation, List<RedisSet> sets, Consumer<Slice> visitor) {
    switch (operation) {
      case UNION -> union(call, sets).forEach(slicing(visitor));
      case INTERSECTION -> intersect(sets, Long.MAX_VALUE, () -> true, visitor);
      case DIFFERENCE -> subtract(call, sets, () -> true, visitor);
    }
  }

  private static RedisSet union(Call call, List<RedisSet> sets) {
    RedisSet union = new RedisSet(call.hashSeed());
    List<RedisSet> largestFirst = new ArrayList<>(sets);
    largestFirst.sort(Comparator.comparingLong(RedisSet::size).reversed());
    for (RedisSet set : largestFirst) union.addAll(set, call.limits());
    return union;
  }

  /** Gives a visitor of slices a slice that moves from member to member. */
  private static BytesVisitor slicing(Consumer<Slice> visitor) {
    Slice member = new Slice();
    return (array, offset, length) -> visitor.accept(member.wrap(array, offset, length));
  }

  private static void intersect(
      List<RedisSet> sets, long most, BooleanSupplier wantsMore, Consumer<Slice> visitor) {
    RedisSet smallest = smallest(sets);
    List<RedisSet> others = sets.stream().filter(set -> set != smallest).toList();
    visitTested(smallest, others, true, most, wantsMore, visitor);
  }

  /** Visits the members of a set that all others have, or those that none of them has. */
  private static void visitTested(
      RedisSet set,
      List<RedisSet> others,
      boolean areIn,
      long most,
      BooleanSupplier wantsMore,
      Consumer<Slice> visitor) {
    if (others.isEmpty()) {
      set.forEachWhile(wantsMore, slicing(visitor));
      return;
    }
    long members = Math.min(set.size(), most);
    List<Predicate<Slice>> tests =
        others.stream().skip(1).map(other -> other.membership(members)).toList();
    Consumer<Slice> tester =
        member -> {
          for (Predicate<Slice> test : tests) if (test.test(member) != areIn) return;
          visitor.accept(member);
        };
    set.forEachIn(others.get(0), areIn, most, wantsMore, slicing(tester));
  }

  private static RedisSet smallest(List<RedisSet> sets) {
    RedisSet smallest = sets.get(0);
    for (RedisSet set : sets) if (set.size() < smallest.size()) smallest = set;
    return smallest;
  }

  private static void subtract(
      Call call, List<RedisSet> sets, BooleanSupplier wantsMore, Consumer<Slice> visitor) {
    RedisSet first = sets.get(0);
    List<RedisSet> others = others(sets);
    if (others.contains(first)) return;
    if (isRemovalCheaper(sets)) remaining(call, sets).forEachWhile(wantsMore, slicing(visitor));
    else visitTested(first, others, false, first.size(), wantsMore, visitor);
  }

  /** The other sets, beginning with those most likely to contain a member. */
  private static List<RedisSet> others(List<RedisSet> sets) {
    List<RedisSet> others = new ArrayList<>(sets.subList(1, sets.size()));
    others.sort(Comparator.comparingLong(RedisSet::size).reversed());
    return others;
  }

  /**
   * Whether to remove the members of the other sets from a copy of the first one, instead of
   * looking up each of its members in the others; a lookup usually ends early.
   */
  private static boolean isRemovalCheaper(List<RedisSet> sets) {
    long members = 0;
    for (RedisSet set : sets) members += set.size();
    return sets.get(0).size() * sets.size() / 2 > members;
  }

  private static RedisSet remaining(Call call, List<RedisSet> sets) {
    RedisSet remaining = new RedisSet(call.hashSeed());
    remaining.addAll(sets.get(0), call.limits());
    Slice member = new Slice();
    for (RedisSet other : sets.subList(1, sets.size())) {
      if (remaining.size() == 0) break;
      other.forEach((array, offset, length) -> {
        boolean unused = remaining.remove(member.wrap(array, offset, length));
      });
    }
    return remaining;
  }

  /** The number of members of the result, counted no further than necessary. */
  private static long cardinality(Call call, Operation operation, List<RedisSet> sets, long most) {
    if (operation == Operation.UNION) return unionCardinality(call, sets, most);
    long[] count = new long[1];
    BooleanSupplier wantsMore = () -> count[0] < most;
    Consumer<Slice> counter = member -> count[0]++;
    if (operation == Operation.INTERSECTION) intersect(sets, most, wantsMore, counter);
    else subtract(call, sets, wantsMore, counter);
    return count[0];
  }

  private static long unionCardinality(Call call, List<RedisSet> sets, long most) {
    RedisSet union = new RedisSet(call.hashSeed());
    BytesVisitor adder = slicing(adder(call, union));
    for (RedisSet set : sets) set.forEachWhile(() -> union.size() < most, adder);
    return union.size();
  }
}
