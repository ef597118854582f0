package dev.kermes.server.command.sortedset;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.IndexRange;
import dev.kermes.server.command.Numbers;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.LexRange;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.ScoreRange;
import dev.kermes.server.data.SkipList;
import dev.kermes.server.data.Slice;
import org.jspecify.annotations.Nullable;

/**
 * A range of a sorted set as given to the ZRANGE family. Whatever its kind, it becomes a range of
 * ranks.
 *
 * @param ranks the range if it is by rank
 * @param below the boundary before the range, if it is not by rank
 * @param upTo the boundary at the end of the range, if it is not by rank
 * @param offset how many members of the range to skip; negative: all
 * @param limit how many members to take after that; negative: all
 */
public record SortedSetRange(
    @Nullable IndexRange ranks,
    SkipList.@Nullable Boundary below,
    SkipList.@Nullable Boundary upTo,
    boolean reverse,
    boolean withScores,
    long offset,
    long limit) {

  /** The unit of a range's bounds; with ANY, the options decide. */
  enum Kind {
    ANY,
    RANK,
    SCORE,
    LEX
  }

  static final String NOT_SCORES = "ERR min or max is not a float";
  static final String NOT_MEMBERS = "ERR min or max not valid string range item";

  private static final String LIMIT_BY_RANK =
      "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX";
  private static final String SCORES_BY_LEX =
      "ERR syntax error, WITHSCORES not supported in combination with BYLEX";

  /** A number of members, upwards or downwards from a rank. */
  private record Stretch(long rank, long count, boolean reverse) {

    void forEach(RedisSortedSet set, RedisSortedSet.MemberVisitor visitor) {
      if (reverse) set.forEachDown(rank, count, visitor);
      else set.forEach(rank, count, visitor);
    }
  }

  static void reply(Call call, Kind kind, boolean reverse) {
    SortedSetRange range = new Parser(call, kind, reverse, 2, false).parse();
    if (range == null) return;
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    if (set == null) call.reply().array(0);
    else range.write(call, set);
  }

  private void write(Call call, RedisSortedSet set) {
    Stretch stretch = stretch(set);
    boolean nested = call.reply().protocol() == 3;
    long elements = withScores && !nested ? stretch.count * 2 : stretch.count;
    call.reply().array((int) elements);
    RedisSortedSet.MemberVisitor writer =
        withScores
            ? pairWriter(call.reply(), nested)
            : (array, at, length, score) -> call.reply().bulk(array, at, length);
    stretch.forEach(set, writer);
  }

  static void store(Call call) {
    SortedSetRange range = new Parser(call, Kind.ANY, false, 3, true).parse();
    if (range == null) return;
    RedisSortedSet source = call.read(2, RedisSortedSet.class);
    if (call.failed()) return;
    RedisSortedSet result = new RedisSortedSet(call.hashSeed());
    if (source != null) {
      Slice member = new Slice();
      range
          .stretch(source)
          .forEach(
              source,
              (array, at, length, score) ->
                  result.put(member.wrap(array, at, length), score, call.limits()));
    }
    replace(call, result, "zrangestore");
  }

  /** Writes members with their scores; nested means each pair in its own array. */
  static RedisSortedSet.MemberVisitor pairWriter(RespWriter out, boolean nested) {
    return (array, offset, length, score) -> {
      if (nested) out.array(2);
      out.bulk(array, offset, length);
      out.decimal(score);
    };
  }

  /** Stores the result in the first key, or deletes that key if it is empty; replies the size. */
  public static void replace(Call call, RedisSortedSet result, String event) {
    replace(call, 1, result, event);
  }

  /** Does the same for the key in the given argument. */
  public static void replace(Call call, int keyArg, RedisSortedSet result, String event) {
    if (result.size() > 0) {
      call.create(keyArg, result);
      call.changed(keyArg, KeyspaceEvent.SORTED_SET, event);
    } else if (call.delete(keyArg)) {
      call.changed(keyArg, KeyspaceEvent.GENERIC, "del");
    }
    call.reply().integer(result.size());
  }

  private Stretch stretch(RedisSortedSet set) {
    if (below == null || upTo == null) return rankStretch(set.size());
    RedisSortedSet.Ranks within = set.between(below, upTo);
    long count = within.count();
    long skipped = offset < 0 ? count : Math.min(offset, count);
    long taken = limit < 0 ? count - skipped : Math.min(limit, count - skipped);
    long rank = within.first() + (reverse ? count - 1 - skipped : skipped);
    return new Stretch(rank, taken, reverse);
  }

  private Stretch rankStretch(long size) {
    if (ranks == null) throw new IllegalStateException("range without bounds");
    long from = ranks.from(size);
    long count = ranks.length(size);
    return new Stretch(reverse ? size - 1 - from : from, count, reverse);
  }

  /** Reads scores from {@code [(]min} to {@code [(]max}; null after replying an error. */
  static @Nullable ScoreRange scores(Call call, int minArg, int maxArg) {
    boolean minExclusive = startsWith(call, minArg, '(');
    boolean maxExclusive = startsWith(call, maxArg, '(');
    double min = score(call, minArg, minExclusive);
    double max = score(call, maxArg, maxExclusive);
    if (Double.isNaN(min) || Double.isNaN(max)) {
      call.error(NOT_SCORES);
      return null;
    }
    return new ScoreRange(min, minExclusive, max, maxExclusive);
  }

  private static boolean startsWith(Call call, int i, char b) {
    return call.length(i) > 0 && call.slice(i).at(0) == b;
  }

  /** Reads a score; as in Redis, an empty text is 0. */
  private static double score(Call call, int i, boolean exclusive) {
    Slice text = call.slice(i);
    int skipped = exclusive ? 1 : 0;
    int length = text.length() - skipped;
    return length == 0 ? 0 : Numbers.parseBound(text.array(), text.offset() + skipped, length);
  }

  /**
   * Reads members from {@code -}, {@code [min} or {@code (min} to {@code +}, {@code [max} or {@code
   * (max}; null after replying an error.
   */
  static @Nullable LexRange members(Call call, int minArg, int maxArg) {
    LexRange.Bound min = bound(call, minArg);
    LexRange.Bound max = bound(call, maxArg);
    if (min == null || max == null) {
      call.error(NOT_MEMBERS);
      return null;
    }
    return new LexRange(min, max);
  }

  private static LexRange.@Nullable Bound bound(Call call, int i) {
    Slice text = call.slice(i);
    if (text.length() == 0) return null;
    boolean alone = text.length() == 1;
    LexRange.Kind kind =
        switch (text.at(0)) {
          case '-' -> alone ? LexRange.Kind.MINUS : null;
          case '+' -> alone ? LexRange.Kind.PLUS : null;
          case '(' -> LexRange.Kind.EXCLUSIVE;
          case '[' -> LexRange.Kind.INCLUSIVE;
          default -> null;
        };
    if (kind == null) return null;
    return new LexRange.Bound(kind, text.copyFrom(1));
  }

  /** Reads bounds and options; the options come first, since they tell how to read the bounds. */
  private static final class Parser {

    private final Call call;
    private final int minArg;
    private final boolean stores;
    private final boolean isUnified;
    private Kind kind;
    private boolean reverse;
    private boolean withScores;
    private long offset;
    private long limit = -1;

    Parser(Call call, Kind kind, boolean reverse, int minArg, boolean stores) {
      this.call = call;
      this.kind = kind;
      this.reverse = reverse;
      this.minArg = minArg;
      this.stores = stores;
      isUnified = kind == Kind.ANY;
    }

    /** Reads the range; null after replying an error. */
    @Nullable SortedSetRange parse() {
      int i = minArg + 2;
      while (i < call.argc() && !call.failed()) i += option(i);
      if (call.failed()) return null;
      if (kind == Kind.ANY) kind = Kind.RANK;
      if (limit != -1 && kind == Kind.RANK) call.error(LIMIT_BY_RANK);
      else if (withScores && kind == Kind.LEX) call.error(SCORES_BY_LEX);
      return call.failed() ? null : bounds();
    }

    /** Reads one option and returns how many arguments it has. */
    private int option(int i) {
      if (!stores && call.is(i, "WITHSCORES")) {
        withScores = true;
      } else if (i + 2 < call.argc() && call.is(i, "LIMIT")) {
        offset = call.integer(i + 1);
        if (!call.failed()) limit = call.integer(i + 2);
        return 3;
      } else if (isUnified && call.is(i, "REV")) {
        reverse = true;
      } else if (kind == Kind.ANY && call.is(i, "BYLEX")) {
        kind = Kind.LEX;
      } else if (kind == Kind.ANY && call.is(i, "BYSCORE")) {
        kind = Kind.SCORE;
      } else {
        call.syntaxError();
      }
      return 1;
    }

    private @Nullable SortedSetRange bounds() {
      int low = reverse ? minArg + 1 : minArg;
      int high = reverse ? minArg : minArg + 1;
      return switch (kind) {
        case SCORE -> between(scores(call, low, high));
        case LEX -> between(members(call, low, high));
        default -> byRank();
      };
    }

    private @Nullable SortedSetRange between(@Nullable ScoreRange range) {
      return range == null ? null : between(range.below(), range.upTo());
    }

    private @Nullable SortedSetRange between(@Nullable LexRange range) {
      return range == null ? null : between(range.below(), range.upTo());
    }

    private SortedSetRange between(SkipList.Boundary below, SkipList.Boundary upTo) {
      return new SortedSetRange(null, below, upTo, reverse, withScores, offset, limit);
    }

    private @Nullable SortedSetRange byRank() {
      IndexRange ranks = IndexRange.parse(call, minArg);
      if (ranks == null) return null;
      return new SortedSetRange(ranks, null, null, reverse, withScores, 0, -1);
    }
  }
}
