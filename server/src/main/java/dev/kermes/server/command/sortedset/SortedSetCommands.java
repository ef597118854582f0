package dev.kermes.server.command.sortedset;

import dev.kermes.resp.Decimals;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.CallWait;
import dev.kermes.server.command.IndexRange;
import dev.kermes.server.command.MultiPop;
import dev.kermes.server.command.RandomReply;
import dev.kermes.server.command.ScanOptions;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.LexRange;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.ScoreRange;
import dev.kermes.server.data.SkipList;
import dev.kermes.server.data.Slice;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sorted sets. An access to a member is O(log n); ranges are in {@link SortedSetRange}, unions,
 * intersections and differences in {@link SortedSetAlgebra}.
 */
public final class SortedSetCommands {

  /** The result of ZADD for one member. */
  private enum Outcome {
    NONE,
    SAME,
    UPDATED,
    ADDED,
    NOT_A_NUMBER
  }

  /** Determines the new score of a member that has been found, by the options. */
  private static final class NewScore implements DoubleUnaryOperator {

    private final ZaddOptions options;

    /** The score given for the member, or its increment. */
    private double given;

    private double score;
    private Outcome outcome = Outcome.NONE;

    NewScore(ZaddOptions options) {
      this.options = options;
    }

    @Override
    public double applyAsDouble(double old) {
      boolean exists = !Double.isNaN(old);
      score = exists && options.increments() ? old + given : given;
      outcome = outcome(old, exists);
      boolean changes = outcome == Outcome.UPDATED || outcome == Outcome.ADDED;
      return changes ? score : Double.NaN;
    }

    private Outcome outcome(double old, boolean exists) {
      if (!options.allows(exists)) return Outcome.NONE;
      if (Double.isNaN(score)) return Outcome.NOT_A_NUMBER;
      if (!exists) return Outcome.ADDED;
      if (!options.allowsChange(old, score)) return Outcome.NONE;
      return score == old ? Outcome.SAME : Outcome.UPDATED;
    }
  }

  private SortedSetCommands() {}

  // Writing

  /**
   * ZADD key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]: adds members or changes
   * scores; replies how many are new (CH: new or changed; INCR: the score or nil). O(members x log
   * n). WRONGTYPE if not a sorted set.
   */
  public static void zadd(Call call) {
    ZaddOptions options = ZaddOptions.parse(call, false);
    if (options != null) add(call, options);
  }

  /**
   * ZINCRBY key increment member: adds to a member's score, from 0; replies the sum. O(log n).
   * WRONGTYPE if not a sorted set, an error if the sum is not a number.
   */
  public static void zincrby(Call call) {
    ZaddOptions options = ZaddOptions.parse(call, true);
    if (options != null) add(call, options);
  }

  /** Adds members or changes scores, as ZADD, ZINCRBY and GEOADD do, and replies. */
  public static void add(Call call, ZaddOptions options) {
    RedisSortedSet set = call.write(1, RedisSortedSet.class);
    if (call.failed()) return;
    if (set == null && options.onlyExisting()) {
      if (options.increments()) call.reply().nil();
      else call.reply().integer(0);
      return;
    }
    boolean fresh = set == null;
    if (set == null && addedAtOnce(call, options)) return;
    if (set == null) set = new RedisSortedSet(call.hashSeed());
    set.growing(options.scores().length, call.limits());
    if (options.increments()) increment(call, options, set, fresh);
    else addAll(call, options, set, fresh);
  }

  /** Creates a small set of many members, unless one comes twice; returns whether it did. */
  private static boolean addedAtOnce(Call call, ZaddOptions options) {
    double[] scores = options.scores();
    int count = scores.length;
    if (count < ListPack.TABLE_MIN || count > call.limits().zsetMaxListpackEntries()) return false;
    RedisSortedSet.Builder builder =
        new RedisSortedSet.Builder(
            count, Long.MAX_VALUE, new ListPack(), call.limits(), call.hashSeed());
    for (int i = 0; i < count; i++) builder.add(call.slice(options.member(i)), scores[i]);
    RedisSortedSet set = builder.build();
    if (set == null) return false;
    call.create(1, set);
    call.changed(1, KeyspaceEvent.SORTED_SET, "zadd", count);
    call.reply().integer(count);
    return true;
  }

  private static void addAll(Call call, ZaddOptions options, RedisSortedSet set, boolean fresh) {
    double[] scores = options.scores();
    int added = 0;
    int updated = 0;
    NewScore update = new NewScore(options);
    for (int i = 0; i < scores.length; i++) {
      update.given = scores[i];
      set.update(call.slice(options.member(i)), update, call.limits());
      if (update.outcome == Outcome.ADDED) added++;
      if (update.outcome == Outcome.UPDATED) updated++;
    }
    if (fresh) call.create(1, set);
    if (added + updated > 0) call.changed(1, KeyspaceEvent.SORTED_SET, "zadd", added + updated);
    call.reply().integer(options.countsChanges() ? added + updated : added);
  }

  private static void increment(Call call, ZaddOptions options, RedisSortedSet set, boolean fresh) {
    NewScore update = new NewScore(options);
    update.given = options.scores()[0];
    set.update(call.slice(options.member(0)), update, call.limits());
    Outcome outcome = update.outcome;
    if (outcome == Outcome.NOT_A_NUMBER) {
      call.error("ERR resulting score is not a number (NaN)");
      return;
    }
    if (fresh) call.create(1, set);
    if (outcome == Outcome.ADDED || outcome == Outcome.UPDATED) {
      call.changed(1, KeyspaceEvent.SORTED_SET, "zincr");
    }
    if (outcome == Outcome.NONE) call.reply().nil();
    else call.reply().decimal(update.score);
  }

  /**
   * ZREM key member [member ...]: removes members; replies how many there were. O(members x log n).
   * WRONGTYPE if not a sorted set.
   */
  public static void zrem(Call call) {
    RedisSortedSet set = call.write(1, RedisSortedSet.class);
    if (call.failed()) return;
    int removed = set == null ? 0 : set.removeAll(call.argc() - 2, i -> call.slice(i + 2));
    if (set != null && removed > 0) {
      call.changed(1, KeyspaceEvent.SORTED_SET, "zrem", removed);
      call.removeIfEmpty(1, set);
    }
    call.reply().integer(removed);
  }

  /**
   * ZREMRANGEBYRANK key start stop: removes the members of those ranks; replies how many. O(log n +
   * removed). WRONGTYPE if not a sorted set.
   */
  public static void zremrangebyrank(Call call) {
    IndexRange range = IndexRange.parse(call, 2);
    if (range == null) return;
    RedisSortedSet set = call.write(1, RedisSortedSet.class);
    if (call.failed()) return;
    long size = set == null ? 0 : set.size();
    removeRange(call, set, range.from(size), range.length(size), "zremrangebyrank");
  }

  /**
   * ZREMRANGEBYSCORE key min max: removes the members with those scores; replies how many. O(log n
   * + removed). WRONGTYPE if not a sorted set.
   */
  public static void zremrangebyscore(Call call) {
    ScoreRange range = SortedSetRange.scores(call, 2, 3);
    if (range != null) removeBetween(call, range.below(), range.upTo(), "zremrangebyscore");
  }

  /**
   * ZREMRANGEBYLEX key min max: removes the members between two strings; replies how many. O(log n
   * + removed). WRONGTYPE if not a sorted set.
   */
  public static void zremrangebylex(Call call) {
    LexRange range = SortedSetRange.members(call, 2, 3);
    if (range != null) removeBetween(call, range.below(), range.upTo(), "zremrangebylex");
  }

  private static void removeBetween(
      Call call, SkipList.Boundary below, SkipList.Boundary upTo, String event) {
    RedisSortedSet set = call.write(1, RedisSortedSet.class);
    if (call.failed()) return;
    RedisSortedSet.Ranks within =
        set == null ? new RedisSortedSet.Ranks(0, 0) : set.between(below, upTo);
    removeRange(call, set, within.first(), within.count(), event);
  }

  private static void removeRange(
      Call call, @Nullable RedisSortedSet set, long rank, long count, String event) {
    if (set != null && count > 0) {
      set.removeRange(rank, count);
      call.changed(1, KeyspaceEvent.SORTED_SET, event, count);
      call.removeIfEmpty(1, set);
    }
    call.reply().integer(Math.max(0, count));
  }

  // Popping

  /**
   * ZPOPMIN key [count]: removes the members of the lowest scores; replies members and scores.
   * O(count x log n). WRONGTYPE if not a sorted set.
   */
  public static void zpopmin(Call call) {
    SortedSetPopping.pop(call, true);
  }

  /**
   * ZPOPMAX key [count]: removes the members of the highest scores; replies members and scores.
   * O(count x log n). WRONGTYPE if not a sorted set.
   */
  public static void zpopmax(Call call) {
    SortedSetPopping.pop(call, false);
  }

  /**
   * ZMPOP numkeys key [key ...] MIN|MAX [COUNT count]: pops from the first sorted set that exists;
   * replies its key and the pairs, or nil. O(keys + count x log n). WRONGTYPE if not a sorted set.
   */
  public static void zmpop(Call call) {
    MultiPop.execute(call, "MIN", "MAX", SortedSetPopping::popFrom);
  }

  /**
   * BZMPOP timeout numkeys key [key ...] MIN|MAX [COUNT count]: ZMPOP that waits for a sorted set;
   * nil after the timeout. O(keys + count x log n). WRONGTYPE if not a sorted set.
   */
  public static void bzmpop(Call call) {
    MultiPop.executeBlocking(call, "MIN", "MAX", SortedSetPopping::popFrom);
  }

  /**
   * BZPOPMIN key [key ...] timeout: pops the lowest score from the first sorted set that exists,
   * waiting for one; replies key, member and score, nil after the timeout. O(keys + log n).
   * WRONGTYPE if not a sorted set.
   */
  public static void bzpopmin(Call call) {
    SortedSetPopping.blockingPop(call, true);
  }

  /**
   * BZPOPMAX key [key ...] timeout: pops the highest score from the first sorted set that exists,
   * waiting for one; replies key, member and score, nil after the timeout. O(keys + log n).
   * WRONGTYPE if not a sorted set.
   */
  public static void bzpopmax(Call call) {
    SortedSetPopping.blockingPop(call, false);
  }

  // Reading members

  /**
   * ZCARD key: replies the number of members, 0 without sorted set. O(1). WRONGTYPE if not a sorted
   * set.
   */
  public static void zcard(Call call) {
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    call.reply().integer(set == null ? 0 : set.size());
  }

  /** ZSCORE key member: replies the member's score or nil. O(1). WRONGTYPE if not a sorted set. */
  public static void zscore(Call call) {
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    writeScore(call, set == null ? Double.NaN : set.score(call.slice(2)));
  }

  /**
   * ZMSCORE key member [member ...]: replies an array of scores, nil for missing members.
   * O(members). WRONGTYPE if not a sorted set.
   */
  public static void zmscore(Call call) {
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    int members = call.argc() - 2;
    ToDoubleFunction<Slice> scores = set == null ? member -> Double.NaN : set.scores(members);
    call.reply().array(members);
    for (int i = 2; i < call.argc(); i++) writeScore(call, scores.applyAsDouble(call.slice(i)));
  }

  private static void writeScore(Call call, double score) {
    if (Double.isNaN(score)) call.reply().nil();
    else call.reply().decimal(score);
  }

  /**
   * ZRANK key member [WITHSCORE]: replies the member's rank from the lowest score, with its score
   * if asked; nil if it is missing. O(log n). WRONGTYPE if not a sorted set.
   */
  public static void zrank(Call call) {
    rank(call, false, "zrank");
  }

  /**
   * ZREVRANK key member [WITHSCORE]: replies the member's rank from the highest score, with its
   * score if asked; nil if it is missing. O(log n). WRONGTYPE if not a sorted set.
   */
  public static void zrevrank(Call call) {
    rank(call, true, "zrevrank");
  }

  private static void rank(Call call, boolean reverse, String name) {
    if (call.argc() > 4) {
      Arguments.wrongArity(call, name);
      return;
    }
    boolean withScore = call.argc() == 4;
    if (withScore && !call.is(3, "WITHSCORE")) {
      call.syntaxError();
      return;
    }
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    long rank = set == null ? -1 : set.rank(call.slice(2));
    if (set == null || rank < 0) {
      CallWait.replyTimeout(call.reply(), withScore);
      return;
    }
    if (withScore) call.reply().array(2);
    call.reply().integer(reverse ? set.size() - 1 - rank : rank);
    if (withScore) {
      call.reply().decimal(set.score(call.slice(2)));
    }
  }

  /**
   * ZCOUNT key min max: replies how many members have those scores. O(log n). WRONGTYPE if not a
   * sorted set.
   */
  public static void zcount(Call call) {
    ScoreRange range = SortedSetRange.scores(call, 2, 3);
    if (range != null) count(call, range.below(), range.upTo());
  }

  /**
   * ZLEXCOUNT key min max: replies how many members are between two strings. O(log n). WRONGTYPE if
   * not a sorted set.
   */
  public static void zlexcount(Call call) {
    LexRange range = SortedSetRange.members(call, 2, 3);
    if (range != null) count(call, range.below(), range.upTo());
  }

  private static void count(Call call, SkipList.Boundary below, SkipList.Boundary upTo) {
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    call.reply().integer(set == null ? 0 : set.between(below, upTo).count());
  }

  /**
   * ZRANDMEMBER key [count [WITHSCORES]]: replies a random member, or an array of count different
   * members; if count is negative, of -count possibly repeated ones. O(count x log n). WRONGTYPE if
   * not a sorted set.
   */
  public static void zrandmember(Call call) {
    RandomReply draw = RandomReply.parse(call, "WITHSCORES");
    if (draw == null) return;
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    draw.reply(call, set == null ? RandomReply.NOTHING : new SortedSetElements(set));
  }

  private record SortedSetElements(RedisSortedSet set) implements RandomReply.Elements {

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
      set.random(call.random(), adapt(visitor));
    }

    @Override
    public void forEach(RandomReply.ElementVisitor visitor) {
      set.forEach(adapt(visitor));
    }

    private static RedisSortedSet.MemberVisitor adapt(RandomReply.ElementVisitor visitor) {
      return (array, offset, length, score) ->
          visitor.visit(array, offset, length, out -> out.decimal(score));
    }
  }

  /**
   * ZSCAN key cursor [MATCH pattern] [COUNT count] [NOSCORES]: replies the next cursor and some
   * members with their scores, or without them as in Valkey. O(count). WRONGTYPE if not a sorted
   * set.
   */
  public static void zscan(Call call) {
    ScanOptions.walk(
        call,
        RedisSortedSet.class,
        "NOSCORES",
        (set, page) -> {
          RedisSortedSet.MemberVisitor visitor =
              (array, offset, length, score) -> {
                if (!page.takes(array, offset, length)) return;
                page.next().bulk(array, offset, length);
                if (page.hasValues()) page.next().bulk(Decimals.format(score));
              };
          return at -> set.scan(at, visitor);
        });
  }

  // Ranges

  /**
   * ZRANGE key start stop [BYSCORE|BYLEX] [REV] [LIMIT offset count] [WITHSCORES]: replies the
   * members of a range. O(log n + members). WRONGTYPE if not a sorted set.
   */
  public static void zrange(Call call) {
    SortedSetRange.reply(call, SortedSetRange.Kind.ANY, false);
  }

  /**
   * ZREVRANGE key start stop [WITHSCORES]: replies the members of those ranks from the highest
   * score. O(log n + members). WRONGTYPE if not a sorted set.
   */
  public static void zrevrange(Call call) {
    SortedSetRange.reply(call, SortedSetRange.Kind.RANK, true);
  }

  /**
   * ZRANGEBYSCORE key min max [WITHSCORES] [LIMIT offset count]: replies the members with those
   * scores. O(log n + members). WRONGTYPE if not a sorted set.
   */
  public static void zrangebyscore(Call call) {
    SortedSetRange.reply(call, SortedSetRange.Kind.SCORE, false);
  }

  /**
   * ZREVRANGEBYSCORE key max min [WITHSCORES] [LIMIT offset count]: replies the members with those
   * scores from the highest. O(log n + members). WRONGTYPE if not a sorted set.
   */
  public static void zrevrangebyscore(Call call) {
    SortedSetRange.reply(call, SortedSetRange.Kind.SCORE, true);
  }

  /**
   * ZRANGEBYLEX key min max [LIMIT offset count]: replies the members between two strings. O(log n
   * + members). WRONGTYPE if not a sorted set.
   */
  public static void zrangebylex(Call call) {
    SortedSetRange.reply(call, SortedSetRange.Kind.LEX, false);
  }

  /**
   * ZREVRANGEBYLEX key max min [LIMIT offset count]: replies the members between two strings from
   * the last. O(log n + members). WRONGTYPE if not a sorted set.
   */
  public static void zrevrangebylex(Call call) {
    SortedSetRange.reply(call, SortedSetRange.Kind.LEX, true);
  }

  /**
   * ZRANGESTORE destination source min max [BYSCORE|BYLEX] [REV] [LIMIT offset count]: stores the
   * reply of ZRANGE, or deletes the destination if it is empty; replies its size. O(log n + members
   * x log members). WRONGTYPE if the source is not a sorted set.
   */
  public static void zrangestore(Call call) {
    SortedSetRange.store(call);
  }

  // Several sorted sets

  /**
   * ZUNION numkeys key [key ...] [WEIGHTS weight ...] [AGGREGATE SUM|MIN|MAX] [WITHSCORES]: replies
   * the members that any set has. O(all members x log). WRONGTYPE if one is not a set.
   */
  public static void zunion(Call call) {
    SortedSetAlgebra.reply(call, SortedSetAlgebra.Operation.UNION, "zunion");
  }

  /**
   * ZINTER numkeys key [key ...] [WEIGHTS weight ...] [AGGREGATE SUM|MIN|MAX] [WITHSCORES]: replies
   * the members that all sets have. O(smallest x keys). WRONGTYPE if one is not a set.
   */
  public static void zinter(Call call) {
    SortedSetAlgebra.reply(call, SortedSetAlgebra.Operation.INTERSECTION, "zinter");
  }

  /**
   * ZDIFF numkeys key [key ...] [WITHSCORES]: replies the first set's members that no other has.
   * O(first x keys). WRONGTYPE if one is not a set.
   */
  public static void zdiff(Call call) {
    SortedSetAlgebra.reply(call, SortedSetAlgebra.Operation.DIFFERENCE, "zdiff");
  }

  /**
   * ZUNIONSTORE destination numkeys key [key ...] [WEIGHTS weight ...] [AGGREGATE SUM|MIN|MAX]:
   * stores the reply of ZUNION; replies its size. O(all members x log). WRONGTYPE if one is not a
   * set.
   */
  public static void zunionstore(Call call) {
    SortedSetAlgebra.store(call, SortedSetAlgebra.Operation.UNION, "zunionstore");
  }

  /**
   * ZINTERSTORE destination numkeys key [key ...] [WEIGHTS weight ...] [AGGREGATE SUM|MIN|MAX]:
   * stores the reply of ZINTER; replies its size. O(smallest x keys). WRONGTYPE if one is not a
   * set.
   */
  public static void zinterstore(Call call) {
    SortedSetAlgebra.store(call, SortedSetAlgebra.Operation.INTERSECTION, "zinterstore");
  }

  /**
   * ZDIFFSTORE destination numkeys key [key ...]: stores the reply of ZDIFF; replies its size.
   * O(first x keys). WRONGTYPE if one is not a set.
   */
  public static void zdiffstore(Call call) {
    SortedSetAlgebra.store(call, SortedSetAlgebra.Operation.DIFFERENCE, "zdiffstore");
  }

  /**
   * ZINTERCARD numkeys key [key ...] [LIMIT limit]: replies the number of members of ZINTER, at
   * most limit. O(smallest x keys). WRONGTYPE if one is not a set.
   */
  public static void zintercard(Call call) {
    SortedSetAlgebra.replyCardinality(call);
  }
}
