package dev.kermes.server.data.geo;

import dev.kermes.server.data.ScoreRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cell of the earth, which is divided into quarters {@code step} times. The bits of longitude and
 * latitude alternate; those of a point, 26 each, are its score in a sorted set.
 *
 * <pre>
 *   |longitude|latitude|longitude|latitude|…      the first bit is the highest
 * </pre>
 */
public record GeoHash(long bits, int step) {

  /** The step of a score: its 52 bits are as many as a double can hold. */
  public static final int STEP_MAX = 26;

  static final long LONGITUDE_BITS = 0xaaaaaaaaaaaaaaaaL;
  static final long LATITUDE_BITS = 0x5555555555555555L;

  /** Half of the earth's circumference in Mercator's projection, in meters. */
  private static final double MERCATOR_MAX = 20037726.37;

  private static final String ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";

  /** The cell of a point. */
  public static GeoHash of(GeoPoint point, int step) {
    return of(point, step, GeoPoint.LATITUDE_MAX);
  }

  private static GeoHash of(GeoPoint point, int step, double latitudeMax) {
    double cells = 1L << step;
    double latitude = (point.latitude() + latitudeMax) / (2 * latitudeMax);
    double longitude = (point.longitude() + GeoPoint.LONGITUDE_MAX) / (2 * GeoPoint.LONGITUDE_MAX);
    long bits = spread((long) (latitude * cells)) | spread((long) (longitude * cells)) << 1;
    return new GeoHash(bits, step);
  }

  /** Puts a zero bit before each of 32 bits. */
  static long spread(long bits) {
    long x = bits & 0xffffffffL;
    x = (x | x << 16) & 0x0000ffff0000ffffL;
    x = (x | x << 8) & 0x00ff00ff00ff00ffL;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fL;
    x = (x | x << 2) & 0x3333333333333333L;
    return (x | x << 1) & LATITUDE_BITS;
  }

  /** Undoes {@link #spread}. */
  private static long gather(long bits) {
    long x = bits & LATITUDE_BITS;
    x = (x | x >>> 1) & 0x3333333333333333L;
    x = (x | x >>> 2) & 0x0f0f0f0f0f0f0f0fL;
    x = (x | x >>> 4) & 0x00ff00ff00ff00ffL;
    x = (x | x >>> 8) & 0x0000ffff0000ffffL;
    return (x | x >>> 16) & 0xffffffffL;
  }

  /** The lowest score of a point in this cell. */
  public double score() {
    return (double) (bits << 2 * (STEP_MAX - step));
  }

  /** The scores of the points in this cell. */
  public ScoreRange scores() {
    GeoHash above = new GeoHash(bits + 1, step);
    return new ScoreRange(score(), false, above.score(), true);
  }

  /** The point that a score encodes. */
  public static GeoPoint point(double score) {
    return new GeoPoint(longitude(score), latitude(score));
  }

  /** The longitude of the point that a score encodes. */
  public static double longitude(double score) {
    return middle(gather((long) score >>> 1), GeoPoint.LONGITUDE_MAX);
  }

  /** The latitude of the point that a score encodes. */
  public static double latitude(double score) {
    return middle(gather((long) score), GeoPoint.LATITUDE_MAX);
  }

  /** The middle of a cell of the smallest size, in degrees. */
  private static double middle(long cell, double max) {
    double middle = (degrees(cell, STEP_MAX, max) + degrees(cell + 1, STEP_MAX, max)) / 2;
    return Math.max(-max, Math.min(max, middle));
  }

  private GeoBounds area() {
    long longitude = gather(bits >>> 1);
    long latitude = gather(bits);
    return new GeoBounds(
        degrees(longitude, step, GeoPoint.LONGITUDE_MAX),
        degrees(latitude, step, GeoPoint.LATITUDE_MAX),
        degrees(longitude + 1, step, GeoPoint.LONGITUDE_MAX),
        degrees(latitude + 1, step, GeoPoint.LATITUDE_MAX));
  }

  private static double degrees(long cell, int step, double max) {
    return -max + cell * (1.0 / (1L << step)) * (max - -max);
  }

  /** The 11 characters of a standard geohash, whose latitudes extend to the poles. */
  public static String text(GeoPoint point) {
    long bits = of(point, STEP_MAX, 90).bits;
    StringBuilder text = new StringBuilder(11);
    for (int i = 1; i <= 10; i++) {
      text.append(ALPHABET.charAt((int) (bits >>> 2 * STEP_MAX - 5 * i) & 0x1f));
    }
    return text.append('0').toString();
  }

  // Searching

  /**
   * The cells that together contain a shape, at most nine, in the order in which Redis searches
   * them: the center, north, south, east, west, and the corners.
   */
  public static List<GeoHash> covering(GeoShape shape) {
    GeoBounds bounds = shape.bounds();
    GeoHash middle = of(shape.center(), stepFor(shape));
    if (middle.step > 1 && !middle.neighborsReach(bounds)) {
      middle = of(shape.center(), middle.step - 1);
    }
    return distinct(middle.neighborsWithin(bounds));
  }

  private static int stepFor(GeoShape shape) {
    double radius = shape.radius();
    if (radius == 0) return STEP_MAX;
    int step = -1;
    for (double meters = radius; meters < MERCATOR_MAX; meters *= 2) step++;
    // Cells are narrow near the poles.
    double latitude = Math.abs(shape.center().latitude());
    if (latitude > 66) step--;
    if (latitude > 80) step--;
    return Math.max(1, Math.min(STEP_MAX, step));
  }

  /**
   * Whether the neighbors reach to the bounds. Bounds that are not a number, as those of a shape
   * larger than the earth may be, count as reached, since all comparisons with them fail.
   */
  private boolean neighborsReach(GeoBounds bounds) {
    boolean isShort =
        moved(0, 1).area().latitudeMax() < bounds.latitudeMax()
            || moved(0, -1).area().latitudeMin() > bounds.latitudeMin()
            || moved(1, 0).area().longitudeMax() < bounds.longitudeMax()
            || moved(-1, 0).area().longitudeMin() > bounds.longitudeMin();
    return !isShort;
  }

  /** This cell and its neighbors, with null for a neighbor that the bounds do not reach. */
  private List<@Nullable GeoHash> neighborsWithin(GeoBounds bounds) {
    GeoBounds area = area();
    boolean isLarge = step < 2;
    boolean north = isLarge || !(area.latitudeMax() > bounds.latitudeMax());
    boolean south = isLarge || !(area.latitudeMin() < bounds.latitudeMin());
    boolean east = isLarge || !(area.longitudeMax() > bounds.longitudeMax());
    boolean west = isLarge || !(area.longitudeMin() < bounds.longitudeMin());
    return Arrays.asList(
        this,
        north ? moved(0, 1) : null,
        south ? moved(0, -1) : null,
        east ? moved(1, 0) : null,
        west ? moved(-1, 0) : null,
        north && east ? moved(1, 1) : null,
        north && west ? moved(-1, 1) : null,
        south && east ? moved(1, -1) : null,
        south && west ? moved(-1, -1) : null);
  }

  /** Drops a neighbor that equals the one before it, as neighbors of a large cell may. */
  private static List<GeoHash> distinct(List<@Nullable GeoHash> cells) {
    List<GeoHash> distinct = new ArrayList<>();
    GeoHash last = null;
    for (int i = 0; i < cells.size(); i++) {
      GeoHash cell = cells.get(i);
      if (cell == null || cell.equals(last)) continue;
      distinct.add(cell);
      if (i > 0) last = cell;
    }
    return Collections.unmodifiableList(distinct);
  }

  /**
   * The cell {@code east} cells to the east and {@code north} to the north, around the earth if
   * necessary.
   */
  private GeoHash moved(int east, int north) {
    long mask = -1L >>> 64 - 2 * step;
    long longitude = add(bits & LONGITUDE_BITS, LATITUDE_BITS & mask, east) & LONGITUDE_BITS;
    long latitude = add(bits & LATITUDE_BITS, LONGITUDE_BITS & mask, north) & LATITUDE_BITS;
    return new GeoHash((longitude | latitude) & mask, step);
  }

  /** Adds -1, 0 or 1 to a number that has every second bit; {@code gaps} are the others. */
  private static long add(long spreadNumber, long gaps, int number) {
    if (number == 0) return spreadNumber;
    return number > 0 ? spreadNumber + (gaps + 1) : (spreadNumber | gaps) - (gaps + 1);
  }
}
