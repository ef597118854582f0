package dev.kermes.server.command.sortedset;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.BytesVisitor;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.ScoredMembers;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Unions, intersections and differences of sorted sets, and of sets, whose members have the score
 * 1.
 */
final class SortedSetAlgebra {

  enum Operation {
    UNION,
    INTERSECTION,
    DIFFERENCE
  }

  /** The number of members that are visited before asking whether more are wanted. */
  private static final int AT_A_TIME = 64;

  /** The function that combines the scores of a member in several sets. */
  private enum Aggregate {
    SUM,
    MIN,
    MAX,
    /** The sum of the weights of the sets that have the member. */
    COUNT;

    /** Compares as C does: 0 and -0 are equal, and the first of them wins. */
    double of(double a, double b) {
      return switch (this) {
        case SUM, COUNT -> finite(a + b);
        case MIN -> b < a ? b : a;
        case MAX -> b > a ? b : a;
      };
    }

    double weighted(double score, double weight) {
      return this == COUNT ? weight : score * weight;
    }
  }

  /** A set of either kind, or null for a missing key, with the factor for its scores. */
  private record Source(@Nullable Value value, double weight) {

    long size() {
      return value == null ? 0 : value.size();
    }

    /** A function for the unweighted scores of that many members: NaN if one does not exist. */
    ToDoubleFunction<Slice> scores(long members) {
      if (value instanceof RedisSortedSet sorted) return sorted.scores(members);
      if (!(value instanceof RedisSet set)) return member -> Double.NaN;
      Predicate<Slice> membership = set.membership(members);
      return member -> membership.test(member) ? 1 : Double.NaN;
    }

    void forEach(RedisSortedSet.MemberVisitor visitor) {
      if (value instanceof RedisSortedSet sorted) sorted.forEach(visitor);
      else if (value instanceof RedisSet set) set.forEach(scoringOne(visitor));
    }

    /** Visits members until no more are wanted; some more may be visited. */
    void forEachWhile(BooleanSupplier wantsMore, RedisSortedSet.MemberVisitor visitor) {
      if (value instanceof RedisSet set) set.forEachWhile(wantsMore, scoringOne(visitor));
      if (!(value instanceof RedisSortedSet sorted)) return;
      long size = sorted.size();
      for (long rank = 0; rank < size && wantsMore.getAsBoolean(); rank += AT_A_TIME) {
        sorted.forEach(rank, AT_A_TIME, visitor);
      }
    }

    private static BytesVisitor scoringOne(RedisSortedSet.MemberVisitor visitor) {
      return (array, offset, length) -> visitor.visit(array, offset, length, 1);
    }
  }

  /** A set in which each member of the first one is looked up. */
  private record Other(ToDoubleFunction<Slice> scores, double weight) {

    double score(Slice member) {
      return scores.applyAsDouble(member);
    }
  }

  /** Replaces the result of infinities that cancel each other out by 0. */
  private static double finite(double score) {
    return Double.isNaN(score) ? 0 : score;
  }

  private final Call call;
  private final Operation operation;
  private final Slice member = new Slice();
  private List<Source> sources = new ArrayList<>();
  private Aggregate aggregate = Aggregate.SUM;
  private boolean withScores;
  private long limit;

  private SortedSetAlgebra(Call call, Operation operation) {
    this.call = call;
    this.operation = operation;
  }

  static void reply(Call call, Operation operation, String command) {
    SortedSetAlgebra algebra = new SortedSetAlgebra(call, operation);
    if (!algebra.parse(1, command, Form.REPLY)) return;
    ScoredMembers result = algebra.result();
    boolean nested = call.reply().protocol() == 3;
    boolean flatPairs = algebra.withScores && !nested;
    call.reply().array(flatPairs ? result.size() * 2 : result.size());
    result.forEach(
        algebra.withScores
            ? SortedSetRange.pairWriter(call.reply(), nested)
            : (array, offset, length, score) -> call.reply().bulk(array, offset, length));
  }

  static void store(Call call, Operation operation, String command) {
    SortedSetAlgebra algebra = new SortedSetAlgebra(call, operation);
    if (!algebra.parse(2, command, Form.STORE)) return;
    ScoredMembers members = algebra.result();
    RedisSortedSet result = RedisSortedSet.of(members, call.limits(), call.hashSeed());
    SortedSetRange.replace(call, Objects.requireNonNull(result, "a member twice"), command);
  }

  static void replyCardinality(Call call) {
    SortedSetAlgebra algebra = new SortedSetAlgebra(call, Operation.INTERSECTION);
    if (algebra.parse(1, "zintercard", Form.CARDINALITY)) {
      call.reply().integer(algebra.cardinality());
    }
  }

  // Arguments

  /** The use of the result, which determines the allowed options. */
  private enum Form {
    REPLY,
    STORE,
    CARDINALITY
  }

  /** Reads the arguments; false after replying an error. */
  private boolean parse(int numkeysArg, String command, Form form) {
    long keys = call.integer(numkeysArg);
    if (call.failed()) return false;
    if (keys < 1) {
      call.error("ERR at least 1 input key is needed for '" + command + "' command");
    } else if (keys > call.argc() - numkeysArg - 1) {
      call.syntaxError();
    }
    int first = numkeysArg + 1;
    for (int i = 0; i < keys && !call.failed(); i++) addSource(first + i);
    int at = first + (int) Math.min(keys, call.argc());
    while (at < call.argc() && !call.failed()) at += option(at, form);
    return !call.failed();
  }

  private void addSource(int keyArg) {
    Value value = call.read(keyArg, Value.class);
    if (call.failed()) return;
    boolean isSet = value instanceof RedisSortedSet || value instanceof RedisSet;
    if (value == null || isSet) sources.add(new Source(value, 1));
    else call.wrongType();
  }

  /** Reads one option and returns how many arguments it has. */
  private int option(int i, Form form) {
    int following = call.argc() - i - 1;
    boolean combines = operation != Operation.DIFFERENCE && form != Form.CARDINALITY;
    if (combines && following >= sources.size() && call.is(i, "WEIGHTS")) {
      weights(i + 1);
      return 1 + sources.size();
    }
    if (combines && following >= 1 && call.is(i, "AGGREGATE")) {
      aggregate(i + 1);
      return 2;
    }
    if (form == Form.CARDINALITY && following >= 1 && call.is(i, "LIMIT")) {
      String message = "ERR LIMIT can't be negative";
      limit = Arguments.integerOrError(call, i + 1, 0, Long.MAX_VALUE, message);
      return 2;
    }
    if (form == Form.REPLY && call.is(i, "WITHSCORES")) withScores = true;
    else call.syntaxError();
    return 1;
  }

  private void weights(int from) {
    List<Source> weighted = new ArrayList<>(sources.size());
    for (Source source : sources) {
      double weight = call.decimal(from++, "ERR weight value is not a float");
      if (call.failed()) return;
      weighted.add(new Source(source.value, weight));
    }
    sources = weighted;
  }

  private void aggregate(int i) {
    for (Aggregate candidate : Aggregate.values()) {
      if (call.is(i, candidate.name())) {
        aggregate = candidate;
        return;
      }
    }
    call.syntaxError();
  }

  // Results

  private ScoredMembers result() {
    ScoredMembers result = new ScoredMembers(call.hashSeed());
    if (operation != Operation.DIFFERENCE) sources.sort(Comparator.comparingLong(Source::size));
    switch (operation) {
      case UNION -> unite(result);
      case INTERSECTION -> intersect(result);
      case DIFFERENCE -> subtract(result);
    }
    return result.sorted();
  }

  private void unite(ScoredMembers result) {
    for (Source source : sources) {
      source.forEach((array, offset, length, raw) -> {
        double score = finite(aggregate.weighted(raw, source.weight));
        result.merge(array, offset, length, score, aggregate::of);
      });
    }
  }

  /** Takes the members of the smallest set that all others have. */
  private void intersect(ScoredMembers result) {
    Source smallest = sources.get(0);
    List<Other> others = others(Long.MAX_VALUE);
    smallest.forEach((array, offset, length, raw) -> {
      member.wrap(array, offset, length);
      double score = finite(aggregate.weighted(raw, smallest.weight));
      for (Other other : others) {
        double another = other.score(member);
        if (Double.isNaN(another)) return;
        score = aggregate.of(score, aggregate.weighted(another, other.weight));
      }
      result.add(array, offset, length, score);
    });
  }

  private void subtract(ScoredMembers result) {
    List<Other> others = others(Long.MAX_VALUE);
    sources
        .get(0)
        .forEach((array, offset, length, score) -> {
          member.wrap(array, offset, length);
          if (!isInAny(others)) result.add(array, offset, length, score);
        });
  }

  /** The sources after the first one, of which up to {@code most} members are looked up. */
  private List<Other> others(long most) {
    long members = Math.min(sources.get(0).size(), most);
    return sources.stream()
        .skip(1)
        .map(each -> new Other(each.scores(members), each.weight))
        .toList();
  }

  private boolean isInAny(List<Other> others) {
    for (Other other : others) {
      if (!Double.isNaN(other.score(member))) return true;
    }
    return false;
  }

  private boolean isInAll(List<Other> others) {
    for (Other other : others) {
      if (Double.isNaN(other.score(member))) return false;
    }
    return true;
  }

  /** The number of members of the smallest set that all others have, counted up to the limit. */
  private long cardinality() {
    sources.sort(Comparator.comparingLong(Source::size));
    long most = limit == 0 ? Long.MAX_VALUE : limit;
    List<Other> others = others(most);
    long[] count = new long[1];
    sources
        .get(0)
        .forEachWhile(
            () -> count[0] < most,
            (array, offset, length, score) -> {
              member.wrap(array, offset, length);
              if (isInAll(others)) count[0]++;
            });
    return Math.min(count[0], most);
  }
}
