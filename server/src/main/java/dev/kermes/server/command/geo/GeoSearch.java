package dev.kermes.server.command.geo;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.sortedset.SortedSetRange;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.ScoreRange;
import dev.kermes.server.data.ScoredMembers;
import dev.kermes.server.data.geo.GeoArea;
import dev.kermes.server.data.geo.GeoHash;
import dev.kermes.server.data.geo.GeoPoint;
import dev.kermes.server.data.geo.GeoShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * GEOSEARCH and related commands: members of a sorted set within a shape. Arguments may come in any
 * order, so the shape is known only after the last one.
 */
final class GeoSearch implements RedisSortedSet.ScoreSearch {

  /** The command, by its kind of center and result. */
  enum Kind {
    AROUND_POINT,
    AROUND_POINT_READONLY,
    AROUND_MEMBER,
    AROUND_MEMBER_READONLY,
    SEARCH,
    SEARCH_AND_STORE;

    boolean isSearch() {
      return this == SEARCH || this == SEARCH_AND_STORE;
    }

    boolean mayStore() {
      return this == AROUND_POINT || this == AROUND_MEMBER;
    }
  }

  /**
   * A member, in the set's own bytes; {@code place} is its place in the order of the search. The
   * distance is only that if the search {@link #needsDistance}.
   */
  private record Found(
      byte[] array, int offset, int length, double score, double distance, int place) {}

  private enum Order {
    NONE,
    NEAREST,
    FARTHEST
  }

  private static final Comparator<Found> NEAREST =
      (a, b) ->
          a.distance == b.distance
              ? Integer.compare(a.place, b.place)
              : Double.compare(a.distance, b.distance);

  private static final Comparator<Found> FARTHEST =
      (a, b) ->
          a.distance == b.distance
              ? Integer.compare(a.place, b.place)
              : Double.compare(b.distance, a.distance);

  /** 0.8: a narrower area leaves out a third of the members, more often than it would cost. */
  private static final double NARROWER = 0.8;

  /** 4: the number of members expected in the first circle, divided by the number wanted. */
  private static final double EXPECTED = 4;

  /** A stand-in for a member's position if the set does not exist. */
  private static final GeoPoint NOWHERE = new GeoPoint(0, 0);

  private final Call call;
  private final Kind kind;
  private final @Nullable RedisSortedSet set;

  private @Nullable GeoPoint center;

  /** Whether the center is the position of a member. */
  private boolean isMember;

  private @Nullable GeoShape shape;

  /**
   * The argument with the sizes of a shape, which is built once the center is known; 0 for none.
   */
  private int circleArg;

  private int boxArg;
  private double unit = 1;
  private Order order = Order.NONE;
  private long count;
  private boolean any;
  private boolean withDistance;
  private boolean withHash;
  private boolean withCoordinates;
  private int storeKeyArg;
  private boolean storesDistance;

  private List<Found> found = new ArrayList<>();

  /** The members to reply of those seen so far, the last one first; null if all are collected. */
  private @Nullable PriorityQueue<Found> best;

  private int visited;

  /** The area to search. */
  private @Nullable GeoArea area;

  /** Contains all members that may still be among the best. */
  private GeoShape.@Nullable Circle nearer;

  private boolean needsDistance;

  /** The distance of the member that is visited next. */
  private double distance;

  private GeoSearch(Call call, Kind kind, @Nullable RedisSortedSet set) {
    this.call = call;
    this.kind = kind;
    this.set = set;
  }

  static void execute(Call call, Kind kind) {
    boolean stores = kind == Kind.SEARCH_AND_STORE;
    RedisSortedSet set = call.read(stores ? 2 : 1, RedisSortedSet.class);
    if (call.failed()) return;
    GeoSearch search = new GeoSearch(call, kind, set);
    if (stores) search.storeKeyArg = 1;
    search.parse();
    if (call.failed()) return;
    if (set == null) search.replyNothing();
    else search.reply(set);
  }

  // Arguments

  private void parse() {
    int i =
        switch (kind) {
          case AROUND_POINT, AROUND_POINT_READONLY -> aroundPoint();
          case AROUND_MEMBER, AROUND_MEMBER_READONLY -> aroundMember();
          case SEARCH -> 2;
          case SEARCH_AND_STORE -> 3;
        };
    while (!call.failed() && i < call.argc()) i = option(i);
    if (!call.failed()) check();
  }

  private int aroundPoint() {
    center = GeoArguments.point(call, 2);
    if (center != null) circle(4);
    return 6;
  }

  private int aroundMember() {
    if (set != null) {
      center = member(2);
      if (center != null) circle(3);
    }
    return 5;
  }

  private void circle(int i) {
    shape = GeoArguments.circle(call, i, center == null ? NOWHERE : center);
    if (shape != null) unit = GeoArguments.unit(call, i + 1);
  }

  private void box(int i) {
    shape = GeoArguments.box(call, i, center == null ? NOWHERE : center);
    if (shape != null) unit = GeoArguments.unit(call, i + 2);
  }

  /**
   * The position of a member; null after replying an error, since the member must exist if the set
   * does.
   */
  private @Nullable GeoPoint member(int i) {
    if (set == null) return NOWHERE;
    double score = set.score(call.slice(i));
    if (!Double.isNaN(score)) return GeoHash.point(score);
    call.error("ERR could not decode requested zset member");
    return null;
  }

  /** Reads the option at an argument; returns the position of the next one. */
  private int option(int i) {
    int more = call.argc() - i - 1;
    if (call.is(i, "WITHDIST")) withDistance = true;
    else if (call.is(i, "WITHHASH")) withHash = true;
    else if (call.is(i, "WITHCOORD")) withCoordinates = true;
    else if (call.is(i, "ANY")) any = true;
    else if (call.is(i, "ASC")) order = Order.NEAREST;
    else if (call.is(i, "DESC")) order = Order.FARTHEST;
    else if (call.is(i, "COUNT") && more > 0) return count(i + 1);
    else if (kind.mayStore() && more > 0 && call.is(i, "STORE")) return storeKey(i + 1, false);
    else if (kind.mayStore() && more > 0 && call.is(i, "STOREDIST")) return storeKey(i + 1, true);
    else if (kind == Kind.SEARCH_AND_STORE && call.is(i, "STOREDIST")) storesDistance = true;
    else if (kind.isSearch()) return place(i, more);
    else call.syntaxError();
    return i + 1;
  }

  private int count(int i) {
    count = call.integer(i);
    if (!call.failed() && count <= 0) call.error("ERR COUNT must be > 0");
    return i + 1;
  }

  private int storeKey(int i, boolean withDistances) {
    storeKeyArg = i;
    storesDistance = withDistances;
    return i + 1;
  }

  /** Reads the options for the searched area of GEOSEARCH. */
  private int place(int i, int more) {
    boolean isPolygon = shape instanceof GeoShape.Polygon;
    if (more > 0 && call.is(i, "FROMMEMBER") && !isPolygon && (center == null || isMember)) {
      isMember = true;
      center = member(i + 1);
      return i + 2;
    }
    if (more > 1 && call.is(i, "FROMLONLAT") && !isPolygon && !isMember) {
      center = GeoArguments.point(call, i + 1);
      return i + 3;
    }
    if (more > 1 && call.is(i, "BYRADIUS") && boxArg == 0 && !isPolygon) {
      circleArg = i + 1;
      circle(circleArg);
      return i + 3;
    }
    if (more > 2 && call.is(i, "BYBOX") && circleArg == 0 && !isPolygon) {
      boxArg = i + 1;
      box(boxArg);
      return i + 4;
    }
    boolean isFree = circleArg == 0 && boxArg == 0 && center == null;
    if (more > 1 && call.is(i, "BYPOLYGON") && isFree) {
      shape = GeoArguments.polygon(call, i + 1);
      return shape instanceof GeoShape.Polygon polygon ? i + 2 + 2 * polygon.corners().size() : i;
    }
    call.syntaxError();
    return i;
  }

  private void check() {
    boolean isPolygon = shape instanceof GeoShape.Polygon;
    if (storeKeyArg > 0 && (withDistance || withHash || withCoordinates)) {
      String what = kind.isSearch() ? "GEOSEARCHSTORE" : "STORE option in GEORADIUS";
      call.error(
          "ERR " + what + " is not compatible with WITHDIST, WITHHASH and WITHCOORD options");
    } else if (kind.isSearch() && center == null && !isPolygon) {
      exactlyOne("FROMMEMBER or FROMLONLAT");
    } else if (kind.isSearch() && shape == null) {
      exactlyOne("BYRADIUS and BYBOX");
    } else if (any && count == 0) {
      call.error("ERR the ANY argument requires COUNT argument");
    } else if (shape != null && !shape.center().equals(center)) {
      if (circleArg > 0) circle(circleArg);
      else if (boxArg > 0) box(boxArg);
    }
  }

  private void exactlyOne(String options) {
    call.error("ERR exactly one of " + options + " can be specified for " + call.text(0));
  }

  // Results

  private void replyNothing() {
    if (storeKeyArg > 0) store(List.of());
    else call.reply().array(0);
  }

  private void reply(RedisSortedSet members) {
    if (count != 0 && order == Order.NONE && !any) order = Order.NEAREST;
    needsDistance = order != Order.NONE || withDistance || storesDistance;
    boolean isSome = count != 0 && !any && count < members.size();
    if (isSome) best = new PriorityQueue<>(order().reversed());
    if (shape != null) find(members, shape);
    if (best != null) found = new ArrayList<>(best);
    if (order != Order.NONE) sort();
    if (count != 0 && count < found.size()) found = found.subList(0, (int) count);
    if (storeKeyArg > 0) store(found);
    else write(found);
  }

  /**
   * Sorts first by numbers of the distance's highest bits and an index, which is quick; the order
   * is then the right one but for members at nearly the same distance.
   */
  private void sort() {
    int size = found.size();
    long indexBits = 2L * Integer.highestOneBit(size) - 1;
    long reversal = order == Order.FARTHEST ? -1 : 0;
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      long distanceBits = Double.doubleToRawLongBits(found.get(i).distance);
      keys[i] = (distanceBits ^ reversal) & ~indexBits | i;
    }
    Arrays.sort(keys);
    List<Found> sorted = new ArrayList<>(size);
    for (long key : keys) sorted.add(found.get((int) (key & indexBits)));
    sorted.sort(order());
    found = sorted;
  }

  private Comparator<Found> order() {
    return order == Order.FARTHEST ? FARTHEST : NEAREST;
  }

  private void find(RedisSortedSet members, GeoShape whole) {
    List<ScoreRange> cells = new ArrayList<>();
    for (GeoHash cell : GeoHash.covering(whole)) cells.add(cell.scores());
    if (best != null && order == Order.NEAREST && findNearest(members, cells, whole)) return;
    find(members, cells, whole.area());
  }

  /**
   * Looks for the nearest members in a circle of which a few times their number is expected, then
   * in larger ones; false if the whole shape must be searched.
   */
  private boolean findNearest(RedisSortedSet members, List<ScoreRange> cells, GeoShape whole) {
    PriorityQueue<Found> nearest = Objects.requireNonNull(best);
    double half = whole.radius() / 2;
    double radius = whole.radius() * Math.sqrt(EXPECTED * count / members.size());
    for (; radius < half; radius *= 4) {
      nearer = whole.within(radius);
      find(members, cells, nearer.area());
      if (nearest.size() == count) return true;
      nearest.clear();
    }
    nearer = null;
    return false;
  }

  private void find(RedisSortedSet members, List<ScoreRange> cells, GeoArea searched) {
    area = searched;
    members.search(cells, this);
  }

  @Override
  public double from(double score) {
    return Objects.requireNonNull(area).from(score);
  }

  @Override
  public boolean wants(double score) {
    GeoShape within = Objects.requireNonNull(shape);
    double longitude = GeoHash.longitude(score);
    double latitude = GeoHash.latitude(score);
    if (nearer != null && !nearer.contains(longitude, latitude)) return false;
    boolean isWithin = nearer != null && within instanceof GeoShape.Circle; // which is larger
    if (!isWithin && !within.contains(longitude, latitude)) return false;
    if (!needsDistance) return true;
    distance = within.distance(longitude, latitude);
    if (best == null || best.size() < count) return true;
    double last = best.element().distance;
    return order == Order.FARTHEST ? distance > last : distance < last;
  }

  @Override
  public void visit(byte[] array, int offset, int length, double score) {
    Found each = new Found(array, offset, length, score, distance, visited++);
    if (best == null) {
      found.add(each);
      return;
    }
    if (best.size() == count) {
      Found unused = best.remove();
    }
    best.add(each);
    if (best.size() == count && order == Order.NEAREST) narrow(best.element().distance);
  }

  /** Leaves out what is farther than a distance, if that is worth the preparation. */
  private void narrow(double last) {
    if (nearer != null && last > nearer.radius() * NARROWER) return;
    nearer = Objects.requireNonNull(shape).within(last);
    area = nearer.area();
  }

  @Override
  public boolean isFull() {
    return any && found.size() >= count;
  }

  private void store(List<Found> found) {
    ScoredMembers members = new ScoredMembers(call.hashSeed());
    for (Found each : found) {
      double score = storesDistance ? each.distance / unit : each.score;
      members.add(each.array, each.offset, each.length, score);
    }
    RedisSortedSet result = RedisSortedSet.of(members.sorted(), call.limits(), call.hashSeed());
    String event = kind.isSearch() ? "geosearchstore" : "georadiusstore";
    Objects.requireNonNull(result, "a member twice");
    SortedSetRange.replace(call, storeKeyArg, result, event);
  }

  private void write(List<Found> found) {
    RespWriter out = call.reply();
    out.array(found.size());
    int companions = (withDistance ? 1 : 0) + (withHash ? 1 : 0) + (withCoordinates ? 1 : 0);
    for (Found each : found) {
      if (companions > 0) out.array(1 + companions);
      out.bulk(each.array, each.offset, each.length);
      if (withDistance) GeoArguments.writeDistance(out, each.distance / unit);
      if (withHash) out.integer((long) each.score);
      if (withCoordinates) write(out, GeoHash.point(each.score));
    }
  }

  static void write(RespWriter out, GeoPoint point) {
    out.array(2);
    out.decimal(point.longitude());
    out.decimal(point.latitude());
  }
}
