package dev.kermes.server.command.geo;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.sortedset.SortedSetCommands;
import dev.kermes.server.command.sortedset.ZaddOptions;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.geo.GeoHash;
import dev.kermes.server.data.geo.GeoPoint;
import org.jspecify.annotations.Nullable;

/** Places on earth: sorted sets whose scores are {@link GeoHash}es. */
public final class GeoCommands {

  private GeoCommands() {}

  /**
   * GEOADD key [NX|XX] [CH] longitude latitude member [longitude latitude member ...]: adds members
   * or moves them, creating the sorted set; replies how many were new, with CH how many were new or
   * moved. O(members x log n). WRONGTYPE if not a sorted set.
   */
  public static void geoadd(Call call) {
    boolean nx = false;
    boolean xx = false;
    boolean ch = false;
    int first = 2;
    for (; first < call.argc(); first++) {
      if (call.is(first, "NX")) nx = true;
      else if (call.is(first, "XX")) xx = true;
      else if (call.is(first, "CH")) ch = true;
      else break;
    }
    int words = call.argc() - first;
    if (words % 3 != 0 || nx && xx) {
      call.syntaxError();
      return;
    }
    double[] scores = scores(call, first, words / 3);
    if (scores == null) return;
    if (scores.length == 0) call.syntaxError();
    else {
      ZaddOptions options = new ZaddOptions(nx, xx, false, false, ch, false, first + 2, 3, scores);
      SortedSetCommands.add(call, options);
    }
  }

  private static double @Nullable [] scores(Call call, int first, int count) {
    double[] scores = new double[count];
    for (int i = 0; i < count; i++) {
      GeoPoint point = GeoArguments.point(call, first + 3 * i);
      if (point == null) return null;
      scores[i] = GeoHash.of(point, GeoHash.STEP_MAX).score();
    }
    return scores;
  }

  /**
   * GEODIST key member1 member2 [M|KM|FT|MI]: replies the distance, nil if a member is missing.
   * O(1). WRONGTYPE if not a sorted set.
   */
  public static void geodist(Call call) {
    if (call.argc() > 5) {
      call.syntaxError();
      return;
    }
    double unit = call.argc() == 5 ? GeoArguments.unit(call, 4) : 1;
    if (call.failed()) return;
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    GeoPoint from = point(call, set, 2);
    GeoPoint to = point(call, set, 3);
    if (from == null || to == null) call.reply().nil();
    else GeoArguments.writeDistance(call.reply(), from.distanceTo(to) / unit);
  }

  private static @Nullable GeoPoint point(Call call, @Nullable RedisSortedSet set, int member) {
    if (set == null) return null;
    double score = set.score(call.slice(member));
    return Double.isNaN(score) ? null : GeoHash.point(score);
  }

  /**
   * GEOHASH key [member ...]: replies per member the 11 characters of a standard geohash, nil for
   * missing ones. O(members). WRONGTYPE if not a sorted set.
   */
  public static void geohash(Call call) {
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    call.reply().array(call.argc() - 2);
    for (int i = 2; i < call.argc(); i++) {
      GeoPoint point = point(call, set, i);
      if (point == null) call.reply().nil();
      else call.reply().bulk(GeoHash.text(point));
    }
  }

  /**
   * GEOPOS key [member ...]: replies longitude and latitude per member, a nil array for missing
   * ones. O(members). WRONGTYPE if not a sorted set.
   */
  public static void geopos(Call call) {
    RedisSortedSet set = call.read(1, RedisSortedSet.class);
    if (call.failed()) return;
    call.reply().array(call.argc() - 2);
    for (int i = 2; i < call.argc(); i++) {
      GeoPoint point = point(call, set, i);
      if (point == null) call.reply().nilArray();
      else GeoSearch.write(call.reply(), point);
    }
  }

  // Searching

  /**
   * GEOSEARCH key FROMMEMBER member|FROMLONLAT longitude latitude BYRADIUS radius unit|BYBOX width
   * height unit|BYPOLYGON count longitude latitude ... [ASC|DESC] [COUNT count [ANY]] [WITHCOORD]
   * [WITHDIST] [WITHHASH]: replies the members in the shape. A polygon has no FROM. O(members in
   * the cells around the shape). WRONGTYPE if not a sorted set.
   */
  public static void geosearch(Call call) {
    GeoSearch.execute(call, GeoSearch.Kind.SEARCH);
  }

  /**
   * GEOSEARCHSTORE destination source ... [STOREDIST]: stores the result of GEOSEARCH, or the
   * distances, as a sorted set; replies its size. O(members in the cells around the shape).
   * WRONGTYPE if the source is not a sorted set.
   */
  public static void geosearchstore(Call call) {
    GeoSearch.execute(call, GeoSearch.Kind.SEARCH_AND_STORE);
  }

  /**
   * GEORADIUS key longitude latitude radius unit [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count
   * [ANY]] [ASC|DESC] [STORE key|STOREDIST key]: replies or stores the members around a point.
   * O(members in the cells around). WRONGTYPE if not a sorted set.
   */
  public static void georadius(Call call) {
    GeoSearch.execute(call, GeoSearch.Kind.AROUND_POINT);
  }

  /** GEORADIUS_RO: GEORADIUS that stores nothing. */
  public static void georadiusRo(Call call) {
    GeoSearch.execute(call, GeoSearch.Kind.AROUND_POINT_READONLY);
  }

  /** GEORADIUSBYMEMBER key member radius unit ...: GEORADIUS around a member. */
  public static void georadiusbymember(Call call) {
    GeoSearch.execute(call, GeoSearch.Kind.AROUND_MEMBER);
  }

  /** GEORADIUSBYMEMBER_RO: GEORADIUSBYMEMBER that stores nothing. */
  public static void georadiusbymemberRo(Call call) {
    GeoSearch.execute(call, GeoSearch.Kind.AROUND_MEMBER_READONLY);
  }
}
